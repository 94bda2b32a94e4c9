/** What a running command prints. It may print without an end, so only the end of it is kept. */
import { plainText } from "@/lib/plain_text.ts";
import { shownLines } from "./shown.ts";

const KEPT_CHARS_MAX = 64_000;
/** What is looked at for the last few lines. */
const LOOKED_AT_CHARS = 8_000;

export class LiveOutput {
  #text = "";
  #isCut = false;

  push(chunk: string): void {
    this.#text += chunk;
    if (this.#text.length <= 2 * KEPT_CHARS_MAX) return;
    this.#text = this.#text.slice(-KEPT_CHARS_MAX);
    this.#isCut = true;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Whether the beginning is gone. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Everything that is kept, as it came. */
  get text(): string {
    return this.#text;
  }

  /** The last lines, as a terminal would show them. */
  last(count: number): string[] {
    if (count <= 0) return [];
    return printedLines(this.#text.slice(-LOOKED_AT_CHARS)).slice(-count);
  }
}

/** The lines of what a program printed: without its colours, overwritten lines settled, every hidden character visible. */
export function printedLines(text: string): string[] {
  return shownLines(plainText(text).replace(/(?<!\n)\n+$/, ""));
}
