/** The lines that a search shows: each clipped around its match, with what stands before and after when asked. */
import { joinBytes } from "@/lib/bytes.ts";
import { clipAround, clipEnd } from "@/lib/clip.ts";
import { decode, type EncodingName, isUtf8 } from "@/lib/encoding.ts";
import { guessEncoding } from "@/lib/guess_encoding.ts";
import type { LineHit } from "@/workers/line_match.ts";
import { type Piece, pieces } from "@/workspace/search_pieces.ts";

/** What is shown of a line, in characters. */
const LINE_CHARS_MAX = 200;

/** How far context is looked for, in bytes. */
const CONTEXT_BYTES_MAX = 16 * 1024;

/** What is looked at to tell the encoding of a line that is not UTF-8, in bytes. */
const SAMPLE_BYTES_MAX = 32 * 1024;

const LF = 0x0a;

/** One line shown. `line` and `column` count from 1, the column in characters; context has no column. */
export type FoundRow = { line: number; column?: number; text: string; more: number };

/** The rows of hits, in order of lines. Empty for a file that has gone; a hit that it no longer has is left out. */
export async function rowsOf(
  path: string,
  hits: readonly LineHit[],
  contextLines: number,
): Promise<FoundRow[]> {
  const rows = new Map<number, FoundRow>();
  let left = [...hits];
  let before: Uint8Array = new Uint8Array(0);
  for await (const { piece, after } of withNext(pieces(path))) {
    const end = piece.start + piece.bytes.length;
    for (const hit of left.filter(({ start }) => start < end)) {
      for (const row of rowsAround(hit, { piece, before, after, contextLines })) {
        if (row.column !== undefined || !rows.has(row.line)) rows.set(row.line, row);
      }
    }
    left = left.filter(({ start }) => start >= end);
    if (left.length === 0) break;
    before = piece.bytes.slice(-CONTEXT_BYTES_MAX);
  }
  return [...rows.values()].sort((a, b) => a.line - b.line);
}

async function* withNext(
  all: AsyncIterable<Piece>,
): AsyncGenerator<{ piece: Piece; after: Uint8Array }> {
  let piece: Piece | undefined;
  for await (const next of all) {
    if (piece !== undefined) yield { piece, after: next.bytes.subarray(0, CONTEXT_BYTES_MAX) };
    piece = { bytes: next.bytes.slice(), start: next.start };
  }
  if (piece !== undefined) yield { piece, after: new Uint8Array(0) };
}

type Place = { piece: Piece; before: Uint8Array; after: Uint8Array; contextLines: number };

function rowsAround(hit: LineHit, { piece, before, after, contextLines }: Place): FoundRow[] {
  const { bytes, start } = piece;
  // A line of many megabytes may have begun in the piece before; then it is shown from where this one begins.
  const lineStart = Math.max(0, hit.lineStart - start);
  const newline = bytes.indexOf(LF, hit.start - start);
  const lineEnd = newline < 0 ? bytes.length : newline;
  const encoding = encodingOf(bytes, lineStart, lineEnd);
  const prefix = decode(bytes.subarray(lineStart, hit.start - start), encoding);
  const line = withoutReturn(decode(bytes.subarray(lineStart, lineEnd), encoding));
  const row: FoundRow = {
    line: hit.line + 1,
    column: [...prefix].length + 1,
    text: clipAround(line, prefix.length, LINE_CHARS_MAX).text,
    more: hit.more,
  };
  if (contextLines === 0) return [row];
  const above = joinBytes([before, bytes.subarray(0, lineStart)]).subarray(-CONTEXT_BYTES_MAX);
  const below = joinBytes([bytes.subarray(lineEnd + 1), after]).subarray(0, CONTEXT_BYTES_MAX);
  const linesAbove = lines(decode(above, encoding)).slice(-contextLines);
  const linesBelow = lines(decode(below, encoding)).slice(0, contextLines);
  const context = (text: string, number: number): FoundRow => ({
    line: number,
    text: clipEnd(text, LINE_CHARS_MAX),
    more: 0,
  });
  return [
    ...linesAbove.map((text, index) => context(text, row.line - linesAbove.length + index)),
    row,
    ...linesBelow.map((text, index) => context(text, row.line + 1 + index)),
  ];
}

/** Lines without their ends; nothing after the last end is no line. */
function lines(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n").map(withoutReturn);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** One line says little about its encoding; what surrounds it is asked too. */
function encodingOf(bytes: Uint8Array, lineStart: number, lineEnd: number): EncodingName {
  if (isUtf8(bytes.subarray(lineStart, lineEnd))) return "utf-8";
  const from = Math.max(0, lineStart - SAMPLE_BYTES_MAX / 2);
  return guessEncoding(bytes.subarray(from, lineEnd + SAMPLE_BYTES_MAX / 2)).encoding;
}
