/**
 * From a decoded JSON value to the calls it means: envelopes, the names of the name and the names of the arguments.
 * What is data (a definition, a finished call with its result) is told apart from a call that misses something.
 */
import type { KnownTools } from "./known_tools.ts";
import { readWholeJson } from "./json.ts";
import { readPythonLiteral } from "./python.ts";
import { Source } from "./source.ts";

/** A call as written. `hasArguments`: its arguments stood under a key of their own. */
export type Written = { name: string; input: Record<string, unknown>; hasArguments: boolean };

/** `calls`: one or more; `data`: no call at all; `damaged`: a call of which something is missing or unreadable. */
export type Decoded =
  | { kind: "calls"; calls: Written[] }
  | { kind: "data" }
  | { kind: "damaged"; expected: string; name?: string };

type Json = Record<string, unknown>;

const ENVELOPES = [
  "tool_call",
  "tool_use",
  "toolcall",
  "function_call",
  "functioncall",
  "function",
  "tool",
  "call",
  "action",
];
const NAME_KEYS = [
  "name",
  "tool_name",
  "toolName",
  "function_name",
  "functionName",
  "tool",
  "function",
  "recipient_name",
];
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input"];
/** Keys beside the name that are no parameters, unless the tool has one of that name. */
const ENVELOPE_KEYS = ["id", "type", "index", "tool_call_id", "call_id"];
const NESTING_MAX = 4;

/** Decode an object, or a list of them: a list is one unit, of which all or nothing is used. */
export function decode(value: unknown, tools: KnownTools): Decoded {
  if (!Array.isArray(value)) return decodeObject(value, tools);
  const calls: Written[] = [];
  for (const item of value) {
    const decoded = decodeObject(item, tools);
    if (decoded.kind !== "calls") return decoded;
    calls.push(...decoded.calls);
  }
  return calls.length === 0 ? { kind: "data" } : { kind: "calls", calls };
}

/** Arguments however they were written: an object, a text of one (once or twice encoded), or nothing. */
export function decodeArguments(value: unknown): Json | undefined {
  let inner = value;
  for (let depth = 0; depth < NESTING_MAX && typeof inner === "string"; depth += 1) {
    if (inner.trim() === "") return {};
    inner = decodeText(inner);
  }
  if (inner === null) return {};
  return isRecord(inner) ? inner : undefined;
}

function decodeObject(value: unknown, tools: KnownTools): Decoded {
  if (!isRecord(value)) return { kind: "data" };
  const inner = unwrapped(value, tools);
  if (Array.isArray(inner)) return decode(inner, tools);
  const written = nameOf(inner);
  if (written === undefined) return { kind: "damaged", expected: 'a "name"' };
  const tool = tools.resolve(written.name) ?? "";
  if (isData(inner, tool, tools)) return { kind: "data" };
  return decodeNamed(inner, written, { tool, tools });
}

function decodeNamed(
  object: Json,
  { key: nameKey, name }: { key: string; name: string },
  { tool, tools }: { tool: string; tools: KnownTools },
): Decoded {
  const key = ARGUMENT_KEYS.find((candidate) =>
    Object.hasOwn(object, candidate) && candidate !== nameKey &&
    (candidate === "arguments" || !tools.hasParameter(tool, candidate))
  );
  if (key !== undefined) {
    const input = decodeArguments(object[key]);
    if (input === undefined && key !== "input") {
      return { kind: "damaged", expected: `an object as "${key}"`, name };
    }
    if (isSchema(input)) return { kind: "data" };
    if (input !== undefined && Object.keys(input).length > 0) {
      return { kind: "calls", calls: [{ name, input, hasArguments: true }] };
    }
  }
  const besides = Object.entries(object).filter(([other, value]) =>
    !NAME_KEYS.slice(0, 5).includes(other) && other !== nameKey &&
    (other !== key || key === "input" && typeof value === "string" && value !== "") &&
    (tools.hasParameter(tool, other) || !ENVELOPE_KEYS.includes(other))
  );
  const input = Object.fromEntries(besides);
  return { kind: "calls", calls: [{ name, input, hasArguments: key !== undefined }] };
}

/** The call inside one envelope. An envelope inside an envelope is left alone: it is not known what it would mean. */
function unwrapped(object: Json, tools: KnownTools): Json | unknown[] {
  if (Array.isArray(object.tool_calls) && nameOf(object) === undefined) return object.tool_calls;
  const members = Object.entries(object).filter(([key, value]) =>
    !(key === "type" && value === "function") && !(key === "id" || key === "index")
  );
  const [only, ...others] = members;
  if (only === undefined || others.length > 0) return object;
  const [key, value] = only;
  if (isRecord(value) && ENVELOPES.includes(key.toLowerCase()) && nameOf(value) !== undefined) {
    return value;
  }
  const tool = Object.keys(object).length === 1 ? tools.resolve(key) : undefined;
  if (tool === undefined || nameOf(object) !== undefined) return object;
  return decodeArguments(value) === undefined ? object : { name: key, arguments: value };
}

function nameOf(object: Json): { key: string; name: string } | undefined {
  for (const key of NAME_KEYS) {
    const name = object[key];
    if (typeof name === "string" && name.trim() !== "") return { key, name };
  }
  return undefined;
}

/** A tool's definition, or a call together with its result. */
function isData(object: Json, tool: string, tools: KnownTools): boolean {
  const has = (key: string) => Object.hasOwn(object, key) && !tools.hasParameter(tool, key);
  return has("result") || has("description") && typeof object.description === "string";
}

function isSchema(input: Json | undefined): boolean {
  return input !== undefined && input.type === "object" && isRecord(input.properties);
}

function decodeText(text: string): unknown {
  const source = new Source(text.trim());
  const json = readWholeJson(source, 0, source.text.length);
  if (json.state === "read") return json.value;
  try {
    return JSON.parse(source.text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return readPythonLiteral(source)?.value;
  }
}

function isRecord(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
