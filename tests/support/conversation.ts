/** Histories and requests for tests of the wires. */
import type { Block, Message, Part } from "@/protocol/message.ts";
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import type { ToolDefinition, ToolResult } from "@/protocol/tool.ts";

export const READ_FILE: ToolDefinition = {
  name: "read_file",
  description: "Read a file.",
  schema: {
    type: "object",
    properties: {
      filepath: { type: "string", description: "File to read" },
      start: { type: "integer" },
    },
    required: ["filepath"],
  },
};

export const GIT_STATUS: ToolDefinition = {
  name: "git_status",
  description: "Show what has changed.",
  schema: { type: "object", properties: {} },
};

/** The smallest PNG: one pixel. */
export const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

export function user(...content: (string | Part)[]): Message {
  const parts = content.map((part) =>
    typeof part === "string" ? { type: "text" as const, text: part } : part
  );
  return { role: "user", content: parts, origin: "person" };
}

export function assistant(...content: (string | Block)[]): Message {
  const blocks = content.map((block) =>
    typeof block === "string" ? { type: "text" as const, text: block } : block
  );
  const calls = blocks.some((block) => block.type === "tool_call");
  return { role: "assistant", content: blocks, stop: calls ? "tool_calls" : "end" };
}

export function call(id: string, name = "read_file", input: unknown = { filepath: "a" }): Block {
  return { type: "tool_call", id, name, input };
}

export function result(
  callId: string,
  text: string,
  more: Partial<ToolResult> & { name?: string } = {},
): Message {
  const { name = "read_file", ...rest } = more;
  return { role: "tool", callId, name, result: { status: "ok", text, ...rest } };
}

export function requestOf(
  model: string,
  messages: readonly Message[],
  more: Partial<Request> = {},
): Request {
  return {
    model,
    system: "Be brief.",
    messages,
    tools: [READ_FILE, GIT_STATUS],
    outputTokensMax: 1_000,
    hints: {},
    ...more,
  };
}

/** The message that a reply's events make, as the loop keeps it. */
export function messageOf(events: readonly ProviderEvent[]): Message {
  const blocks: Block[] = [];
  let message: Message = { role: "assistant", content: blocks, stop: "end" };
  for (const event of events) {
    const last = blocks.at(-1);
    if (event.type === "delta") {
      if (last?.type === event.channel && last.private === undefined) last.text += event.text;
      else blocks.push({ type: event.channel, text: event.text });
    } else if (event.type === "block_end") {
      if (last?.type === event.channel && last.private === undefined) last.private = event.private;
      else blocks.push({ type: event.channel, text: "", private: event.private });
    } else if (event.type === "tool_call") blocks.push(event);
    else if (event.type === "retry" && event.discarded) blocks.length = 0;
    else if (event.type === "done") {
      const kept = event.private === undefined ? {} : { private: event.private };
      message = { role: "assistant", content: blocks, stop: event.stop, ...kept };
    }
  }
  return message;
}

/** Text, thinking and calls of a reply, deltas joined: what does not depend on how the stream was cut. */
export function gist(events: readonly ProviderEvent[]): unknown[] {
  const joined: unknown[] = [];
  let open: { channel: string; text: string } | undefined;
  for (const event of events) {
    if (event.type === "delta") {
      if (open?.channel !== event.channel) joined.push(open = { channel: event.channel, text: "" });
      open.text += event.text;
      continue;
    }
    open = undefined;
    joined.push(event);
  }
  return joined;
}
