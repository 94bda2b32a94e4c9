/** Calls written as elements: an element a call, an element a parameter, and between the tags the value as it is. */
import { decodeArguments } from "./decode.ts";
import { isAfterPart } from "./envelope.ts";
import {
  type Envelope,
  type Item,
  type Problem,
  type Region,
  type Starts,
  unusable,
} from "./grammar.ts";
import { startsJson } from "./json.ts";
import { foundCalls, readObject } from "./payload.ts";
import { elementRegion } from "./region.ts";
import type { Reader, Token } from "./reader.ts";
import { withoutBlockBreaks } from "@/lib/raw_body.ts";

export type ElementStyle = {
  /** Parameter tags in canonical spelling. */
  parameters: readonly string[];
  /** The closing tag of a parameter, also where a model garbled its name. */
  closing: RegExp;
  /** Values are exact: no line break belongs to the tags. */
  isExact?: true;
};

type Values = { input: [string, unknown][]; raw: string[] };
type Parameter = { name: string; tag: Token; seen: ReadonlySet<string>; end: number };

const NAME_ATTRIBUTE = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/;
const EQUALS_NAME = /^\s*=\s*["']?([^"'>]*?)["']?\s*$/;
const CUT_CLOSING = /(?<!\s)\s*<\\?\/(?:p(?:a(?:r(?:a(?:m(?:e(?:t(?:er?)?)?)?)?)?)?)?)?\s*$/;
const CDATA = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/;
/** A single parameter of one of these names that the tool does not have holds all arguments. */
const ALL_ARGUMENTS = ["arguments", "input", "parameters"];

/** The name in a tag: `function=read_file`, or `invoke name="read_file"`. */
export function nameOf(tag: { rest: string }): string {
  const attribute = NAME_ATTRIBUTE.exec(tag.rest);
  const name = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3] ??
    EQUALS_NAME.exec(tag.rest)?.[1];
  return (name ?? "").trim();
}

/** Without a marker around it, an element is a call only if it names a tool, or if its tag is a special token. */
export function startsKnownElement(reader: Reader, at: number): Starts {
  const tag = reader.source.tagAt(at);
  if (tag === undefined) return reader.mayBecomeTag(at);
  return tag.name.startsWith("|") || reader.tools.resolve(nameOf(tag)) !== undefined;
}

/** Read the call of the element whose opening tag starts at `at`. */
export function readElement(
  reader: Reader,
  at: number,
  { style, envelope }: { style: ElementStyle; envelope: Envelope },
): Item {
  const open = reader.token(at);
  if (open === undefined) return unusable(at, { kind: "unreadable", at });
  const name = nameOf(open);
  const tool = reader.tools.resolve(name);
  const inside = reader.source.skipBlanks(open.end);
  if (startsJson(reader.text.charAt(inside))) {
    return readJsonElement(reader, open, { name, envelope });
  }
  const region = regionOf(reader, open, envelope);
  const end = afterCloser(reader, open, region);
  if (tool === undefined) {
    return unusable(end, { kind: region.isClosed ? "unknown_tool" : "cut", at, name });
  }
  if (!region.isClosed) return unusable(end, { kind: "cut", at: region.end, name });
  const values = readParameters(reader, open, { tool, style, end: region.end });
  if ("kind" in values) return unusable(end, { ...values, name });
  const input = Object.fromEntries(values.input);
  return foundCalls(reader, [{ name, input, hasArguments: true }], {
    at,
    end,
    isRepaired: false,
    raw: style.isExact ? [] : values.raw,
  });
}

/** A JSON object instead of parameters proves its own end. */
function readJsonElement(
  reader: Reader,
  open: Token,
  { name, envelope }: { name: string; envelope: Envelope },
): Item {
  const inner = { ...envelope, region: () => regionOf(reader, open, envelope) };
  const read = readObject(reader, open.end, inner);
  if ("kind" in read) return unusable(read.end, { ...read, name });
  const input = decodeArguments(read.input.arguments) !== undefined && read.input.name === name
    ? decodeArguments(read.input.arguments) ?? {}
    : read.input;
  const after = reader.source.skipBlanks(read.end);
  const close = reader.token(after);
  const end = close?.name === `/${open.name}` ? close.end : read.end;
  return foundCalls(reader, [{ name, input, hasArguments: true }], {
    at: open.start,
    end,
    isRepaired: read.isRepaired,
  });
}

/** An element without its own closer ends where what is around it was closed. */
function regionOf(reader: Reader, open: Token, envelope: Envelope): Region {
  const edges = {
    opens: (token: Token) => token.name === open.name && hasInside(reader, token),
    mayClose: (at: number) => isAfterPart(reader, at) || at === reader.source.skipBlanks(open.end),
    mayOpen: (at: number) => isAfterPart(reader, at),
  };
  const own = elementRegion(reader, open.end, {
    ...edges,
    closes: ({ name }) => name === `/${open.name}`,
  });
  if (own.isClosed && own.end < reader.endOfReply) return own;
  const outer = envelope.region(open.end);
  const limit = own.end;
  if (outer.isClosed) return { end: Math.min(outer.end, limit), isClosed: outer.end <= limit };
  const any = elementRegion(reader, open.end, {
    ...edges,
    closes: ({ role, name }) => role.kind === "close" && name !== `/${open.name}`,
  });
  return any.end <= limit ? any : own;
}

/** Whether an element follows its opening tag: a mention of the tag alone opens nothing. */
function hasInside(reader: Reader, { name, end }: Token): boolean {
  const at = reader.source.skipBlanks(end);
  if (startsJson(reader.text.charAt(at))) return true;
  const next = reader.token(at);
  return next?.role.kind === "part" || next?.name === `/${name}`;
}

function afterCloser(reader: Reader, open: Token, region: Region): number {
  const close = reader.token(region.end);
  return close?.name === `/${open.name}` ? close.end : region.end;
}

function readParameters(
  reader: Reader,
  open: Token,
  { tool, style, end }: { tool: string; style: ElementStyle; end: number },
): Values | Problem {
  const values: Values = { input: [], raw: [] };
  const seen = new Set<string>();
  let at = open.end;
  for (;;) {
    at = reader.source.skipBlanks(at);
    if (at >= end) break;
    const tag = reader.token(at);
    if (tag === undefined || !style.parameters.includes(tag.name)) {
      return { kind: "unreadable", at, expected: "a parameter's tag" };
    }
    const name = nameOf(tag);
    seen.add(name);
    const value = readText(reader, { name, tag, seen, end }, { tool, style });
    if ("kind" in value) return value;
    addValue(reader, values, { tool, name, tag, text: value.text });
    at = value.end;
  }
  const [only] = values.input;
  if (only === undefined || values.input.length > 1) return values;
  if (!ALL_ARGUMENTS.includes(only[0]) || reader.tools.hasParameter(tool, only[0])) return values;
  const all = decodeArguments(only[1]);
  return all === undefined ? values : { input: Object.entries(all), raw: [] };
}

/** The text of one parameter: up to the last closing tag before the next parameter, or before the element's end. */
function readText(
  reader: Reader,
  parameter: Parameter,
  { tool, style }: { tool: string; style: ElementStyle },
): { text: string; end: number } | Problem {
  const { tag, name } = parameter;
  const isLong = reader.tools.isLongText(tool, name);
  const bound = nextParameter(reader, parameter, { tool, style, isLong });
  const slice = reader.text.slice(tag.end, bound);
  reader.source.steps += slice.length;
  const closings = [...slice.matchAll(style.closing)];
  const last = closings.at(-1);
  const inside = last === undefined ? slice.replace(CUT_CLOSING, "") : slice.slice(0, last.index);
  const rest = last === undefined ? "" : slice.slice(last.index + last[0].length);
  if (isLong && rest.trim() !== "") {
    const expected = "the parameter's closing tag as the last thing in it";
    return { kind: "unreadable", at: bound, expected };
  }
  const text = CDATA.exec(inside)?.[1] ?? (style.isExact ? inside : withoutBlockBreaks(inside));
  return { text, end: bound };
}

/**
 * Where the next parameter opens. Inside a long text only the name of a parameter that the tool has and that was not
 * given yet opens one: anything else is a part of the text.
 */
function nextParameter(
  reader: Reader,
  { tag, seen, end }: Parameter,
  { tool, style, isLong }: { tool: string; style: ElementStyle; isLong: boolean },
): number {
  for (const token of reader.tokensFrom(tag.end)) {
    if (token.start >= end) break;
    if (!style.parameters.includes(token.name)) continue;
    const name = nameOf(token);
    if (!seen.has(name) && (!isLong || reader.tools.hasParameter(tool, name))) return token.start;
  }
  return end;
}

function addValue(
  reader: Reader,
  values: Values,
  { tool, name, tag, text }: { tool: string; name: string; tag: Token; text: string },
): void {
  const isJson = /\bstring\s*=\s*["']?false/.test(tag.rest);
  const isText = /\bstring\s*=\s*["']?true/.test(tag.rest);
  const value = isText ? text : isJson ? jsonValue(text) : reader.tools.typed(tool, name, text);
  values.input.push([name, value]);
  if (typeof value === "string") values.raw.push(name);
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}
