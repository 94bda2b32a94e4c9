/**
 * One line of a session file, read. What this version cannot read is told apart from damage, and neither is ever removed
 * from the file. Loaded only when a session is read: the schemas take half as long as an empty program.
 */
import { isObject } from "@/lib/json.ts";
import * as z from "zod";
import type { DurableEvent } from "@/protocol/event.ts";
import type { Part } from "@/protocol/message.ts";
import type { SessionRecord } from "@/protocol/session.ts";

/** What a line turned out to be. */
export type DecodedLine =
  | { kind: "record"; record: SessionRecord }
  /** Written by a later version: a higher `v`, or an event of a type or form that this one does not know. */
  | { kind: "foreign" }
  | { kind: "damaged" };

/** Reads the value of a line. Fields that are not known are kept. */
export function decodeRecord(value: unknown): DecodedLine {
  // By hand: as a schema this would copy each of 50,000 records once more.
  if (!isObject(value) || !isObject(value.event)) return { kind: "damaged" };
  const { v, at, event } = value;
  if (typeof v !== "number" || typeof at !== "string" || typeof event.type !== "string") {
    return { kind: "damaged" };
  }
  const schema = eventSchemas.get(event.type);
  if (v !== 1 || schema === undefined) return { kind: "foreign" };
  const read = schema.safeParse(event);
  return read.success
    ? { kind: "record", record: { v: 1, at, event: read.data } }
    : { kind: "foreign" };
}

const text = z.string();
const count = z.number();

const bytes = text.transform((base64, context) => {
  try {
    return Uint8Array.fromBase64(base64);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    context.addIssue({ code: "custom", message: "not base64" });
    return z.NEVER;
  }
});

const privateData = z.looseObject({
  wire: text,
  baseUrl: text,
  model: text,
  data: z.unknown().default(null),
});

/** A part of an unknown kind becomes words, so that the message around it stays valid. */
const unknownPart = z.looseObject({ type: text }).transform(({ type }): Part => ({
  type: "text",
  text: `(content of kind "${type}" that this version cannot read)`,
}));
const part = z.union([
  z.discriminatedUnion("type", [
    z.looseObject({ type: z.literal("text"), text }),
    z.looseObject({ type: z.literal("image"), mime: text, data: bytes }),
  ]),
  unknownPart,
]);

const block = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("text"),
    text,
    private: z.exactOptional(privateData),
  }),
  z.looseObject({
    type: z.literal("thinking"),
    text,
    by: z.exactOptional(text),
    private: z.exactOptional(privateData),
  }),
  z.looseObject({
    type: z.literal("tool_call"),
    id: text,
    name: text,
    input: z.unknown().default(null),
    raw: z.exactOptional(z.array(text)),
    damage: z.exactOptional(text),
    private: z.exactOptional(privateData),
  }),
]);
/** Blocks of an unknown kind are left out: no wire of this version could send them back. */
const blocks = z.array(z.union([block, z.looseObject({ type: text }).transform(() => undefined)]))
  .transform((list) => list.filter((item) => item !== undefined));

const toolResult = z.looseObject({
  status: z.literal(["ok", "failed", "denied", "interrupted", "not_run"]),
  text,
  parts: z.exactOptional(z.array(part)),
  changed: z.exactOptional(z.array(text)),
  meta: z.exactOptional(z.record(text, z.union([text, count, z.boolean()]))),
});

const stop = z.literal(["end", "tool_calls", "length", "refusal", "abort"]);
const message = z.discriminatedUnion("role", [
  z.looseObject({
    role: z.literal("user"),
    content: z.array(part),
    origin: z.literal(["person", "hook", "agent", "shell"]),
  }),
  z.looseObject({
    role: z.literal("assistant"),
    content: blocks,
    stop,
    private: z.exactOptional(z.array(privateData)),
  }),
  z.looseObject({ role: z.literal("tool"), callId: text, name: text, result: toolResult }),
]);

const usage = z.looseObject({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  cacheWrite1h: z.exactOptional(count),
});
const decision = z.looseObject({
  verdict: z.literal(["allow", "deny", "ask"]),
  by: z.literal(["rule", "guard", "grant", "sandbox", "automode", "person", "nobody"]),
  reason: text,
});

/** One event's fields beside its type. */
function eventOf<T extends DurableEvent["type"], F extends z.ZodRawShape>(type: T, fields: F) {
  return z.looseObject({ type: z.literal(type), ...fields });
}

/** A schema for each type of durable event; one that is missing here is a compile error. */
const schemaByType = {
  session: eventOf("session", { uid: text, cwd: text, profile: text }),
  model: eventOf("model", {
    provider: text,
    model: text,
    standsIn: z.exactOptional(z.literal(true)),
  }),
  title: eventOf("title", { title: text }),
  persona: eventOf("persona", { text }),
  turn_start: eventOf("turn_start", { turn: count }),
  message: eventOf("message", { message }),
  decision: eventOf("decision", { callId: text, decision, asked: z.boolean() }),
  tool_end: eventOf("tool_end", {
    callId: text,
    summary: text,
    ms: count,
    shown: z.exactOptional(text),
  }),
  edit: eventOf("edit", {
    journalId: text,
    tool: text,
    paths: z.array(text),
    commit: z.exactOptional(text),
  }),
  usage: eventOf("usage", {
    usage,
    purpose: z.literal(["turn", "title", "question", "compaction", "subagent"]),
    model: text,
    provider: z.exactOptional(text),
  }),
  compaction: eventOf("compaction", {
    summary: text,
    keepFrom: count,
    keep: z.exactOptional(z.array(z.looseObject({ index: count, text: z.exactOptional(text) }))),
  }),
  replaced: eventOf("replaced", { index: count, reason: text }),
  rewind: eventOf("rewind", { toTurn: count }),
  notice: eventOf("notice", {
    level: z.literal(["info", "warn", "error"]),
    text,
    about: z.exactOptional(text),
  }),
  turn_end: eventOf("turn_end", {
    turn: count,
    stop: z.union([stop, z.literal(["limit", "error"])]),
  }),
} satisfies { [T in DurableEvent["type"]]: z.ZodType<Extract<DurableEvent, { type: T }>> };

const eventSchemas: ReadonlyMap<string, z.ZodType<DurableEvent>> = new Map(
  Object.entries(schemaByType),
);
