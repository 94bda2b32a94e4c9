/**
 * What a conversation was last shown of the lines of each file. A fingerprint has twelve bits and a span checks its ends
 * only; what was shown is compared with what is there. A fold over tool results: resuming replays them.
 */
import type { ToolResult } from "@/protocol/tool.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { fingerprint, parseRow, type Row } from "./hashline.ts";

/** Lines `from` to `to` became `count` lines. */
export type Shift = { from: number; to: number; count: number };

/**
 * What a line number stands for in the conversation: the text it was last shown with (moved along by our own edits),
 * and older texts that a number from an old listing may still mean.
 */
type Seen = { text?: string; doubts: readonly string[] };

const DOUBTS_MAX = 4;
const FILES_MAX = 1_000;

/** Keys of a result's meta by which `replay` follows a file. */
export const META_PATH = "path";
export const META_SHIFT = "shift";
export const META_WRITTEN = "written";
export const META_KNOWN = "known";

/** A part of a line that an edit quotes; of its line end alone the part is blank, and `next` what follows it. */
export type Quote = { line: number; part: string; next?: string };

/** One conversation's readings. Paths are real paths. */
export class Readings {
  readonly #files = new Map<string, Map<number, Seen>>();
  /** SHA-256 of each file as a whole, as the conversation last read or wrote it. */
  readonly #wholes = new Map<string, string>();

  /** Whether the conversation was shown anything of a file, or wrote it whole. */
  knows(path: string): boolean {
    return (this.#files.get(path)?.size ?? 0) > 0 || this.#wholes.has(path);
  }

  /** Rows that the model is being shown now, whole. */
  note(path: string, rows: readonly Row[]): void {
    const seen = this.#fileFor(path);
    for (const { line, text } of rows) seen.set(line, { text, doubts: [] });
  }

  /**
   * The bytes of a file that the model is being shown. A part of a file that is not the one it knows says nothing of the
   * rest: what it knows stays the old one.
   */
  noteWhole(path: string, bytes: Uint8Array, { isPart = false } = {}): void {
    const sha = sha256Hex(bytes);
    const known = this.#wholes.get(path);
    if (!isPart || known === undefined) this.#setWhole(path, sha);
  }

  /** Our own change of a file: what was known stays known, and what was foreign in it stays foreign. */
  carryWhole(path: string, before: Uint8Array, after: Uint8Array): void {
    if (this.#wholes.get(path) === sha256Hex(before)) this.#setWhole(path, sha256Hex(after));
  }

  /** Whether a file is another than the conversation last read or wrote. One that it never did is not. */
  isForeign(path: string, bytes: Uint8Array): boolean {
    const known = this.#wholes.get(path);
    return known !== undefined && known !== sha256Hex(bytes);
  }

  /** What a result's meta says, so that `replay` knows the file as it was known then. */
  metaOf(path: string): Record<string, string> {
    const known = this.#wholes.get(path);
    return { [META_PATH]: path, ...(known === undefined ? {} : { [META_KNOWN]: known }) };
  }

  /**
   * Those of the quotes whose line reads otherwise than when the conversation was shown it. A quote is only one of a
   * part that occurs once: if it was shown in another line, that line has changed around it.
   */
  changedAround(path: string, quotes: readonly Quote[], texts: readonly string[]): number[] {
    const seen = this.#files.get(path);
    if (seen === undefined) return [];
    const shown = [...seen.values()].flatMap(({ text }) => text === undefined ? [] : [text]);
    return quotes.filter(({ line, part, next }) => {
      const before = part === ""
        ? [...seen].flatMap(([at, { text }]) =>
          text !== undefined && seen.get(at + 1)?.text === next ? [text] : []
        )
        : shown.filter((text) => text.includes(part));
      const known = part === "" ? before : shown;
      return before.length > 0 && !known.includes(texts[line - 1] ?? "");
    }).map(({ line }) => line);
  }

  /** The lines of a file as they were last shown, by their numbers. */
  shownOf(path: string): ReadonlyMap<number, string> {
    const seen = this.#files.get(path) ?? new Map<number, Seen>();
    return new Map(
      [...seen].flatMap(([line, { text }]) => text === undefined ? [] : [[line, text]]),
    );
  }

  /** Lines were shown in part only: what was known of them is void. */
  unnote(path: string, lines: readonly number[]): void {
    const seen = this.#files.get(path);
    for (const line of lines) seen?.delete(line);
  }

  /** Our own edit: what stands below moves with its text, and old numbers become doubtful. */
  shift(path: string, shifts: readonly Shift[]): void {
    const seen = this.#files.get(path);
    if (seen === undefined) return;
    const moved = new Map<number, Seen>();
    for (const [line, { text, doubts }] of seen) {
      const to = movedLine(line, shifts);
      if (to !== undefined && text !== undefined) {
        moved.set(to, { text, doubts: [...(moved.get(to)?.doubts ?? [])] });
      }
      if (to === line) continue;
      const old = [...(text === undefined ? [] : [text]), ...doubts].slice(0, DOUBTS_MAX);
      doubt(moved, line, old);
    }
    for (const [line, { doubts }] of seen) {
      if (movedLine(line, shifts) === line) doubt(moved, line, doubts);
    }
    this.#files.set(path, moved);
  }

  /** The file was written whole, or is gone: nothing that was shown of it counts. */
  forget(path: string): void {
    this.#files.delete(path);
    this.#wholes.delete(path);
  }

  /** Those of the lines that are not what the conversation was last shown. A line never shown is not among them. */
  stale(path: string, lines: readonly number[], texts: readonly string[]): number[] {
    const seen = this.#files.get(path);
    if (seen === undefined) return [];
    return lines.filter((line) => {
      const known = seen.get(line);
      const actual = texts[line - 1] ?? "";
      if (known === undefined || known.text === actual && known.doubts.length === 0) return false;
      if (known.text !== undefined && known.text !== actual) return true;
      // An old number with the same fingerprint: which line is meant cannot be told.
      const hash = fingerprint(actual);
      return known.doubts.some((text) => text !== actual && fingerprint(text) === hash);
    });
  }

  /** Take up what a past result showed. Results come in the order in which they were given. */
  replay(results: Iterable<Pick<ToolResult, "text" | "meta">>): void {
    for (const { text, meta } of results) {
      const path = meta?.[META_PATH];
      if (typeof path !== "string") continue;
      if (meta?.[META_WRITTEN] === true) this.forget(path);
      const shifts = meta?.[META_SHIFT];
      if (typeof shifts === "string") this.shift(path, parseShifts(shifts));
      this.note(path, rowsIn(text));
      const known = meta?.[META_KNOWN];
      if (typeof known === "string") this.#setWhole(path, known);
    }
  }

  #setWhole(path: string, sha: string): void {
    this.#wholes.delete(path);
    this.#wholes.set(path, sha);
    const [oldest] = this.#wholes.keys();
    if (this.#wholes.size > FILES_MAX && oldest !== undefined) this.#wholes.delete(oldest);
  }

  #fileFor(path: string): Map<number, Seen> {
    const seen = this.#files.get(path) ?? new Map<number, Seen>();
    // The file used last is last, so that the one dropped is the one not touched for longest.
    this.#files.delete(path);
    this.#files.set(path, seen);
    const [oldest] = this.#files.keys();
    if (this.#files.size > FILES_MAX && oldest !== undefined) this.#files.delete(oldest);
    return seen;
  }
}

/** Shifts as they stand in a result's meta: `6-9>2,12-12>3`. */
export function printShifts(shifts: readonly Shift[]): string {
  return shifts.map(({ from, to, count }) => `${from}-${to}>${count}`).join(",");
}

function parseShifts(printed: string): Shift[] {
  return [...printed.matchAll(/(\d+)-(\d+)>(\d+)/g)].map(([, from, to, count]) => ({
    from: Number(from),
    to: Number(to),
    count: Number(count),
  }));
}

/** The rows of a listing or an echo in a result. A row that was cut has no fingerprint and is none. */
function rowsIn(text: string): Row[] {
  return text.split("\n").flatMap((line) => {
    const row = parseRow(line.startsWith("  ") ? line.slice(2) : line);
    return row !== undefined && row.hash === fingerprint(row.text) ? [row] : [];
  });
}

/** Where a line stands after an edit; undefined if the edit replaced it. */
function movedLine(line: number, shifts: readonly Shift[]): number | undefined {
  let by = 0;
  for (const { from, to, count } of shifts) {
    if (line >= from && line <= to) return undefined;
    if (line > to) by += count - (to - from + 1);
  }
  return line + by;
}

function doubt(seen: Map<number, Seen>, line: number, texts: readonly string[]): void {
  const known = seen.get(line) ?? { doubts: [] };
  const doubts = [...new Set([...known.doubts, ...texts])].filter((text) => text !== known.text);
  seen.set(line, { ...known, doubts: doubts.slice(0, DOUBTS_MAX) });
}
