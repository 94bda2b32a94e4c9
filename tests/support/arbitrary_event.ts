/** Every form that a durable event can take, for property tests. */
import { fc } from "./property.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { Block, Message, Part, ProviderPrivate } from "@/protocol/message.ts";
import type { ToolResult } from "@/protocol/tool.ts";

/** Any text that JSON can carry: line separators, NULs and halves of surrogate pairs included. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("\u2028", "a\nb", "\r\n", "\u0085", "\ud800", '"\\', "\u0000", "é\u0301"),
);
const count = fc.nat(1_000_000);

/** An object whose fields may be absent, but are never undefined. */
function record<T, K extends keyof T>(
  fields: { [P in keyof T]: fc.Arbitrary<T[P]> },
  requiredKeys: K[],
): fc.Arbitrary<fc.RecordValue<T, K>> {
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function all<T>(fields: { [P in keyof T]: fc.Arbitrary<T[P]> }): fc.Arbitrary<T> {
  return fc.record(fields, { noNullPrototype: true });
}

const privateData: fc.Arbitrary<ProviderPrivate> = all({
  wire: text,
  baseUrl: text,
  model: text,
  data: fc.jsonValue(),
});

const part: fc.Arbitrary<Part> = fc.oneof(
  all({ type: fc.constant("text" as const), text }),
  all({
    type: fc.constant("image" as const),
    mime: text,
    data: fc.uint8Array({ maxLength: 20 }),
  }),
);

const block: fc.Arbitrary<Block> = fc.oneof(
  record({
    type: fc.constantFrom("text" as const, "thinking" as const),
    text,
    private: privateData,
  }, ["type", "text"]),
  record({
    type: fc.constant("tool_call" as const),
    id: text,
    name: text,
    input: fc.jsonValue(),
    raw: fc.array(text, { maxLength: 2 }),
    damage: text,
    private: privateData,
  }, ["type", "id", "name", "input"]),
);

const result: fc.Arbitrary<ToolResult> = record({
  status: fc.constantFrom("ok", "failed", "denied", "interrupted", "not_run"),
  text,
  parts: fc.array(part, { maxLength: 2 }),
  changed: fc.array(text, { maxLength: 2 }),
  meta: fc.dictionary(
    fc.string({ maxLength: 5 }).filter((key) => key !== "__proto__"),
    fc.oneof(text, count, fc.boolean()),
    { maxKeys: 2, noNullPrototype: true },
  ),
}, ["status", "text"]);

const stop = fc.constantFrom("end", "tool_calls", "length", "refusal", "abort");

const message: fc.Arbitrary<Message> = fc.oneof(
  all({
    role: fc.constant("user" as const),
    content: fc.array(part, { maxLength: 3 }),
    origin: fc.constantFrom("person", "hook", "agent", "shell"),
  }),
  record({
    role: fc.constant("assistant" as const),
    content: fc.array(block, { maxLength: 3 }),
    stop,
    private: fc.array(privateData, { maxLength: 2 }),
  }, ["role", "content", "stop"]),
  all({ role: fc.constant("tool" as const), callId: text, name: text, result }),
);

const usage = all({ input: count, output: count, cacheRead: count, cacheWrite: count });
const decision = all({
  verdict: fc.constantFrom("allow", "deny", "ask"),
  by: fc.constantFrom("rule", "guard", "grant", "sandbox", "automode", "person", "nobody"),
  reason: text,
});

/** One arbitrary for each type; one that is missing here is a compile error. */
const byType: {
  [T in DurableEvent["type"]]: fc.Arbitrary<Extract<DurableEvent, { type: T }>>;
} = {
  session: all({ type: fc.constant("session"), uid: text, cwd: text, profile: text }),
  model: all({ type: fc.constant("model"), provider: text, model: text }),
  title: all({ type: fc.constant("title"), title: text }),
  persona: all({ type: fc.constant("persona"), text }),
  turn_start: all({ type: fc.constant("turn_start"), turn: count }),
  message: all({ type: fc.constant("message"), message }),
  decision: all({
    type: fc.constant("decision"),
    callId: text,
    decision,
    asked: fc.boolean(),
  }),
  tool_end: record({
    type: fc.constant("tool_end"),
    callId: text,
    summary: text,
    ms: count,
    shown: text,
  }, ["type", "callId", "summary", "ms"]),
  edit: record({
    type: fc.constant("edit"),
    journalId: text,
    tool: text,
    paths: fc.array(text, { maxLength: 2 }),
    commit: text,
  }, ["type", "journalId", "tool", "paths"]),
  usage: record({
    type: fc.constant("usage"),
    usage,
    purpose: fc.constantFrom("turn", "title", "question", "compaction", "subagent"),
    model: text,
    provider: text,
  }, ["type", "usage", "purpose", "model"]),
  compaction: record({
    type: fc.constant("compaction"),
    summary: text,
    keepFrom: count,
    keep: fc.array(record({ index: count, text }, ["index"]), { maxLength: 2 }),
  }, ["type", "summary", "keepFrom"]),
  replaced: all({ type: fc.constant("replaced"), index: count, reason: text }),
  rewind: all({ type: fc.constant("rewind"), toTurn: count }),
  notice: record({
    type: fc.constant("notice"),
    level: fc.constantFrom("info", "warn", "error"),
    text,
    about: text,
  }, ["type", "level", "text"]),
  turn_end: all({
    type: fc.constant("turn_end"),
    turn: count,
    stop: fc.oneof(stop, fc.constantFrom("limit", "error")),
  }),
};

/** Any durable event. */
export const durableEvent: fc.Arbitrary<DurableEvent> = fc.oneof(...Object.values(byType));
