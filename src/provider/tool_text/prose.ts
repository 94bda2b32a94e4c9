/**
 * Finds the next thing in a reply's text that is not plain text. The reader of whole replies and the filter of streamed
 * ones both go by it, so that what is shown and what is read never differ.
 */
import { type Fence, fenceAt } from "./fence.ts";
import type { Form } from "./grammar.ts";
import { type Header, headerAt, MESSAGE_END } from "./harmony.ts";
import { OWN_RESULT } from "./markers.ts";
import type { Reader, Token } from "./reader.ts";

export type Mark =
  /** Nothing more: the rest is text. */
  | { kind: "end"; at: number }
  /** What starts here cannot be told yet. Text up to `shown` stays text whatever it turns out to be. */
  | { kind: "more"; at: number; shown: number }
  /** A sample, shown as it is. */
  | { kind: "code"; at: number; end: number }
  | { kind: "fence"; at: number; end: number; fence: Fence }
  | { kind: "think"; at: number; end: number; closers: readonly string[] }
  | { kind: "unthink" | "result" | "noise"; at: number; end: number }
  | { kind: "header"; at: number; end: number; header: Header }
  /** The reply ends in a header. */
  | { kind: "cut_header"; at: number; end: number }
  | { kind: "envelope"; at: number; end: number; token: Token & { role: { kind: "open" } } }
  | { kind: "bare"; at: number; end: number; form: Form }
  /** A marker that never stands in prose, without a payload. */
  | { kind: "lost"; at: number; end: number };

export type ProseState = {
  inHarmony: boolean;
  /** Where the last run of backticks ends that nothing closes. */
  openCode?: number;
};

const NOISE_HEADERS =
  /<\|start_header_id\|>\s*\w*\s*<\|end_header_id\|>|<\|im_start\|>[ \t]*\w*\r?\n?|<\|from\|>\s*assistant\s*<\|recipient\|>\s*all\s*<\|content\|>/y;
const ARROW_TO_ALL = />>>[ \t]*all[ \t]*\r?\n/y;
const PARAGRAPH_OR_RUN = /`+|\n[ \t]*\r?\n/g;

/** The next mark at or after `from`. */
export function nextMark(reader: Reader, from: number, state: ProseState): Mark {
  const { text } = reader;
  const candidate = reader.grammar.candidates();
  candidate.lastIndex = from;
  for (let match = candidate.exec(text); match !== null; match = candidate.exec(text)) {
    const at = match.index;
    const mark = markAt(reader, at, { char: match[0].charAt(0), state });
    if (typeof mark !== "number") return mark;
    candidate.lastIndex = Math.max(mark, at + 1);
  }
  const tail = reader.isFinal ? text.length : reader.grammar.wordTail(text, from);
  return tail < text.length
    ? { kind: "more", at: tail, shown: tail }
    : { kind: "end", at: text.length };
}

/** The mark that starts at `at`, or the place up to which nothing does. */
function markAt(
  reader: Reader,
  at: number,
  { char, state }: { char: string; state: ProseState },
): Mark | number {
  switch (char) {
    case "`":
    case "~":
      return codeMark(reader, at, state);
    case ">":
      return arrowMark(reader, at);
    case "<":
    case "[":
      return tagMark(reader, at, state);
    default:
      return wordMark(reader, at);
  }
}

function codeMark(reader: Reader, at: number, state: ProseState): Mark | number {
  const fence = fenceAt(reader, at);
  if (fence === "more") return { kind: "more", at, shown: at };
  if (fence !== undefined) return { kind: "fence", at, end: fence.bodyStart, fence };
  const char = reader.text.charAt(at);
  let runEnd = at;
  while (reader.text.charAt(runEnd) === char) runEnd += 1;
  if (char === "~") return runEnd;
  if (runEnd === reader.text.length && !reader.isFinal) return { kind: "more", at, shown: at };
  const closing = inlineCodeEnd(reader, runEnd, runEnd - at);
  if (closing === "more") {
    return { kind: "more", at, shown: plainTo(reader, runEnd) };
  }
  if (closing !== undefined) return { kind: "code", at, end: closing };
  state.openCode = runEnd;
  return runEnd;
}

/** How far the text from `from` on is text, whatever comes. */
function plainTo(reader: Reader, from: number): number {
  const candidate = reader.grammar.candidates();
  candidate.lastIndex = from;
  return candidate.exec(reader.text)?.index ?? reader.grammar.wordTail(reader.text, from);
}

/** Where inline code ends that is opened by a run of backticks: at the next such run in the same paragraph. */
function inlineCodeEnd(reader: Reader, from: number, length: number): number | "more" | undefined {
  PARAGRAPH_OR_RUN.lastIndex = from;
  const { text } = reader;
  for (let m = PARAGRAPH_OR_RUN.exec(text); m !== null; m = PARAGRAPH_OR_RUN.exec(text)) {
    if (!m[0].startsWith("`")) return undefined;
    const end = m.index + m[0].length;
    if (end === text.length && !reader.isFinal) return "more";
    if (m[0].length === length) return end;
  }
  return reader.isFinal ? undefined : "more";
}

/** A line that starts with `>` is quoted; `>>>name` is Functionary's. */
function arrowMark(reader: Reader, at: number): Mark | number {
  const word = wordMark(reader, at);
  if (typeof word !== "number") return word;
  if (!reader.isFinal && reader.grammar.wordTail(reader.text, at) === at) {
    return { kind: "more", at, shown: at };
  }
  if (!reader.source.isLineStart(at)) return at + 1;
  ARROW_TO_ALL.lastIndex = at;
  if (ARROW_TO_ALL.test(reader.text)) return { kind: "noise", at, end: ARROW_TO_ALL.lastIndex };
  const end = reader.source.lineEnd(at);
  if (end < reader.text.length || reader.isFinal) return { kind: "code", at, end };
  return { kind: "more", at, shown: end };
}

function wordMark(reader: Reader, at: number): Mark | number {
  if (/\w/.test(reader.text.charAt(at)) && /\w/.test(reader.text.charAt(at - 1))) return at + 1;
  for (const form of reader.grammar.forms) {
    if (!form.words?.some((word) => reader.text.startsWith(word, at))) continue;
    const starts = (form.startsBare ?? form.starts)(reader, at);
    if (starts === true) return { kind: "bare", at, end: at, form };
    if (starts === "more") return { kind: "more", at, shown: at };
  }
  return at + 1;
}

function tagMark(reader: Reader, at: number, state: ProseState): Mark | number {
  if (reader.text.startsWith(OWN_RESULT, at) && reader.source.isLineStart(at)) {
    return { kind: "result", at, end: at + OWN_RESULT.length };
  }
  if (reader.text.charAt(at) === "[") {
    const word = wordMark(reader, at);
    if (typeof word !== "number") return word;
  }
  const token = reader.token(at);
  if (token === undefined) {
    const tail = reader.text.slice(at, at + OWN_RESULT.length);
    const mayCome = !reader.isFinal && at + tail.length === reader.text.length &&
      OWN_RESULT.startsWith(tail);
    if (mayCome || reader.mayBecomeTag(at) === "more") return { kind: "more", at, shown: at };
    return at + 1;
  }
  const { end, role } = token;
  switch (role.kind) {
    case "open":
      return envelopeMark(reader, { ...token, role });
    case "form":
      return formMark(reader, token, role.form);
    case "think":
      return { kind: "think", at, end, closers: role.closers };
    case "unthink":
    case "result":
      return { kind: role.kind, at, end };
    case "harmony":
      return harmonyMark(reader, token);
    case "noise":
      return noiseMark(reader, token);
    case "end":
      return endMark(reader, token, state);
    case "close":
    case "part":
      return end;
    default:
      return role satisfies never;
  }
}

/** R4: an opener counts only before a payload; a special token does not stand in prose at the start of a line. */
function envelopeMark(
  reader: Reader,
  token: Token & { role: { kind: "open" } },
): Mark | number {
  const { start: at, end } = token;
  const starts = reader.startsPayload(end);
  if (starts === true) return { kind: "envelope", at, end, token };
  if (starts === "more") return { kind: "more", at, shown: at };
  if (!reader.source.isLineStart(at) || token.role.wrapper.isWeak) return end;
  const isEnd = reader.isEndFrom(end);
  if (isEnd === "more") return { kind: "more", at, shown: at };
  if (isEnd) return { kind: "lost", at, end: reader.endOfReply };
  const isProse = /^[ \t]+[a-z]/i.test(reader.text.slice(end, end + 4));
  if (!token.name.startsWith("|") || isProse) return end;
  const next = reader.token(reader.source.skipBlanks(end));
  return next?.role.kind === "close" ? end : { kind: "lost", at, end };
}

function formMark(reader: Reader, { start: at, end, name }: Token, form: Form): Mark | number {
  const starts = (form.startsBare ?? form.starts)(reader, at);
  if (starts === true) return { kind: "bare", at, end, form };
  if (starts === "more") return { kind: "more", at, shown: at };
  return name === "|from|" ? noiseMark(reader, { start: at, end }) : end;
}

function harmonyMark(reader: Reader, { start: at, end, name }: Token): Mark | number {
  if (name !== "|start|" && name !== "|channel|") return end;
  const header = headerAt(reader, at);
  if (header === "more") return { kind: "more", at, shown: at };
  if (header === "cut") return { kind: "cut_header", at, end: reader.text.length };
  return header === undefined ? end : { kind: "header", at, end: header.end, header };
}

function noiseMark(reader: Reader, { start: at, end }: { start: number; end: number }): Mark {
  NOISE_HEADERS.lastIndex = at;
  if (NOISE_HEADERS.test(reader.text)) return { kind: "noise", at, end: NOISE_HEADERS.lastIndex };
  if (!reader.isFinal && reader.text.length - at < 80) return { kind: "more", at, shown: at };
  return { kind: "noise", at, end };
}

/** Tokens of the template are dropped at the very end, and between the messages of harmony. */
function endMark(
  reader: Reader,
  { start: at, end, name }: Token,
  state: ProseState,
): Mark | number {
  if (state.inHarmony && MESSAGE_END.includes(name)) return { kind: "noise", at, end };
  const isEnd = reader.isEndFrom(end);
  if (isEnd === "more") return { kind: "more", at, shown: at };
  return isEnd ? { kind: "noise", at, end: reader.text.length } : end;
}
