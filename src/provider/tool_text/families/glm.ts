/** Key and value tags behind the name: GLM-4.5 to 5, Laguna, Poolside. Nothing of it ends by itself but the whole. */
import { decodeArguments } from "../decode.ts";
import type { Envelope, Family, Form, Item, Problem, Starts } from "../grammar.ts";
import { unusable } from "../grammar.ts";
import { foundCalls } from "../payload.ts";
import { readKeywords } from "../python.ts";
import type { Reader } from "../reader.ts";
import { withoutBlockBreaks } from "@/lib/raw_body.ts";

type Head = { name: string; end: number };
type Values = { input: [string, unknown][]; raw: string[] };

const NAME = /[A-Za-z_][\w.:-]*/y;
const KEY_CLOSE = /<\\?\/arg_key\s*>/g;
/** In place of the tag that opens a key, models write the one that opens a call, or nothing. */
const KEY_BEFORE_CLOSE = /(?:<(?:arg_key|tool_call)\s*>)?\s*["']?([\w.-]+)["']?\s*$/;
const KEY_CHARS_MAX = 160;
const VALUE_OPEN = /<arg_value\s*>/y;
const VALUE_CLOSE = /<\\?\/arg_value\s*>/g;
const KEYWORD = /\w+[ \t]*=[ \t]*["'\d[{tfTFN]/y;

const glmForm: Form = { needsMarker: true, starts, read: readPairs };

export const glm: Family = { name: "glm", forms: [glmForm] };

function starts(reader: Reader, at: number): Starts {
  const name = nameAt(reader, at);
  if (name === undefined) return false;
  const next = reader.source.skipBlanks(name.end);
  if (next >= reader.text.length) {
    return reader.isFinal ? reader.tools.resolve(name.name) !== undefined : "more";
  }
  const tag = reader.source.tagAt(next);
  if (tag === undefined) {
    return isPlainKeyword(reader, name, next) || reader.mayBecomeTag(next);
  }
  if (tag.name === "arg_key") return true;
  if (tag.name === "/arg_key") return gluedHead(reader, name) !== undefined;
  if (reader.tools.resolve(name.name) === undefined) return false;
  if (tag.name === "tool_call") return keyAt(reader.text, next) !== undefined;
  return reader.grammar.role(tag.name)?.kind === "close";
}

/** `read_file filepath="a.ts"`: the name, then pairs without brackets. */
function isPlainKeyword(reader: Reader, { name, end }: Head, next: number): boolean {
  KEYWORD.lastIndex = next;
  return next > end && reader.tools.resolve(name) !== undefined && KEYWORD.test(reader.text);
}

function readPairs(reader: Reader, at: number, envelope: Envelope): Item {
  const whole = nameAt(reader, at);
  if (whole === undefined) return unusable(at, { kind: "unreadable", at });
  const region = envelope.region(at);
  const { name, end: from } = gluedHead(reader, whole) ?? whole;
  const { end } = region;
  if (!region.isClosed) return unusable(end, { kind: "cut", at: end, name });
  const tool = reader.tools.resolve(name);
  if (tool === undefined) return unusable(end, { kind: "unknown_tool", at, name });
  const found = { at, end, isRepaired: false };
  if (isPlainKeyword(reader, whole, reader.source.skipBlanks(whole.end))) {
    const input = readKeywords(reader.source, whole.end, end);
    if (input === undefined) return unusable(end, { kind: "unreadable", at, name });
    return foundCalls(reader, [{ name, input, hasArguments: true }], found);
  }
  const values = readValues(reader, { from, end, tool });
  if ("kind" in values) return unusable(end, { ...values, name });
  const input = Object.fromEntries(values.input);
  const all = allArguments(reader, tool, values.input);
  return foundCalls(reader, [{ name, input: all ?? input, hasArguments: true }], {
    ...found,
    raw: all === undefined ? values.raw : [],
  });
}

function readValues(
  reader: Reader,
  { from, end, tool }: { from: number; end: number; tool: string },
): Values | Problem {
  const { source, tools } = reader;
  const text = reader.text.slice(0, end);
  const values: Values = { input: [], raw: [] };
  const seen = new Set<string>();
  let at = source.skipBlanks(from);
  while (at < end) {
    const key = keyAt(text, at);
    if (key === undefined) return { kind: "unreadable", at, expected: "<arg_key>" };
    seen.add(key.name);
    const start = valueStart(reader, key.end);
    const isNext = (other: string) => !seen.has(other) && tools.hasParameter(tool, other);
    const next = nextKey(text, start, isNext);
    source.steps += next - start;
    const last = [...text.slice(start, next).matchAll(VALUE_CLOSE)].at(-1);
    if (last === undefined) return { kind: "unreadable", at: start, expected: "</arg_value>" };
    const rest = text.slice(start + last.index + last[0].length, next);
    if (rest.trim() !== "") return { kind: "unreadable", at: start, expected: "</arg_value>" };
    const inside = withoutBlockBreaks(text.slice(start, start + last.index));
    const value = tools.typed(tool, key.name, inside);
    values.input.push([key.name, value]);
    if (typeof value === "string") values.raw.push(key.name);
    at = source.skipBlanks(next);
  }
  return values;
}

/** The key that stands at `at`, tags included. */
function keyAt(text: string, at: number): { name: string; end: number } | undefined {
  KEY_CLOSE.lastIndex = at;
  const close = KEY_CLOSE.exec(text);
  if (close === null || close.index - at > KEY_CHARS_MAX) return undefined;
  const key = KEY_BEFORE_CLOSE.exec(text.slice(at, close.index));
  if (key?.index !== 0 || key[1] === undefined) return undefined;
  return { name: key[1], end: KEY_CLOSE.lastIndex };
}

function valueStart(reader: Reader, keyEnd: number): number {
  VALUE_OPEN.lastIndex = reader.source.skipBlanks(keyEnd);
  return VALUE_OPEN.test(reader.text) ? VALUE_OPEN.lastIndex : keyEnd;
}

/** Where the next key stands that names a parameter; other keys in a value are a part of it. */
function nextKey(text: string, from: number, isNext: (name: string) => boolean): number {
  KEY_CLOSE.lastIndex = from;
  for (let close = KEY_CLOSE.exec(text); close !== null; close = KEY_CLOSE.exec(text)) {
    const start = Math.max(from, close.index - KEY_CHARS_MAX);
    const key = KEY_BEFORE_CLOSE.exec(text.slice(start, close.index));
    if (key !== null && isNext(key[1] ?? "")) return start + key.index;
  }
  return text.length;
}

/** `read_filefilepath</arg_key>`: the key's opening tag is missing. Read only if exactly one tool and parameter fit. */
function gluedHead(reader: Reader, { name, end }: Head): Head | undefined {
  if (reader.source.tagAt(reader.source.skipBlanks(end))?.name !== "/arg_key") return undefined;
  const fitting = reader.tools.names.filter((tool) =>
    name.startsWith(tool) && reader.tools.hasParameter(tool, name.slice(tool.length))
  );
  const [tool] = fitting;
  if (tool === undefined || fitting.length > 1) return undefined;
  return { name: tool, end: end - name.length + tool.length };
}

function allArguments(
  reader: Reader,
  tool: string,
  input: readonly [string, unknown][],
): Record<string, unknown> | undefined {
  const [only] = input;
  if (only === undefined || input.length > 1 || only[0] !== "arguments") return undefined;
  return reader.tools.hasParameter(tool, "arguments") ? undefined : decodeArguments(only[1]);
}

function nameAt(reader: Reader, at: number): Head | undefined {
  NAME.lastIndex = at;
  const name = NAME.exec(reader.text)?.[0];
  return name === undefined ? undefined : { name, end: at + name.length };
}
