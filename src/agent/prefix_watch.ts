/** Says what changed at the start of a request since the one before: servers cache a prefix, and one byte that moves ends it. */
import type { Message } from "@/protocol/message.ts";
import type { Request } from "@/protocol/provider.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { commonLength, isSummary } from "./history.ts";

/** Where the first other byte is, in bytes of tools, system prompt and messages in that order, and what is there. */
export type PrefixChange = { byte: number; by: string };

const CHARS_SHOWN = 40;
const encoder = new TextEncoder();

/** Sees each request of a conversation once, in order. */
export class PrefixWatch {
  #last: Request | undefined;

  /** The change since the request before; undefined where that one is the start of this. */
  note(request: Request): PrefixChange | undefined {
    const last = this.#last;
    this.#last = request;
    if (last === undefined) return undefined;
    if (last.model !== request.model) return { byte: 0, by: `another model (${request.model})` };
    return toolsChange(last.tools, request.tools) ??
      systemChange(last, request) ??
      messagesChange(last, request);
  }
}

function toolsChange(
  before: readonly ToolDefinition[],
  now: readonly ToolDefinition[],
): PrefixChange | undefined {
  if (before === now) return undefined;
  const [old, fresh] = [JSON.stringify(before), JSON.stringify(now)];
  const at = firstOther(old, fresh);
  if (at === undefined) return undefined;
  const names = (tools: readonly ToolDefinition[]) => new Set(tools.map(({ name }) => name));
  const [had, has] = [names(before), names(now)];
  const more = [...has.difference(had)];
  const fewer = [...had.difference(has)];
  const changes = [
    ...(more.length > 0 ? [`new tools (${more.slice(0, 3).join(", ")})`] : []),
    ...(fewer.length > 0 ? [`tools that went (${fewer.slice(0, 3).join(", ")})`] : []),
  ];
  return {
    byte: bytesOf(fresh.slice(0, at)),
    by: changes.join(" and ") || "the description or order of tools",
  };
}

function systemChange(last: Request, request: Request): PrefixChange | undefined {
  const at = firstOther(last.system, request.system);
  if (at === undefined) return undefined;
  const blank = /\s*/y;
  blank.lastIndex = at;
  blank.test(request.system);
  const start = request.system.lastIndexOf("\n", Math.max(0, blank.lastIndex - 1)) + 1;
  const line = request.system.slice(start, start + CHARS_SHOWN).split("\n")[0] ?? "";
  const byte = bytesOf(JSON.stringify(request.tools)) + bytesOf(request.system.slice(0, at));
  return { byte, by: line === "" ? "the instructions" : `the instructions at "${line}"` };
}

function messagesChange(last: Request, request: Request): PrefixChange | undefined {
  const same = commonLength(last.messages, request.messages);
  if (same === last.messages.length) return undefined;
  const head = bytesOf(JSON.stringify(request.tools)) + bytesOf(request.system);
  const byte = request.messages.slice(0, same)
    .reduce((sum, message) => sum + bytesOf(JSON.stringify(message)), head);
  return { byte, by: otherMessage(last.messages[same], request.messages) };
}

function otherMessage(before: Message | undefined, messages: readonly Message[]): string {
  if (before?.role === "tool") {
    const now = messages.find((message) =>
      message.role === "tool" && message.callId === before.callId
    );
    if (now !== undefined) return `a result of ${before.name} that was shortened or replaced`;
  }
  return messages.some(isSummary)
    ? "the summary of older messages"
    : "messages that went or changed";
}

/** Where two texts part; undefined when one begins with the whole of the other and they are as long. */
function firstOther(before: string, now: string): number | undefined {
  if (before === now) return undefined;
  let at = 0;
  while (at < before.length && before[at] === now[at]) at += 1;
  return at;
}

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
