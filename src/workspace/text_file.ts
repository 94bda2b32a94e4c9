/**
 * A text file as lines and as the bytes behind them. Nothing here ever encodes a line that stays: what is written
 * back is the bytes that were read, with the changed stretches exchanged (splice.ts).
 */
import { joinBytes } from "@/lib/bytes.ts";
import { decode, decodeLine, type EncodingName } from "@/lib/encoding.ts";
import { type EncodingGuess, guessEncoding } from "@/lib/guess_encoding.ts";

/** Byte offsets: where a line starts, where its terminator starts, and where the next line starts. */
export type Line = { start: number; end: number; next: number };

export type TextFile = {
  readonly bytes: Uint8Array;
  readonly encoding: EncodingName;
  /** Whether the encoding is certain enough to write text that is not ASCII. */
  readonly sure: boolean;
  /** What it calls its encoding itself, where that is none of ours. */
  readonly says?: string;
  /** Length of the byte order mark, which is in no line. */
  readonly markBytes: number;
  /** At least one; a file that ends in a newline has an empty last line. */
  readonly lines: readonly Line[];
  /** What the lines read, without terminators. Bytes that do not decode are U+FFFD. */
  readonly texts: readonly string[];
};

export type LineEnding = "\n" | "\r\n" | "\r";

/** Read bytes as text. The caller has made sure that they are not binary (lib/file_kind.ts). */
export function parseText(bytes: Uint8Array): TextFile {
  return parseTextAs(bytes, guessEncoding(bytes));
}

/** Read bytes as text in an encoding that is known. */
export function parseTextAs(
  bytes: Uint8Array,
  { markBytes, ...guess }: EncodingGuess,
): TextFile {
  const { encoding } = guess;
  const lines = linesOf(bytes, markBytes, encoding);
  const body = bytes.subarray(markBytes);
  // The last line decodes like any other, also when its last character is cut short.
  const text = encoding === "gb18030" ? decodeLine(body, encoding) : decode(body, encoding);
  const texts = splitLines(text);
  return { bytes, ...guess, markBytes, lines, texts };
}

/** The file's bytes, put together from its parts: the inverse of `parseText`. */
export function printText(file: TextFile): Uint8Array {
  const parts = [file.bytes.subarray(0, file.markBytes)];
  for (const { start, end, next } of file.lines) {
    parts.push(file.bytes.subarray(start, end), file.bytes.subarray(end, next));
  }
  return joinBytes(parts);
}

/** A text's lines: LF, CRLF and a lone CR each end one. */
export function splitLines(text: string): string[] {
  return text.includes("\r") ? text.split(/\r\n|\n|\r/) : text.split("\n");
}

/** Whether the file's last line is ended like the others. */
export function endsWithNewline(file: TextFile): boolean {
  const last = file.lines.at(-1);
  return file.lines.length > 1 && last !== undefined && last.start === last.next;
}

/** How many lines the file has as people count them: the empty row behind the last newline is none. */
export function lineCount(file: TextFile): number {
  return file.lines.length - (endsWithNewline(file) ? 1 : 0);
}

/** The line ending that most lines have (the first of those on a tie), or undefined if no line is ended. */
export function prevailingEnding(file: TextFile): LineEnding | undefined {
  const counts = new Map<LineEnding, number>();
  file.lines.forEach((_, index) => {
    const ending = endingOf(file, index + 1);
    if (ending !== undefined) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  });
  let best: LineEnding | undefined;
  for (const [ending, count] of counts) {
    if (best === undefined || count > (counts.get(best) ?? 0)) best = ending;
  }
  return best;
}

/** How a line (counted from 1) is ended, or undefined for the last one. */
export function endingOf(file: TextFile, line: number): LineEnding | undefined {
  const { end = 0, next = 0 } = file.lines[line - 1] ?? {};
  if (end === next) return undefined;
  const unit = unitBytes(file.encoding);
  if (next - end === 2 * unit) return "\r\n";
  const code = (file.bytes[end] ?? 0) || (file.bytes[end + 1] ?? 0);
  return code === 0x0d ? "\r" : "\n";
}

function unitBytes(encoding: EncodingName): 1 | 2 {
  return encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
}

/** In every encoding but UTF-16 the bytes 0A and 0D are line ends wherever they stand; trail bytes are above them. */
function linesOf(bytes: Uint8Array, from: number, encoding: EncodingName): Line[] {
  const unit = unitBytes(encoding);
  const codeAt = unit === 1
    ? (at: number) => bytes[at]
    : encoding === "utf-16le"
    ? (at: number) => at + 1 < bytes.length ? bytes[at + 1] === 0 ? bytes[at] : -1 : undefined
    : (at: number) => at + 1 < bytes.length ? bytes[at] === 0 ? bytes[at + 1] : -1 : undefined;
  const lines: Line[] = [];
  let start = from;
  for (let at = from; at < bytes.length; at += unit) {
    const code = codeAt(at);
    if (code !== 0x0a && code !== 0x0d) continue;
    const isPair = code === 0x0d && codeAt(at + unit) === 0x0a;
    const next = at + (isPair ? 2 : 1) * unit;
    lines.push({ start, end: at, next });
    start = next;
    at = next - unit;
  }
  lines.push({ start, end: bytes.length, next: bytes.length });
  return lines;
}
