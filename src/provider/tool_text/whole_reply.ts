/**
 * Replies that are nothing but a call, without any marker (R9). Everything has to fit: every name is a tool's, every
 * object has its arguments under a key of their own, and nothing else stands in the reply. Else it is an answer.
 */
import { closesPayload, readItems } from "./envelope.ts";
import type { Envelope, FoundCall, Item, Problem } from "./grammar.ts";
import { foundCalls, readObject } from "./payload.ts";
import type { Reader } from "./reader.ts";

export type WholeReply =
  | { kind: "calls"; calls: readonly FoundCall[] }
  /** The start of a call of a known tool, of which the rest is missing or cannot be read. */
  | { kind: "problem"; problem: Problem; name: string }
  | { kind: "answer" };

const ANSWER: WholeReply = { kind: "answer" };
const HARMONY =
  /(?:assistant)?\s*commentary\s+to=\s*([\w.:-]+)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*(?:<\|message\|>)?\s*(?=\{)/y;
const CODE = /^<code>([\s\S]*)<\/code>$/;
/** The name as the first thing in the object, or behind its type. */
const FIRST_NAME =
  /^[[\s]*\{\s*(?:["']type["']\s*:\s*["']function["']\s*,\s*)?["'](?:name|tool_name|toolName|function_name|functionName|tool|function|recipient_name)["']\s*:\s*["']([^"']+)["']/;
const FIRST_KEY = /^[[\s]*\{\s*["']([^"']+)["']\s*:\s*\{/;
const ARGUMENTS = /["'](?:arguments|parameters|args|input)["']\s*:/;

/** Read a reply whose visible text, with the tokens that end it, is all that the reader has. */
export function readWholeReply(reader: Reader): WholeReply {
  const { source, text } = reader;
  const from = source.skipBlanks(0);
  const to = source.skipBlanksBack(text.length);
  // A heading and a call below it are text.
  if (to <= from || text.charAt(from) === "#") return ANSWER;
  if (mayBeWhole(reader) === false && mayBeHeader(reader) === false) return ANSWER;
  const items = readAll(reader, from, to);
  if (items === undefined) return ANSWER;
  const last = items.at(-1);
  if (last?.problem !== undefined) return problemOf(reader, last.problem, text.slice(from, to));
  const calls = items.flatMap((item) => item.calls);
  if (items.some(({ problem }) => problem !== undefined)) return ANSWER;
  if (calls.length === 0 || !calls.every(({ hasArguments }) => hasArguments)) return ANSWER;
  return { kind: "calls", calls };
}

/** The items, if they are all that there is. */
function readAll(reader: Reader, from: number, to: number): readonly Item[] | undefined {
  const envelope = wholeEnvelope(reader);
  HARMONY.lastIndex = from;
  const harmony = HARMONY.exec(reader.text);
  if (harmony !== null) {
    const item = messageOf(reader, harmony[1] ?? "", { at: HARMONY.lastIndex, envelope });
    return reader.source.skipBlanks(item.end) >= to ? [item] : undefined;
  }
  const inside = CODE.exec(reader.text.slice(from, to));
  const start = inside === null ? from : from + "<code>".length;
  const end = inside === null ? to : to - "</code>".length;
  const read = readItems(reader, start, envelope);
  const stop = afterClosers(reader, read.end);
  return (inside === null ? stop >= to : stop === end) ? read.items : undefined;
}

/** Closers whose opener is missing. */
function afterClosers(reader: Reader, from: number): number {
  let at = reader.source.skipBlanks(from);
  for (;;) {
    const token = reader.token(at);
    if (token?.role.kind !== "close" && token?.role.kind !== "end") return at;
    at = reader.source.skipBlanks(token.end);
  }
}

function messageOf(
  reader: Reader,
  name: string,
  { at, envelope }: { at: number; envelope: Envelope },
): Item {
  const read = readObject(reader, at, envelope);
  if ("kind" in read) return { end: read.end, calls: [], problem: { ...read, name } };
  const { input, end, isRepaired } = read;
  return foundCalls(reader, [{ name, input, hasArguments: true }], { at, end, isRepaired });
}

/** A token of the template at the end closes a payload as a closing marker does. */
function wholeEnvelope(reader: Reader): Envelope {
  const end = reader.endOfReply;
  const isClosed = end < reader.source.skipBlanksBack(reader.text.length);
  return {
    kind: "whole",
    closes: (at) => closesPayload(reader, at) && !reader.text.startsWith("```", at),
    region: () => ({ end, isClosed }),
  };
}

/**
 * What began as a call of a known tool and is cut is told to the model. What is whole and still unreadable is told only
 * of JSON with arguments: Python that is no literal call is code, and code is an answer.
 */
function problemOf(reader: Reader, problem: Problem, text: string): WholeReply {
  if (problem.kind !== "cut" && problem.kind !== "unreadable") return ANSWER;
  const isJson = /^[[\s]*[{｛]/.test(text);
  const written = isJson ? FIRST_NAME.exec(text)?.[1] ?? FIRST_KEY.exec(text)?.[1] : problem.name;
  const name = written === undefined ? undefined : reader.tools.resolve(written);
  if (name === undefined) return ANSWER;
  const isEnded = /[}\]]\s*$/.test(text);
  if (isJson && isEnded && !ARGUMENTS.test(text)) return ANSWER;
  if (!isJson && problem.kind !== "cut") return ANSWER;
  return { kind: "problem", problem, name };
}

/** The tool that a JSON text names before anything else, also where the text is cut or damaged. */
export function firstName(reader: Reader, text: string): string | undefined {
  const written = FIRST_NAME.exec(text)?.[1] ?? FIRST_KEY.exec(text)?.[1];
  return written === undefined ? undefined : reader.tools.resolve(written);
}

/** Words that may start a reply which is a call as a whole, or a header of harmony without its first token. */
const BRACES_MAX = 4;
const HEADER_WORDS = ["assistant", "analysis", "commentary", "final"];
/**
 * Whether a reply that starts with this text may still be a call as a whole: true when it looks like one, false when it
 * cannot be one any more, "more" when that cannot be told yet.
 */
export function mayBeWhole(reader: Reader): boolean | "more" {
  const { text, source } = reader;
  const at = source.skipBlanks(0);
  if (at >= text.length) return "more";
  const rest = text.slice(at);
  if ("<code>".startsWith(rest)) return "more";
  if (rest.startsWith("<code>")) return mayBeCall(reader, at + "<code>".length);
  const first = rest.charAt(0);
  if (first === "{" || first === "｛") return mayBeObject(reader, at);
  if (first !== "[" && first !== "［") return mayBeCall(reader, at);
  const inside = source.skipBlanks(at + 1);
  if (inside >= text.length) return "more";
  return "{｛".includes(text.charAt(inside)) || mayBeCall(reader, inside);
}

/** The same for a header of harmony whose first token is missing. */
export function mayBeHeader({ source, text }: Reader): boolean | "more" {
  const rest = text.slice(source.skipBlanks(0));
  if (rest === "") return "more";
  if (HEADER_WORDS.some((word) => word.startsWith(rest))) return "more";
  const word = HEADER_WORDS.find((other) => rest.startsWith(other));
  if (word === undefined) return false;
  const after = rest.slice(word.length);
  if (word === "analysis" && /^\S/.test(after) && !after.startsWith("<")) return true;
  if (/^\s*(?:commentary\s+)?to=/.test(after)) return true;
  return /^[^<\n]{0,100}(?:<[^<\n]{0,60})*$/.test(after) ? "more" : false;
}

/** A brace and the start of a key, also a damaged one. */
function mayBeObject(reader: Reader, at: number): boolean | "more" {
  const { text, source } = reader;
  let key = at;
  for (let braces = 0; "{｛".includes(text.charAt(key) || " "); braces += 1) {
    if (braces === BRACES_MAX) return false;
    key = source.skipBlanks(key + 1);
  }
  return key >= text.length ? "more" : /["'“„＂\\&\w$/#]/.test(text.charAt(key));
}

/** A known tool's name and something behind it that opens its arguments. */
function mayBeCall(reader: Reader, at: number): boolean | "more" {
  const head = /(?:print\s*\(\s*)?([A-Za-z_][\w.-]*)?/y;
  head.lastIndex = at;
  const name = head.exec(reader.text)?.[1] ?? "";
  const end = head.lastIndex;
  if (end >= reader.text.length) {
    const isPrefix = [
      "functions.",
      "default_api.",
      "function.",
      "tools.",
      "tool.",
      "api.",
      "print(",
    ]
      .some((word) => word.startsWith(name));
    return isPrefix || reader.tools.hasNameThatStarts(name) ? "more" : false;
  }
  if (reader.tools.resolve(name) === undefined) return false;
  const next = reader.source.skipBlanks(end);
  if (next >= reader.text.length) return "more";
  return "({｛[:".includes(reader.text.charAt(next));
}
