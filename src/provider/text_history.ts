/** A history for a model that reads and writes calls as text: each call in the one form that the prompt teaches. */
import type { AssistantMessage, Message, Part, ToolMessage } from "@/protocol/message.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { resultText } from "@/lib/tool_result.ts";
import { printCall } from "./tool_text/print_call.ts";

type Call = { name: string; input: unknown };
type Result = { place: number; parts: readonly Part[] };

/** `places`: for each message the one that it stems from; undefined where it is made of several. */
export type TextHistory = { messages: Message[]; places: (number | undefined)[] };

/** The messages with calls and results as text. A call that could not run is told of by its result alone. */
export function textHistory(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
): TextHistory {
  const raw = new Map(tools.map((tool) => [tool.name, tool.raw ?? []]));
  const calls = new Map<string, Call>();
  const out: TextHistory = { messages: [], places: [] };
  const put = (message: Message, place: number | undefined) => {
    out.messages.push(message);
    out.places.push(place);
  };
  /** Results of one reply's calls become one message. */
  let results: Result[] = [];
  const flush = () => {
    const content = results.flatMap(({ parts }) => parts);
    if (content.length > 0) put({ role: "user", content, origin: "hook" }, placeOf(results));
    results = [];
  };
  for (const [place, message] of messages.entries()) {
    if (message.role === "tool") {
      results.push({ place, parts: resultParts(message, calls.get(message.callId)) });
      continue;
    }
    flush();
    if (message.role === "user") put(message, place);
    else {
      for (const block of message.content) {
        if (block.type === "tool_call") calls.set(block.id, block);
      }
      const text = assistantText(message, raw);
      // What is broken is never shown to the model as its own: it would write it again.
      if (text === "") continue;
      const stop = message.stop === "tool_calls" ? "end" : message.stop;
      put({ role: "assistant", content: [{ type: "text", text }], stop }, place);
    }
  }
  flush();
  return out;
}

/** What a server rejects of several results is an image, if only one of them has any. */
function placeOf(results: readonly Result[]): number | undefined {
  const withImages = results.filter(({ parts }) => parts.some(({ type }) => type === "image"));
  const [only, ...more] = results.length === 1 ? results : withImages;
  return more.length === 0 ? only?.place : undefined;
}

function assistantText(
  { content }: AssistantMessage,
  raw: ReadonlyMap<string, readonly string[]>,
): string {
  const parts: string[] = [];
  for (const block of content) {
    if (block.type === "text") parts.push(block.text.trim());
    else if (block.type === "tool_call" && block.damage === undefined && isRecord(block.input)) {
      const { name, input } = block;
      parts.push(printCall({ name, input }, raw.get(name) ?? []));
    }
  }
  return parts.filter((part) => part !== "").join("\n");
}

function resultParts({ name, result }: ToolMessage, call: Call | undefined): Part[] {
  const text = resultText(result, { name, input: call?.input });
  const images = (result.parts ?? []).filter((part) => part.type === "image");
  return [{ type: "text", text: `[Tool Result for '${name}']:\n${text}` }, ...images];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
