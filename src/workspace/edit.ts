/**
 * What an edit request means for a file: which lines become what, or why nothing is written. Pure; the order of the
 * readings is the contract. Anchors must be certain before they take over; otherwise the request is text.
 */
import { type LineSpan, locate, namedLines } from "./anchors.ts";
import { fingerprint, looksListed, parseRow, stripPrefixes } from "./hashline.ts";
import { type Refusal, refuse } from "./edit_refusal.ts";
import type { Replacement } from "./splice.ts";
import type { Span } from "./moved_lines.ts";
import type { Quote } from "./readings.ts";
import { splitLines } from "./text_file.ts";

export type EditRequest = {
  /** The path as the model spelled it, for the sentences. */
  path: string;
  /** Names the lines by anchors, or quotes them as text; blank when new_content is rows. */
  old: string;
  new: string;
  /** Replace every occurrence; in the text form only. */
  replaceAll?: boolean;
};

/** `rows`: new_content is anchored rows. `anchors`: old_content names lines. `text`: old_content quotes text. */
export type EditForm = "rows" | "anchors" | "text";

export type Planned = {
  kind: "planned";
  form: EditForm;
  /** In order, not overlapping, in the numbering of the file as it is. */
  replacements: readonly Replacement[];
  /** Lines named by anchors whose text was not quoted: they must be what the conversation was last shown. */
  trusted: readonly number[];
  /** Parts of lines that a text quotes, in the text form: the rest of each line must be what was last shown. */
  quotes?: readonly Quote[];
  /** Whether lines below have another number afterwards. */
  moved: boolean;
  /** How often the text occurred, in the text form. */
  occurrences?: number;
  /** Whether listing prefixes were taken out of new_content. */
  stripped?: true;
};

export type EditPlan = Planned | Refusal;

/** What the request means for a file of these lines. */
export function planEdit(texts: readonly string[], request: EditRequest): EditPlan {
  const rows = parseRows(request.new);
  if (rows !== undefined && !isTextAfterAll(texts, rows, request)) {
    return planRows(texts, rows, request);
  }
  if (request.old.trim() === "") {
    return refuse.nothingNamed(texts, request, hashlessRows(request.new));
  }
  const body = stripPrefixes(request.new, isAnchorOf(texts));
  const stripped = body === request.new ? {} : { stripped: true as const };
  const located = locate(request.old, texts);
  if (located.kind === "place") return { ...planPlace(texts, located.place, body), ...stripped };
  // What was read as anchors is text only if it stands in the file letter for letter.
  const wanted = located.kind === "complaint"
    ? [verbatim(request)]
    : [verbatim(request), stripPrefixes(verbatim(request), isAnchorOf(texts))];
  const planned = planText(texts, request, { wanted, body });
  if (planned !== undefined) return { ...planned, ...stripped };
  if (located.kind === "complaint") return refuse.complaint(texts, request, located.complaint);
  return refuse.textNotFound(texts, request, located.lines);
}

/** Whether an anchor is one of the file's own. */
export function isAnchorOf(
  texts: readonly string[],
): (anchor: { line: number; hash: string }) => boolean {
  return ({ line, hash }) => {
    const text = texts[line - 1];
    return text !== undefined && fingerprint(text) === hash;
  };
}

/** Whether a plan leaves the file as it is. */
export function isNoChange(texts: readonly string[], { replacements }: Planned): boolean {
  return replacements.every(({ from, to, lines }) =>
    lines.length === to - from + 1 && lines.every((line, index) => line === texts[from - 1 + index])
  );
}

/** The lines that a request names by anchors, in old_content or as rows of new_content. */
export function namedBy(request: EditRequest): readonly number[] {
  return namedLines(request.old) ?? parseRows(request.new)?.map(({ line }) => line) ?? [];
}

/** The lines of the file after the plan. */
export function applyPlan(texts: readonly string[], { replacements }: Planned): string[] {
  const result: string[] = [];
  let at = 0;
  for (const { from, to, lines } of replacements) {
    for (; at < from - 1; at += 1) result.push(texts[at] ?? "");
    for (const line of lines) result.push(line);
    at = to;
  }
  for (; at < texts.length; at += 1) result.push(texts[at] ?? "");
  return result.length === 0 ? [""] : result;
}

type AnchoredRow = NonNullable<ReturnType<typeof parseRow>>;

/** All rows of new_content, if every one is anchored; blank rows around them do not count. */
function parseRows(body: string): AnchoredRow[] | undefined {
  const written = body.replaceAll("\r\n", "\n").split("\n");
  while (written.length > 0 && written.at(-1)?.trim() === "") written.pop();
  while (written.length > 0 && written[0]?.trim() === "") written.shift();
  const rows = written.map(parseRow).filter((row) => row !== undefined);
  return rows.length === 0 || rows.length < written.length ? undefined : rows;
}

/**
 * Content that only looks like rows (`8:00|open`): no anchor of it is the file's, and old_content stands in the file, or
 * names other lines than what no listing prints.
 */
function isTextAfterAll(
  texts: readonly string[],
  rows: readonly AnchoredRow[],
  request: EditRequest,
): boolean {
  if (request.old.trim() === "" || rows.some(isAnchorOf(texts))) return false;
  if (texts.join("\n").includes(verbatim(request))) return true;
  const named = namedLines(request.old);
  return named !== undefined && !looksListed(rows) &&
    !sameLines(named, rows.map(({ line }) => line));
}

function verbatim({ old }: EditRequest): string {
  return old.replaceAll("\r\n", "\n");
}

/** Line numbers and texts of rows without a hash (`3|    pass`), if every row is one. */
function hashlessRows(body: string): number[] {
  const written = body.split(/\r?\n/).filter((line) => line.trim() !== "");
  const numbers = written.map((line) => /^\s*(\d{1,9})\s*\|/.exec(line)?.[1]);
  return numbers.every((number) => number !== undefined) ? numbers.map(Number) : [];
}

function planRows(
  texts: readonly string[],
  rows: readonly AnchoredRow[],
  request: EditRequest,
): EditPlan {
  const lines = rows.map(({ line }) => line);
  if (request.old.trim() !== "") {
    const named = namedLines(request.old);
    if (named === undefined || !sameLines(named, lines)) {
      return refuse.oldNewDisagree(request, { named, lines });
    }
  }
  const seen = new Set<number>();
  for (const { line } of rows) {
    if (seen.has(line)) return refuse.namedTwice(request, line);
    if (line < 1 || line > texts.length) return refuse.noSuchLine(texts, request, line);
    seen.add(line);
  }
  const wrong = rows.filter((row) => !isAnchorOf(texts)(row));
  if (wrong.length > 0) return refuse.anchorMismatch(texts, request, wrong);
  const replacements = rows
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text }) => withFinalNewline(texts, { from: line, to: line, lines: [text] }));
  return { kind: "planned", form: "rows", replacements, trusted: lines, moved: false };
}

function sameLines(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && [...left].every((line) => right.has(line));
}

function planPlace(
  texts: readonly string[],
  { from, to, quoted }: LineSpan,
  body: string,
): Planned {
  const lines = body === "" ? [] : splitLines(body);
  const trusted: number[] = [];
  for (let line = from; line <= to; line += 1) if (!quoted.includes(line)) trusted.push(line);
  return {
    kind: "planned",
    form: "anchors",
    replacements: [withFinalNewline(texts, { from, to, lines })],
    trusted,
    moved: lines.length !== to - from + 1,
  };
}

/** The text form; undefined when the text does not occur. */
function planText(
  texts: readonly string[],
  request: EditRequest,
  { wanted, body }: { wanted: readonly string[]; body: string },
): EditPlan | undefined {
  const joined = texts.join("\n");
  const sought = wanted.find((text) => text !== "" && joined.includes(text));
  if (sought === undefined) return undefined;
  const starts: number[] = [];
  for (let at = joined.indexOf(sought); at >= 0; at = joined.indexOf(sought, at + sought.length)) {
    starts.push(at);
  }
  const occurrences = starts.map((start) => ({ start, end: start + sought.length }));
  const lineOf = lineFinder(texts);
  if (occurrences.length > 1 && request.replaceAll !== true) {
    const places = occurrences.map(({ start, end }) => ({ from: lineOf(start), to: lineOf(end) }));
    return refuse.textAmbiguous(texts, request, places);
  }
  const text = splitLines(body).join("\n");
  const doubled = doublesIndentation(texts, { sought, text, line: lineOf(starts[0] ?? 0) });
  if (doubled !== undefined) return refuse.indentationDoubled(texts, request, doubled);
  for (const { end } of occurrences) {
    const next = lineOf(end);
    if (joinsNext(text, sought, texts[next - 1] ?? "")) {
      return refuse.joinsNext(texts, request, next);
    }
  }
  const replacements = textReplacements(joined, { occurrences, text, lineOf, texts });
  const moved = replacements.some(({ from, to, lines }) => lines.length !== to - from + 1);
  return {
    kind: "planned",
    form: "text",
    replacements: replacements.map((replacement) => withFinalNewline(texts, replacement)),
    trusted: [],
    ...(occurrences.length > 1 ? {} : { quotes: quotesOf(texts, { sought, replacements }) }),
    moved,
    occurrences: occurrences.length,
  };
}

/**
 * The lines that a text names without their indentation, when what comes in their place would be indented twice: the new
 * text, or the line after what is deleted. Whether it is to be indented further cannot be told.
 */
function doublesIndentation(
  texts: readonly string[],
  { sought, text, line }: { sought: string; text: string; line: number },
): Span | undefined {
  const found = texts[line - 1] ?? "";
  const [indentation = ""] = /^[ \t]*/.exec(found) ?? [];
  const [first = "", ...rest] = sought.split("\n");
  const isBare = indentation !== "" && /^[^ \t]/.test(first) &&
    found.startsWith(indentation + first);
  const isDoubled = text === "" ? rest.at(-1) === "" : /^(?:[ \t]*\n)*[ \t]+\S/.test(text);
  return isBare && isDoubled ? { from: line, to: line + rest.length } : undefined;
}

/** Whether the line after what is replaced would be joined to the new text, because only the old one has a line end. */
function joinsNext(text: string, sought: string, next: string): boolean {
  return sought.endsWith("\n") && text !== "" && !text.endsWith("\n") && next !== "";
}

/** The lines of which the text quotes a part only: its first and its last. */
function quotesOf(
  texts: readonly string[],
  { sought, replacements }: { sought: string; replacements: readonly Replacement[] },
): Quote[] {
  const parts = sought.split("\n");
  const [{ from, to } = { from: 1, to: 1 }] = replacements;
  if (from === to) return sought === texts[from - 1] ? [] : [{ line: from, part: sought }];
  const [first = "", next = ""] = parts;
  const last = parts.at(-1) ?? "";
  const begins = first === "" ? { line: from, part: "", next } : { line: from, part: first };
  return [
    ...(first === texts[from - 1] ? [] : [begins]),
    ...(last === "" || last === texts[to - 1] ? [] : [{ line: to, part: last }]),
  ];
}

type Occurrence = { start: number; end: number };

/** Whole lines for what was found in them; occurrences that share a line make one replacement. */
function textReplacements(
  joined: string,
  { occurrences, text, lineOf, texts }: {
    occurrences: readonly Occurrence[];
    text: string;
    lineOf: (at: number) => number;
    texts: readonly string[];
  },
): Replacement[] {
  const groups: { from: number; to: number; parts: string[]; at: number }[] = [];
  for (const { start, end } of occurrences) {
    const [from, to] = [lineOf(start), lineOf(end)];
    let group = groups.at(-1);
    if (group === undefined || from > group.to) {
      const lineStart = start === 0 ? 0 : joined.lastIndexOf("\n", start - 1) + 1;
      group = { from, to, parts: [], at: lineStart };
      groups.push(group);
    }
    group.parts.push(joined.slice(group.at, start), text);
    group.to = to;
    group.at = end;
  }
  return groups.map(({ from, to, parts, at }) => {
    const lineEnd = to === texts.length ? joined.length : joined.indexOf("\n", at);
    const whole = parts.join("") + joined.slice(at, lineEnd);
    return { from, to, lines: whole.split("\n") };
  });
}

/** The line (from 1) in which an offset into the joined text lies. */
function lineFinder(texts: readonly string[]): (at: number) => number {
  const starts: number[] = [];
  let start = 0;
  for (const text of texts) {
    starts.push(start);
    start += text.length + 1;
  }
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/**
 * A file that ended in a newline still does. Only the empty last row, deleted by itself, takes the newline with it:
 * that is the one way to say so by anchors.
 */
function withFinalNewline(texts: readonly string[], replacement: Replacement): Replacement {
  const { from, to, lines } = replacement;
  const isAtEnd = to === texts.length && texts.length > 1 && texts.at(-1) === "";
  if (!isAtEnd || (from === to && lines.length === 0) || lines.at(-1) === "") return replacement;
  if (lines.length > 0) return { from, to, lines: [...lines, ""] };
  return { from, to: to - 1, lines };
}
