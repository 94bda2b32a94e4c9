/** Finds the lines of a stream of bytes and keeps the beginnings of those that are wanted. Memory does not grow with the file. */
import { joinBytes } from "@/lib/bytes.ts";
import type { EncodingName } from "@/lib/encoding.ts";

/** A line as it went by: the first bytes of it, and how many it has. */
export type ScannedLine = { line: number; head: Uint8Array; bytes: number };

export type LineScannerOptions = {
  encoding: EncodingName;
  /** The first line that is kept. */
  from: number;
  headBytesMax: number;
  /** Given each wanted line; false when no more are wanted. */
  onLine(line: ScannedLine): boolean;
};

/** Chunks go in by `push`; in UTF-16 each has an even number of bytes. `end` closes the last line. */
export class LineScanner {
  readonly #options: LineScannerOptions;
  #line = 1;
  #bytes = 0;
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #isAfterCr = false;
  #isDone = false;

  constructor(options: LineScannerOptions) {
    this.#options = options;
  }

  /** How many lines there were so far, the one being read included. */
  get lines(): number {
    return this.#line;
  }

  /** The same without the empty row behind the last newline: as people count them. */
  get lineCount(): number {
    return this.#line > 1 && this.#bytes === 0 ? this.#line - 1 : this.#line;
  }

  push(chunk: Uint8Array): void {
    const { encoding } = this.#options;
    const unit = encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;
    const high = encoding === "utf-16be" ? 0 : 1;
    let start = 0;
    for (let at = 0; at < chunk.length; at += unit) {
      const code = unit === 1 ? chunk[at] : chunk[at + high] === 0 ? chunk[at + 1 - high] : -1;
      const isSecondHalf = this.#isAfterCr && code === 0x0a;
      this.#isAfterCr = false;
      if (isSecondHalf) {
        start = at + unit;
        continue;
      }
      if (code !== 0x0a && code !== 0x0d) continue;
      this.#take(chunk.subarray(start, at));
      this.#endLine();
      this.#isAfterCr = code === 0x0d;
      start = at + unit;
    }
    this.#take(chunk.subarray(start));
  }

  end(): void {
    this.#report();
  }

  #take(part: Uint8Array): void {
    this.#bytes += part.length;
    const room = this.#options.headBytesMax - this.#headBytes;
    if (this.#isDone || this.#line < this.#options.from || room <= 0 || part.length === 0) return;
    const kept = part.slice(0, room);
    this.#head.push(kept);
    this.#headBytes += kept.length;
  }

  #endLine(): void {
    this.#report();
    this.#line += 1;
    this.#bytes = 0;
    this.#head = [];
    this.#headBytes = 0;
  }

  #report(): void {
    if (this.#isDone || this.#line < this.#options.from) return;
    const head = joinBytes(this.#head);
    this.#isDone = !this.#options.onLine({ line: this.#line, head, bytes: this.#bytes });
  }
}
