/** A file as read_file shows it: whole when that is short, otherwise a slice with the way to read on. */
import { closing } from "@/lib/closing.ts";
import { spokenSize } from "@/lib/size.ts";
import { decode, spokenName } from "@/lib/encoding.ts";
import { binaryKind } from "@/lib/file_kind.ts";
import { guessEncoding } from "@/lib/guess_encoding.ts";
import { cutRow, listing, type Row, row } from "./hashline.ts";
import { LineScanner } from "./line_scanner.ts";
import { load, type Loaded } from "./loaded.ts";
import { openReal } from "./open_real.ts";
import { lineCount, type TextFile } from "./text_file.ts";

export type ViewBounds = {
  /** A file whose listing has no more characters than this is shown whole. */
  wholeCharsMax: number;
  /** The most that is shown of any other file, in bytes of UTF-8, the closing line included. */
  sliceBytesMax: number;
};

export const VIEW_BOUNDS: ViewBounds = { wholeCharsMax: 24_000, sliceBytesMax: 7_900 };

/** The bounds by the person's settings: with `RETURN_ALL_FILE_CONTENT` off, only short files are shown whole. */
export function viewBoundsOf(settings: {
  RETURN_ALL_FILE_CONTENT: boolean;
  FILE_MAX_DISPLAY_LENGTH: number;
}): ViewBounds {
  if (settings.RETURN_ALL_FILE_CONTENT) return VIEW_BOUNDS;
  return { ...VIEW_BOUNDS, wholeCharsMax: settings.FILE_MAX_DISPLAY_LENGTH };
}

/** Lines counted from 1, both included. */
export type LineRange = { start?: number | undefined; end?: number | undefined };

export type Viewed =
  | {
    kind: "rows";
    /** The rows, and a closing line in brackets where there is something to say. */
    text: string;
    /** The rows that were shown whole. */
    shown: readonly Row[];
    from: number;
    to: number;
    /**
     * Lines in all, as people count them: a row behind them, which the last newline makes, is empty and none of them.
     * Undefined when counting them was given up.
     */
    lines: number | undefined;
    clipped: boolean;
    /** The whole file, where it was held. */
    bytes?: Uint8Array;
  }
  | { kind: "beyond"; lines: number }
  | Exclude<Loaded, { kind: "text" }>;

/** Larger files are read as a stream and never held. */
const STREAM_FROM_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Lines behind the slice are only counted, and no further than this. */
const COUNT_BYTES_MAX = 1024 * 1024 * 1024;
/** In a slice, a line with more characters is cut to a third of them. */
const ROW_CHARS_MAX = 1_500;
const CUT_CHARS = 500;
const CLOSING_BYTES_MAX = 700;

/** Show a file or a range of its lines. Rejects with the signal's reason when it is aborted. */
export async function viewFile(
  path: string,
  range: LineRange,
  { bounds = VIEW_BOUNDS, signal }: { bounds?: ViewBounds; signal?: AbortSignal } = {},
): Promise<Viewed> {
  const loaded = await load(path, STREAM_FROM_BYTES);
  if (loaded.kind === "text") {
    const viewed = viewLoaded(loaded.file, range, bounds);
    return viewed.kind === "rows" ? { ...viewed, bytes: loaded.file.bytes } : viewed;
  }
  if (loaded.kind !== "large") return loaded;
  const options = { bounds, size: loaded.size, signal };
  return await closing(openReal(path).file, (file) => viewStream(file, range, options));
}

/** The view of a text that is in memory. */
function viewLoaded(file: TextFile, range: LineRange, bounds = VIEW_BOUNDS): Viewed {
  const { texts } = file;
  const lines = lineCount(file);
  const from = range.start ?? 1;
  const to = Math.min(range.end ?? texts.length, texts.length);
  if (from > texts.length) return { kind: "beyond", lines };
  const notes = encodingNotes(file);
  if (listingChars(texts) <= bounds.wholeCharsMax) {
    const rows = texts.slice(from - 1, to).map((text, index): Row => ({
      line: from + index,
      text,
    }));
    const shown = { from, to: lastLine({ from, to, lines }), lines };
    if (from > 1 || to < lines) notes.unshift(placeOf(shown));
    return {
      kind: "rows",
      text: withNotes(listing(rows.map(({ text }) => text), from), notes),
      shown: rows,
      ...shown,
      clipped: false,
    };
  }
  const slice = new Slice(bounds);
  let line = from;
  while (line <= to && slice.add({ line, text: texts[line - 1] ?? "" })) line += 1;
  return slice.view({ from, to: lastLine({ from, to, lines }), lines, notes });
}

function listingChars(texts: readonly string[]): number {
  return texts.reduce((sum, text, index) => sum + String(index + 1).length + 6 + text.length, -1);
}

async function viewStream(
  file: Deno.FsFile,
  range: LineRange,
  { bounds, size, signal }: { bounds: ViewBounds; size: number; signal: AbortSignal | undefined },
): Promise<Viewed> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let length = await fill(file, buffer);
  const head = buffer.subarray(0, length);
  const what = binaryKind(head);
  if (what !== undefined) return { kind: "binary", what, size, bytes: head, mode: 0 };
  // A character cut in two at the end of the head says nothing about the encoding.
  const guess = guessEncoding(head.subarray(0, head.lastIndexOf(0x0a) + 1 || head.length - 8));
  const { encoding, markBytes } = guess;
  const from = range.start ?? 1;
  const to = range.end ?? Infinity;
  const slice = new Slice(bounds);
  const scanner = new LineScanner({
    encoding,
    from,
    headBytesMax: ROW_CHARS_MAX * 6,
    onLine: ({ line, head: bytes, bytes: all }) => {
      if (line > to) return false;
      const text = decode(bytes, encoding);
      const isCut = bytes.length < all;
      return slice.add({ line, text: isCut ? text.replace(/\ufffd$/, "") : text }, isCut ? all : 0);
    },
  });
  let read = 0;
  for (let at = markBytes; length > 0; at = 0) {
    signal?.throwIfAborted();
    scanner.push(buffer.subarray(at, length));
    read += length;
    if (read >= COUNT_BYTES_MAX) break;
    length = await fill(file, buffer);
  }
  scanner.end();
  const isCounted = length === 0;
  const lines = scanner.lineCount;
  if (isCounted && from > scanner.lines) return { kind: "beyond", lines };
  const notes = encodingNotes(guess);
  return slice.view({
    from,
    to: lastLine({ from, to, lines }),
    lines: isCounted ? lines : undefined,
    notes,
  });
}

/** Fills the buffer as far as the file goes; a short read in the middle would split UTF-16 units. */
async function fill(file: Deno.FsFile, buffer: Uint8Array): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const read = await file.read(buffer.subarray(length));
    if (read === null) break;
    length += read;
  }
  return length;
}

/** Rows up to a size. Long lines are cut, and cut rows carry no anchor. */
class Slice {
  readonly #bytesMax: number;
  readonly #rows: string[] = [];
  readonly #shown: Row[] = [];
  readonly #cut: number[] = [];
  #bytes = 0;
  #next: number | undefined;

  constructor({ wholeCharsMax, sliceBytesMax }: ViewBounds) {
    const closing = Math.min(CLOSING_BYTES_MAX, sliceBytesMax / 2);
    this.#bytesMax = Math.min(wholeCharsMax, sliceBytesMax - closing);
  }

  /** Take one more row; false when it no longer fits. `allBytes`: the line is longer than its text. */
  add(shown: Row, allBytes = 0): boolean {
    const isCut = allBytes > 0 || shown.text.length > ROW_CHARS_MAX;
    const charsMax = Math.min(CUT_CHARS, Math.floor(this.#bytesMax / 4));
    const of = allBytes > 0 ? spokenSize(allBytes) : `${shown.text.length} characters`;
    const text = isCut ? cutRow(shown, { charsMax, of }) : row(shown);
    const bytes = new TextEncoder().encode(text).length + 1;
    if (this.#rows.length > 0 && this.#bytes + bytes > this.#bytesMax) {
      this.#next = shown.line;
      return false;
    }
    this.#rows.push(text);
    this.#bytes += bytes;
    if (isCut) this.#cut.push(shown.line);
    else this.#shown.push(shown);
    return true;
  }

  view(
    { from, to, lines, notes }: {
      from: number;
      to: number;
      lines: number | undefined;
      notes: readonly string[];
    },
  ): Viewed {
    const last = this.#next === undefined ? to : this.#next - 1;
    const readOn = last < (lines ?? Infinity) ? `; read on with start=${last + 1}` : "";
    const cut = this.#cut.length === 0 ? [] : [
      `a cut row has no anchor: change it by quoting a part of it as old_content; search_in_file ` +
      `shows a line around a match`,
    ];
    const closing = [`${placeOf({ from, to: last, lines })}${readOn}`, ...cut, ...notes];
    return {
      kind: "rows",
      text: withNotes(this.#rows.join("\n"), closing),
      shown: this.#shown,
      from,
      to: last,
      lines,
      clipped: this.#next !== undefined || this.#cut.length > 0,
    };
  }
}

/** The last line of a range as it is told: the row behind all lines counts where it alone was asked for. */
function lastLine({ from, to, lines }: { from: number; to: number; lines: number }): number {
  return Math.max(from, Math.min(to, lines));
}

/** Which lines these are; the row behind them is named as what it is. */
function placeOf(
  { from, to, lines }: { from: number; to: number; lines: number | undefined },
): string {
  if (lines !== undefined && from > lines) return `row ${from} is empty, behind all ${lines} lines`;
  return `${spokenRange(from, to)}${lines === undefined ? "" : ` of ${lines}`}`;
}

/** Some lines as they are spoken of. */
export function spokenRange(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}

function withNotes(rows: string, notes: readonly string[]): string {
  return notes.length === 0 ? rows : `${rows}\n(${notes.join(")\n(")})`;
}

function encodingNotes(
  { encoding, sure, says }: Pick<TextFile, "encoding" | "sure" | "says">,
): string[] {
  if (!sure) {
    const is = says === undefined ? "not certain" : `"${says}", as the file says`;
    return [
      `the encoding is ${is}; shown as ${
        spokenName(encoding)
      }. Lines that are all ASCII can be edited, ` +
      `others cannot`,
    ];
  }
  return encoding === "utf-8" ? [] : [`encoding ${spokenName(encoding)}, kept by edits`];
}
