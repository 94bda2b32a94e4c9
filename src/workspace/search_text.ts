/** What the model reads of a search: rows `path:line:column: text`, counts, and what was left out. */
import { spokenSize } from "@/lib/size.ts";
import { clipEnd } from "@/lib/clip.ts";
import { visibleName } from "@/lib/visible.ts";
import type { Counts } from "@/workspace/search_engine.ts";
import type { Hint } from "@/workspace/search_hints.ts";
import type { FileRows } from "@/workspace/search.ts";
import type { FoundRow } from "@/workspace/search_rows.ts";

/** A whole result, in bytes, and what of it rows may take; the rest is for the files that have no room. */
const RESULT_BYTES_MAX = 7_900;
const ROWS_BYTES_MAX = 6_600;

const QUERY_CHARS_MAX = 100;

/** Rows as far as there is room, then the other files with their counts. */
export function foundText(files: readonly FileRows[], counts: Counts): string {
  const lines = files.reduce((sum, file) => sum + file.total, 0);
  const head = `${count(lines, "line matches", "lines match")} in ${count(files.length, "file")}` +
    ` (${count(counts.searchedFiles, "file")} searched)`;
  const text = new Room(ROWS_BYTES_MAX);
  text.add(head);
  const unshown: FileRows[] = [];
  let isFull = false;
  for (const file of files) {
    const block = blockOf(file);
    // A file that has gone, or whose name no tool can say, has no rows; those after it have.
    if (block === undefined || isFull) unshown.push(file);
    else if (!text.add(block) && !text.addShort(file)) {
      unshown.push(file);
      isFull = true;
    }
  }
  text.max = RESULT_BYTES_MAX - 300;
  addUnshown(text, unshown);
  return [text.text, ...troubles(counts)].join("\n");
}

/** Why there is nothing, and what would find something. */
export function notFoundText(
  { query, isRegex }: { query: string; isRegex: boolean },
  counts: Counts,
  hints: readonly Hint[],
): string {
  const what = isRegex ? `the regular expression ${quoted(query)}` : quoted(query);
  const size = spokenSize(counts.searchedBytes);
  return [
    `No line matches ${what} (${count(counts.searchedFiles, "file")}, ${size} searched; ` +
    "hidden, ignored and binary files are left out)",
    ...hints.map(hintText),
    ...troubles(counts),
  ].join("\n");
}

/** A query as it is named in a sentence. */
export function quoted(query: string): string {
  return JSON.stringify(clipEnd(query, QUERY_CHARS_MAX));
}

function hintText({ kind, lines, files }: Hint): string {
  const found = `${count(lines, "line matches", "lines match")} in ${named(files)}`;
  switch (kind) {
    case "case":
      return `Without regard to case ${found} (is_regex with (?i) before the query)`;
    case "everything":
      return `In hidden and ignored files ${found} (read_file shows them)`;
    case "regex":
      return `Read as a regular expression ${found} (set is_regex)`;
    default:
      return kind satisfies never;
  }
}

function troubles({ unreadable, unsayable, incomplete }: Counts): string[] {
  return [
    ...(unreadable > 0 ? [`${count(unreadable, "file")} could not be read`] : []),
    ...(unsayable > 0
      ? [`${count(unsayable, "file or folder", "files or folders")} skipped: the name is not UTF-8`]
      : []),
    ...(incomplete === undefined ? [] : [`The search is not complete: ${incomplete}`]),
  ];
}

/** Undefined for a file that has no rows to show. */
function blockOf({ path: name, total, rows }: FileRows): string | undefined {
  if (rows.length === 0) return undefined;
  const path = visibleName(name);
  const shown = rows.filter(({ column }) => column !== undefined).length;
  const more = total - shown;
  return [
    ...rows.map((row) => rowText(path, row)),
    ...(more > 0 ? [`${path}: ${count(more, "more line matches", "more lines match")}`] : []),
  ].join("\n");
}

function rowText(path: string, { line, column, text, more }: FoundRow): string {
  if (column === undefined) return `${path}-${line}- ${text}`;
  const times = more > 0 ? ` [${more > 998 ? "999 or more" : more} more in this line]` : "";
  return `${path}:${line}:${column}: ${text}${times}`;
}

function addUnshown(text: Room, files: readonly FileRows[]): void {
  if (files.length === 0) return;
  const names = files.map(({ path, total }) => `${visibleName(path)} (${total})`);
  let shown = 0;
  let line = "Also in: ";
  for (const name of names) {
    const longer = `${line}${shown === 0 ? "" : ", "}${name}`;
    if (!text.fits(longer)) break;
    line = longer;
    shown += 1;
  }
  const left = names.length - shown;
  if (shown === 0) line = `Also in ${count(left, "more file")}`;
  else if (left > 0) line += ` and ${count(left, "more file")}`;
  text.force(`${line}. Search for something rarer to see the lines`);
}

/** Text that grows as long as there is room, in bytes. */
class Room {
  text = "";
  max: number;
  #bytes = 0;

  constructor(max: number) {
    this.max = max;
  }

  fits(block: string): boolean {
    return this.#bytes + byteLength(block) + 1 <= this.max;
  }

  add(block: string): boolean {
    const fits = this.fits(block);
    if (fits) this.force(block);
    return fits;
  }

  /** The first rows of a file that has too many for what is left. */
  addShort({ path, total, rows }: FileRows): boolean {
    for (let kept = rows.length - 1; kept > 0; kept -= 1) {
      const block = blockOf({ path, total, rows: rows.slice(0, kept) });
      if (block !== undefined && this.add(block)) return true;
    }
    return false;
  }

  force(block: string): void {
    this.text += this.text === "" ? block : `\n${block}`;
    this.#bytes += byteLength(block) + 1;
  }
}

function named(files: readonly string[]): string {
  const shown = files.slice(0, 3).map(visibleName).join(", ");
  return files.length > 3 ? `${shown} and ${count(files.length - 3, "more file")}` : shown;
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : several}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
