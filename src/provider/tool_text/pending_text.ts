/** The end of a stream that is not decided yet, of which a part may have been shown already. */
import type { KnownTools } from "./known_tools.ts";
import { readerOf } from "./read_calls.ts";
import type { Reader } from "./reader.ts";

export class PendingText {
  #text = "";
  #shown = 0;
  #isLineStart = true;

  get text(): string {
    return this.#text;
  }

  add(chunk: string): void {
    this.#text += chunk;
  }

  reader(tools: KnownTools): Reader {
    return readerOf(this.#text, tools, { isFinal: false, isLineStart: this.#isLineStart });
  }

  /** What of the text up to `to` was not shown yet; it counts as shown from now on. */
  show(to: number): string {
    const text = this.#text.slice(this.#shown, Math.max(to, this.#shown));
    this.#shown = Math.max(to, this.#shown);
    return text;
  }

  /** Takes off the text up to `to`, shown or not. */
  take(to: number): string {
    const taken = this.#text.slice(0, to);
    const line = taken.slice(taken.lastIndexOf("\n") + 1);
    this.#isLineStart = (taken.includes("\n") || this.#isLineStart) && line.trim() === "";
    this.#text = this.#text.slice(to);
    this.#shown = Math.max(0, this.#shown - to);
    return taken;
  }

  /** Puts text back in front that was taken off and not shown. `isLineStart`: whether it begins a line. */
  putBack(text: string, isLineStart: boolean): void {
    this.#text = text + this.#text;
    this.#isLineStart = isLineStart;
  }
}
