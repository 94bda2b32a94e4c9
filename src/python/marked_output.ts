/**
 * The output of snippets, which comes through one pipe: a mark stands where that of one ends. Whatever else is in it
 * (binary noise, other marks) is output.
 */

const BEGIN = 0x1e;
/** Digits of a snippet's number. */
const NUMBER_MAX = 12;

/** What was found, in order. */
export type OutputPiece = { kind: "bytes"; bytes: Uint8Array } | { kind: "end"; number: number };

/** Takes bytes however they are cut. `mark`: what the driver was told to write, ASCII. */
export class MarkedOutput {
  readonly #mark: Uint8Array;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(mark: string) {
    this.#mark = new TextEncoder().encode(`\x1e${mark}:`);
  }

  /** The pieces of what is known so far; bytes that may begin a mark wait for the next ones. */
  take(chunk: Uint8Array): OutputPiece[] {
    const bytes = joined(this.#rest, chunk);
    const pieces: OutputPiece[] = [];
    const give = (from: number, to: number) => {
      if (to > from) pieces.push({ kind: "bytes", bytes: bytes.slice(from, to) });
    };
    let from = 0;
    let at = bytes.indexOf(BEGIN);
    while (at >= 0) {
      const found = this.#markAt(bytes, at);
      if (found === "unsure") break;
      if (found === "none") {
        at = bytes.indexOf(BEGIN, at + 1);
        continue;
      }
      give(from, at);
      pieces.push({ kind: "end", number: found.number });
      from = found.end;
      at = bytes.indexOf(BEGIN, from);
    }
    const end = at < 0 ? bytes.length : at;
    give(from, end);
    this.#rest = bytes.slice(end);
    return pieces;
  }

  /** What was held back, when nothing more comes. */
  rest(): Uint8Array {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return rest;
  }

  #markAt(bytes: Uint8Array, at: number): { number: number; end: number } | "none" | "unsure" {
    for (const [index, byte] of this.#mark.entries()) {
      const seen = bytes[at + index];
      if (seen === undefined) return "unsure";
      if (seen !== byte) return "none";
    }
    let number = 0;
    const start = at + this.#mark.length;
    for (let index = start; index - start <= NUMBER_MAX; index += 1) {
      const byte = bytes[index];
      if (byte === undefined) return "unsure";
      if (byte === BEGIN && index > start) return { number, end: index + 1 };
      if (byte < 0x30 || byte > 0x39) return "none";
      number = number * 10 + byte - 0x30;
    }
    return "none";
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
