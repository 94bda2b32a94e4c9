/** What the conformance suites say over every wire, and how they look at what comes back. */
import { ok } from "node:assert/strict";
import type { Message } from "@/protocol/message.ts";
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { requestOf, user } from "./conversation.ts";
import type { ScriptedReply } from "./scripted_reply.ts";
import { calm, collect, type TestOptions } from "./wire_options.ts";
import { type WireUnderTest, withWire } from "./wires.ts";

export const FULL: ScriptedReply = {
  thinking: "Let me think — 생각 🤔 first. ",
  text: 'I read “both” files: 파일 😀 and \\n "quoted" ones.',
  calls: [
    { name: "read_file", arguments: { filepath: "가.py", start: 3 }, id: "call_a" },
    { name: "git_status", arguments: {}, id: "call_b" },
    {
      name: "read_file",
      arguments: { filepath: 'b "x" \\ \n.py', nested: { list: [1, null, "😀"] } },
      id: "call_c",
    },
  ],
  usage: { input: 120, output: 30 },
};
export const HELLO: ScriptedReply = { text: "Hello there, friend." };
export const ASK = [user("Read both files.")];

export function textOf(events: readonly ProviderEvent[], channel = "text"): string {
  return events.flatMap((event) =>
    event.type === "delta" && event.channel === channel ? [event.text] : []
  ).join("");
}

export function doneOf(events: readonly ProviderEvent[]): Extract<ProviderEvent, { type: "done" }> {
  const last = events.at(-1);
  ok(last?.type === "done");
  return last;
}

export function callsOf(events: readonly ProviderEvent[]) {
  return events.flatMap((event) => event.type === "tool_call" ? [event] : []);
}

export function retriesOf(events: readonly ProviderEvent[]) {
  return events.flatMap((event) => event.type === "retry" ? [event] : []);
}

/** A request for a wire: with thinking where the wire has it. */
export function requestFor(
  { model, has }: WireUnderTest,
  messages: readonly Message[] = ASK,
): Request {
  return requestOf(model, messages, { hints: has.thinking ? { thinking: "adaptive" } : {} });
}

/** The events of one reply over a wire. */
export async function replyOver(
  under: WireUnderTest,
  script: ScriptedReply | readonly ScriptedReply[],
  options: TestOptions = {},
): Promise<ProviderEvent[]> {
  let events: ProviderEvent[] = [];
  await withWire(under, [script].flat(), async (provider) => {
    events = await collect(provider.stream(requestFor(under), calm()));
  }, options);
  return events;
}

/** Texts inside private data that are nowhere else in the reply. */
export function privateStrings(events: readonly ProviderEvent[]): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string" && value.length > 8 && !(FULL.thinking ?? "").includes(value)) {
      found.push(value);
    } else if (value !== null && typeof value === "object") Object.values(value).forEach(visit);
  };
  for (const event of events) {
    if (event.type === "block_end" || event.type === "tool_call") visit(event.private?.data);
    if (event.type === "done") event.private?.forEach(({ data }) => visit(data));
  }
  return found.filter((text) =>
    !/^(?:thinking|redacted_thinking|reasoning|function_call|message)/.test(text)
  );
}
