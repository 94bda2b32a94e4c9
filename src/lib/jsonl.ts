/**
 * Files of one JSON value a line. Lines end at LF and nowhere else: U+2028 and U+0085 are text. What stands after the
 * last LF was cut while it was written (a kill, a full disk, a power failure): the torn tail.
 */
import { joinBytes } from "./bytes.ts";
import { parsedJson } from "./json.ts";

/** One line. `bytes` is only valid until the visitor returns. */
export type JsonlLine = {
  /** Where the line starts in the file, in bytes. */
  start: number;
  /** Its length without the LF, in bytes. */
  byteLength: number;
  /** The line without its LF and a file's byte order mark; undefined if it is longer than `lineBytesMax`. */
  bytes: Uint8Array | undefined;
  /** Whether an LF ends it. Only the last line of a file can lack it. */
  ended: boolean;
};

const LF = 0x0a;
const MARK = [0xef, 0xbb, 0xbf];
/** More than any message with its images; a longer line is damage, not data. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * Visits the lines of a file from where it stands to its end, in order, with memory bounded by the longest line. The
 * visitor stops the reading by returning false.
 */
export async function eachLine(
  file: Deno.FsFile,
  visit: (line: JsonlLine) => boolean | void,
  { lineBytesMax = LINE_BYTES_MAX }: { lineBytesMax?: number } = {},
): Promise<void> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  const partial = new PartialLine(lineBytesMax);
  let start = await file.seek(0, Deno.SeekMode.Current);
  for (;;) {
    const count = await file.read(chunk);
    if (count === null) break;
    let from = 0;
    for (;;) {
      const end = chunk.subarray(0, count).indexOf(LF, from);
      if (end === -1) break;
      const bytes = unmarked(partial.endWith(chunk.subarray(from, end)), start);
      const { byteLength } = partial;
      partial.clear();
      if (visit({ start, byteLength, bytes, ended: true }) === false) return;
      start += byteLength + 1;
      from = end + 1;
    }
    partial.add(chunk.subarray(from, count));
  }
  if (partial.byteLength === 0) return;
  const { byteLength } = partial;
  const bytes = unmarked(partial.endWith(new Uint8Array()), start);
  visit({ start, byteLength, bytes, ended: false });
}

/** Editors of other systems put a byte order mark before a file that was opened in them. */
function unmarked(bytes: Uint8Array | undefined, start: number): Uint8Array | undefined {
  const isMarked = start === 0 && bytes !== undefined &&
    MARK.every((byte, at) => bytes[at] === byte);
  return isMarked ? bytes.subarray(MARK.length) : bytes;
}

/** A line that is longer than one chunk, until its end is seen. */
class PartialLine {
  readonly #bytesMax: number;
  #pieces: Uint8Array[] = [];
  byteLength = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.byteLength += piece.length;
    // The chunk is used again, so what is kept is copied.
    if (this.byteLength <= this.#bytesMax) this.#pieces.push(piece.slice());
    else this.#pieces = [];
  }

  /** The whole line, without a copy when it lies in one chunk; undefined when it is too long. */
  endWith(piece: Uint8Array): Uint8Array | undefined {
    this.byteLength += piece.length;
    if (this.byteLength > this.#bytesMax) return undefined;
    if (this.#pieces.length === 0) return piece;
    return joinBytes([...this.#pieces, piece]);
  }

  clear(): void {
    this.#pieces = [];
    this.byteLength = 0;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The value of a line; undefined when it is not JSON. */
export function parseLine(bytes: Uint8Array): unknown {
  return parsedJson(decoder.decode(bytes));
}

/** A value as one line with its LF. JSON escapes every LF inside of texts. */
export function formatLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
