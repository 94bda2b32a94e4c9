/**
 * Exchanges lines of a text file in its bytes. Lines that stay keep their bytes, also where these do not decode, and
 * their own ending; of a changed line only the stretch between its common beginning and end is encoded anew.
 */
import { joinBytes } from "@/lib/bytes.ts";
import { byteOffsets } from "@/lib/byte_offsets.ts";
import { decode, decodeLine, encode } from "@/lib/encoding.ts";
import { endingOf, type LineEnding, prevailingEnding, type TextFile } from "./text_file.ts";

/** Lines `from` to `to` (counted from 1, both included) become `lines`; none deletes them. */
export type Replacement = { from: number; to: number; lines: readonly string[] };

/**
 * Why text cannot be written, and where (line and column of the file as it would be, counted from 1).
 * unencodable: the encoding has no bytes for the character. undecodable: U+FFFD stands for bytes that could not be
 * shown and would be lost. unsure: the encoding is not certain and this is not ASCII.
 */
export type Unwritable = {
  reason: "unencodable" | "undecodable" | "unsure";
  line: number;
  column: number;
  character: string;
};

export type Spliced =
  | { ok: true; bytes: Uint8Array<ArrayBuffer> }
  | { ok: false; problem: Unwritable };

/** The file with lines exchanged. Replacements are in order and do not overlap. `ending`: for all lines written. */
export function splice(
  file: TextFile,
  replacements: readonly Replacement[],
  { ending }: { ending?: LineEnding } = {},
): Spliced {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const replacement of replacements) {
    const region = regionOf(file, replacement);
    const written = replacement.lines.length === 0
      ? deletion(file, replacement)
      : writeLines(file, replacement, ending);
    if (!written.ok) return written;
    parts.push(file.bytes.subarray(at, region.start), written.bytes);
    at = region.end;
  }
  parts.push(file.bytes.subarray(at));
  return { ok: true, bytes: joinBytes(parts) };
}

/** The bytes that a replacement is about, the endings of its lines included. */
function regionOf(
  file: TextFile,
  { from, to, lines }: Replacement,
): { start: number; end: number } {
  const end = file.lines[to - 1]?.next ?? file.bytes.length;
  const isDeletionAtEnd = lines.length === 0 && to === file.lines.length && from > 1;
  // What stays must not gain a newline at its end: the one before the deleted lines goes with them.
  const start = isDeletionAtEnd ? file.lines[from - 2]?.end : file.lines[from - 1]?.start;
  return { start: start ?? file.markBytes, end };
}

function deletion(file: TextFile, { from, to }: Replacement): Spliced {
  const problem = file.sure ? undefined : firstNotAscii(file, from, to);
  if (problem !== undefined) return { ok: false, problem };
  // A lone CR before and an empty line after would join to one CRLF.
  const before = from > 1 ? endingOf(file, from - 1) : undefined;
  const bytes = before === "\r" && isLoneLf(file, to + 1)
    ? joinBytes([endingBytes(file, "\n")])
    : new Uint8Array();
  return { ok: true, bytes };
}

/** A lone CR and the LF of an empty line behind it would join to one CRLF. */
function unjoined(
  ending: LineEnding | undefined,
  { isAfterCr, isBeforeLf }: { isAfterCr: boolean; isBeforeLf: boolean },
): LineEnding | undefined {
  const own = isAfterCr && ending === "\n" ? "\r" : ending;
  return isBeforeLf && own === "\r" ? "\r\n" : own;
}

function isLoneLf(file: TextFile, line: number): boolean {
  return file.texts[line - 1] === "" && endingOf(file, line) === "\n";
}

function writeLines(
  file: TextFile,
  { from, to, lines }: Replacement,
  forced: LineEnding | undefined,
): Spliced {
  const old = file.texts.slice(from - 1, to);
  const sources = sourcesOf(old, lines);
  if (!file.sure) {
    const kept = new Set(sources.filter((source, index) => old[source] === lines[index]));
    for (let index = 0; index < old.length; index += 1) {
      const problem = kept.has(index) ? undefined : firstNotAscii(file, from + index, from + index);
      if (problem !== undefined) return { ok: false, problem };
    }
  }
  const parts: Uint8Array[] = [];
  let before = from > 1 ? endingOf(file, from - 1) : undefined;
  for (const [index, text] of lines.entries()) {
    const source = sources[index] ?? -1;
    const written = writeLine(file, from + source, text);
    if (!written.ok) return { ok: false, problem: { ...written.problem, line: from + index } };
    parts.push(written.bytes);
    const isLast = index === lines.length - 1;
    const own = source < 0 ? undefined : endingOf(file, from + source);
    const wanted = isLast && endingOf(file, to) === undefined
      ? undefined
      : forced ?? own ?? before ?? endingOf(file, from) ?? prevailingEnding(file) ?? "\n";
    const ending = unjoined(wanted, {
      isAfterCr: before === "\r" && text === "",
      isBeforeLf: isLast && isLoneLf(file, to + 1),
    });
    if (ending !== undefined) parts.push(endingBytes(file, ending));
    before = ending;
  }
  return { ok: true, bytes: joinBytes(parts) };
}

/**
 * For each new line the old line (index into `old`) whose bytes and ending it takes, or -1. Equal lines at both ends
 * belong together; between them equal numbers go pairwise, otherwise equal texts in order.
 */
function sourcesOf(old: readonly string[], lines: readonly string[]): number[] {
  const sources = lines.map(() => -1);
  let start = 0;
  while (start < old.length && start < lines.length && old[start] === lines[start]) {
    sources[start] = start;
    start += 1;
  }
  let oldEnd = old.length;
  let end = lines.length;
  while (oldEnd > start && end > start && old[oldEnd - 1] === lines[end - 1]) {
    oldEnd -= 1;
    end -= 1;
    sources[end] = oldEnd;
  }
  const isPairwise = oldEnd === end;
  let next = start;
  for (let index = start; index < end; index += 1) {
    const found = isPairwise ? index : old.indexOf(lines[index] ?? "", next);
    if (found < 0 || found >= oldEnd) continue;
    sources[index] = found;
    next = found + 1;
  }
  return sources;
}

/** The bytes of a line whose old text stands in line `source` (or in none). */
function writeLine(file: TextFile, source: number, text: string): Spliced {
  const { encoding } = file;
  const line = file.lines[source - 1];
  const old = file.texts[source - 1];
  if (line === undefined || old === undefined) return writeFresh(file, text);
  const bytes = file.bytes.subarray(line.start, line.end);
  if (old === text) return { ok: true, bytes: joinBytes([bytes]) };
  const offsets = byteOffsets(bytes, old, encoding);
  if (offsets === undefined) return writeFresh(file, text);
  const { head, tail } = commonEnds(old, text, offsets);
  const middle = writeFresh(file, text.slice(head, text.length - tail));
  if (!middle.ok) {
    const column = middle.problem.column + head;
    return { ok: false, problem: { ...middle.problem, column } };
  }
  const spliced = joinBytes([
    bytes.subarray(0, offsets[head]),
    middle.bytes,
    bytes.subarray(offsets[old.length - tail]),
  ]);
  // The last word: what was put together must read as asked.
  return decode(spliced, encoding) === text ? { ok: true, bytes: spliced } : writeFresh(file, text);
}

/** Lengths of the common beginning and end, cut back to where a character starts. */
function commonEnds(
  old: string,
  text: string,
  offsets: Int32Array,
): { head: number; tail: number } {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old[head] === text[head]) head += 1;
  while (head > 0 && offsets[head] === -1) head -= 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) {
    tail += 1;
  }
  while (tail > 0 && offsets[old.length - tail] === -1) tail -= 1;
  return { head, tail };
}

function writeFresh(file: TextFile, text: string): Spliced {
  const { encoding, sure } = file;
  if (!sure) {
    const at = text.search(/[^\x00-\x7f]/u);
    if (at >= 0) return unwritable("unsure", text, at);
  }
  const lost = text.indexOf("\ufffd");
  if (lost >= 0 && isDamaged(file)) return unwritable("undecodable", text, lost);
  const encoded = encode(text, encoding);
  if (!encoded.ok) return unwritable("unencodable", text, encoded.at);
  if (encoding === "windows-1252") {
    // 80-9F are letters in windows-1252 and nothing in Latin-1: only a file that has some is known to be the former.
    const at = encoded.bytes.findIndex((byte) => byte >= 0x80 && byte <= 0x9f);
    if (at >= 0 && !file.bytes.some((byte) => byte >= 0x80 && byte <= 0x9f)) {
      return unwritable("unencodable", text, at);
    }
  }
  if (decodeLine(encoded.bytes, encoding) !== text) return unwritable("unencodable", text, 0);
  return { ok: true, bytes: encoded.bytes };
}

function unwritable(reason: Unwritable["reason"], text: string, at: number): Spliced {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd);
  return { ok: false, problem: { reason, line: 1, column: at + 1, character } };
}

/** Whether some bytes of the file do not decode, so that U+FFFD in it may stand for them. */
function isDamaged({ texts, encoding, bytes }: TextFile): boolean {
  if (!texts.some((text) => text.includes("\ufffd"))) return false;
  const whole = encode(decode(bytes, encoding), encoding);
  return !whole.ok || whole.bytes.length !== bytes.length ||
    whole.bytes.some((byte, index) => byte !== bytes[index]);
}

function firstNotAscii(file: TextFile, from: number, to: number): Unwritable | undefined {
  for (let line = from; line <= to; line += 1) {
    const { start = 0, end = 0 } = file.lines[line - 1] ?? {};
    const at = file.bytes.subarray(start, end).findIndex((byte) => byte >= 0x80);
    if (at < 0) continue;
    const text = file.texts[line - 1] ?? "";
    const column = Math.max(0, text.search(/[^\x00-\x7f]/u));
    const character = String.fromCodePoint(text.codePointAt(column) ?? 0xfffd);
    return { reason: "unsure", line, column: column + 1, character };
  }
  return undefined;
}

function endingBytes(file: TextFile, ending: LineEnding): Uint8Array {
  const encoded = encode(ending, file.encoding);
  return encoded.ok ? encoded.bytes : new TextEncoder().encode(ending);
}
