/**
 * The spellings by which old_content can name lines, and whether a reading of it describes the file. Each spelling
 * can only mean one thing; what fits none of them is text.
 */
import { fingerprint } from "./hashline.ts";

/** Lines `from` to `to`. `quoted` are those whose text was written out and agrees; their hash was not looked at. */
export type LineSpan = { from: number; to: number; quoted: readonly number[] };

/** Why a reading does not describe the file; `line` is the one to show, where there is one. */
export type Complaint =
  | { code: "backwards"; from: number; to: number }
  | { code: "no-such-line"; line: number }
  | { code: "not-contiguous"; from: Named; to: Named }
  | { code: "mismatch"; line: number; named: Named };

/** One line as old_content names it. A reading without a hash stands on its quote alone. */
export type Named = { line: number; hash?: string; quote?: string };

type Reading = { isHashless: boolean; lines: readonly Named[]; isSpan: boolean };

export type Located =
  | { kind: "place"; place: LineSpan }
  | { kind: "complaint"; complaint: Complaint }
  /** No reading, or only readings without a hash that do not describe the file; `lines` are what those named. */
  | { kind: "text"; lines: readonly number[] };

const ANCHOR = /^\s*(\d{1,9})\s*:\s*([0-9a-fA-F]{2,3})\s*(?:\|(.*))?$/s;
const SPAN = /^\s*(\d{1,9})\s*:\s*([0-9a-fA-F]{2,3})\s*-\s*(\d{1,9})\s*:\s*([0-9a-fA-F]{2,3})\s*$/;
const PIPED_SPAN =
  /^\s*(\d{1,9})\s*:\s*([0-9a-fA-F]{2,3})\s*(?:\|.*?)?-\s*(\d{1,9})\s*:\s*([0-9a-fA-F]{2,3})\s*(?:\|.*)?$/s;
const HASHLESS = /^\s*(\d{1,9})(?:\s*\||\s)(.*)$/s;

/** Where old_content points to. The first reading that describes the file wins. */
export function locate(old: string, texts: readonly string[]): Located {
  const readings = [strict(old), pipedSpan(old), hashless(old)].filter((each) =>
    each !== undefined
  );
  const results = readings.map((reading) => ({ reading, result: check(reading, texts) }));
  for (const { result } of results) {
    if (!("code" in result)) return { kind: "place", place: result };
  }
  for (const { reading, result } of results) {
    if (!reading.isHashless && "code" in result) return { kind: "complaint", complaint: result };
  }
  const named = readings[0]?.lines.map(({ line }) => line) ?? [];
  return { kind: "text", lines: named.filter((line) => line >= 1 && line <= texts.length) };
}

/** The lines that old_content names by anchors or by a plain span, whatever they hold; undefined if it names none. */
export function namedLines(old: string): readonly number[] | undefined {
  const reading = strict(old);
  if (reading === undefined) return undefined;
  const lines = reading.lines.map(({ line }) => line);
  const [from = 0, to = 0] = lines;
  if (!reading.isSpan) return lines;
  return to < from || to - from > 1_000_000
    ? lines
    : Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Anchors, one a row, or one span. */
function strict(old: string): Reading | undefined {
  const rows = filledRows(old);
  const span = rows.length === 1 ? spanOf(SPAN.exec(rows[0] ?? "")) : undefined;
  if (span !== undefined) return span;
  const lines: Named[] = [];
  for (const written of rows) {
    const [, line, hash, quote] = ANCHOR.exec(written) ?? [];
    if (line === undefined || hash === undefined) return undefined;
    // A listing prints a `|` after every anchor: with nothing behind it, nothing is quoted.
    const quoted = quote === undefined || quote === "" ? {} : { quote };
    lines.push({ line: Number(line), hash: hash.toLowerCase(), ...quoted });
  }
  return lines.length === 0 ? undefined : { isHashless: false, lines, isSpan: false };
}

/** A span with the `|` of a listing, or the text behind it, after one anchor or both. */
function pipedSpan(old: string): Reading | undefined {
  const rows = filledRows(old);
  return rows.length === 1 ? spanOf(PIPED_SPAN.exec(rows[0] ?? "")) : undefined;
}

function spanOf(match: RegExpExecArray | null): Reading | undefined {
  const [, from, fromHash, to, toHash] = match ?? [];
  if (!from || !fromHash || !to || !toHash) return undefined;
  const lines = [
    { line: Number(from), hash: fromHash.toLowerCase() },
    { line: Number(to), hash: toHash.toLowerCase() },
  ];
  return { isHashless: false, lines, isSpan: true };
}

/** Rows of a line number and the quoted line, every one of them. */
function hashless(old: string): Reading | undefined {
  const lines: Named[] = [];
  for (const written of filledRows(old)) {
    const [, line, quote] = HASHLESS.exec(written) ?? [];
    if (line === undefined || quote === undefined) return undefined;
    lines.push({ line: Number(line), quote });
  }
  return lines.length === 0 ? undefined : { isHashless: true, lines, isSpan: false };
}

function filledRows(old: string): string[] {
  return old.split(/\r?\n/).filter((written) => written.trim() !== "");
}

function check({ lines, isSpan }: Reading, texts: readonly string[]): LineSpan | Complaint {
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return { code: "no-such-line", line: 0 };
  if (last.line < first.line) return { code: "backwards", from: first.line, to: last.line };
  const outside = lines.find(({ line }) => line < 1 || line > texts.length);
  if (outside !== undefined) return { code: "no-such-line", line: outside.line };
  const isRun = lines.every(({ line }, index) => line === first.line + index);
  if (!isSpan && !isRun) return { code: "not-contiguous", from: first, to: last };
  for (const named of lines) {
    if (!agrees(named, texts[named.line - 1] ?? "")) {
      return { code: "mismatch", line: named.line, named };
    }
  }
  const quoted = lines.filter(({ quote }) => quote !== undefined).map(({ line }) => line);
  return { from: first.line, to: last.line, quoted };
}

/** A quote decides, in both directions; trailing blanks are not seen in it. Without one the hash must match. */
function agrees({ hash, quote }: Named, text: string): boolean {
  if (quote !== undefined) return quote.trimEnd() === text.trimEnd();
  return hash === fingerprint(text);
}
