/** Looking for a plain text in lines of bytes. */
import type { LineMatcher, PieceMatch } from "@/workers/line_match.ts";

/** Further matches of one line that are counted. */
const MORE_MAX = 999;

/** Compares bytes, so that text in any encoding that extends ASCII is found as far as its bytes are the same. */
export class LiteralMatcher implements LineMatcher {
  /** One character for one byte: a string is searched by the engine's own fast code, an array of bytes is not. */
  readonly #decoder = new TextDecoder("latin1");
  readonly #needle: string;

  constructor(text: string) {
    this.#needle = this.#decoder.decode(new TextEncoder().encode(text));
  }

  match(piece: Uint8Array<ArrayBuffer>, hitsMax: number): Promise<PieceMatch> {
    const text = this.#decoder.decode(piece);
    const found: PieceMatch = { matched: 0, newlines: 0, hits: [] };
    let counted = 0; // Where the count of line ends has got to.
    for (let at = text.indexOf(this.#needle); at >= 0;) {
      const lineStart = text.lastIndexOf("\n", at) + 1;
      const newline = text.indexOf("\n", at + this.#needle.length);
      const lineEnd = newline < 0 ? text.length : newline;
      found.matched += 1;
      if (found.hits.length < hitsMax) {
        found.newlines += countNewlines(text, counted, lineStart);
        counted = lineStart;
        const more = this.#countMore(text, at, lineEnd);
        found.hits.push({ line: found.newlines, lineStart, start: at, more });
      }
      at = text.indexOf(this.#needle, lineEnd + 1);
    }
    found.newlines += countNewlines(text, counted, text.length);
    return Promise.resolve(found);
  }

  #countMore(text: string, first: number, lineEnd: number): number {
    let more = 0;
    const step = this.#needle.length;
    for (let at = first + step; more < MORE_MAX; more += 1) {
      at = text.indexOf(this.#needle, at);
      if (at < 0 || at + step > lineEnd) break;
      at += step;
    }
    return more;
  }

  close(): void {
    // Nothing is held.
  }
}

function countNewlines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    lines += 1;
  }
  return lines;
}
