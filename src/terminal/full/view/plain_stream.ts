/** A text as it arrives, line by line, without any reading of it: reasoning, and replies where Markdown cannot be had. */
import { visible } from "@/lib/visible.ts";
import { expandTabs } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import type { Ink } from "../ink.ts";
import { PROSE_CELLS_MAX } from "../prose_width.ts";
import { shownLines } from "./shown.ts";

/** Of a line that does not end, so much is looked at. */
const PARTIAL_CHARS_MAX = 8_000;

export class PlainStream {
  readonly #ink: Ink;
  readonly #indent: string;
  readonly #lines: string[] = [];
  #partial = "";
  #blanks = 0;
  #hasGiven = false;
  #isEnded = false;

  constructor({ ink, indent }: { ink: Ink; indent: string }) {
    this.#ink = ink;
    this.#indent = indent;
  }

  push(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end === 0) this.#partial += text;
    else {
      this.#lines.push(...shownLines(this.#partial + text.slice(0, end)));
      this.#partial = text.slice(end);
    }
  }

  end(): void {
    if (this.#partial !== "") this.push("\n");
    this.#isEnded = true;
  }

  get isDone(): boolean {
    return this.#isEnded && this.#lines.length === 0;
  }

  /** Lines that became final since the last call; empty ones only between others. */
  take(width: number): string[] {
    const rows: string[] = [];
    for (const line of this.#lines.splice(0)) {
      if (line.trim() === "") {
        this.#blanks = Math.min(1, this.#blanks + 1);
        continue;
      }
      if (this.#blanks > 0 && this.#hasGiven) rows.push("");
      this.#blanks = 0;
      this.#hasGiven = true;
      rows.push(...this.#rows(line, width));
    }
    return rows;
  }

  tail(width: number): string[] {
    const partial = this.#partial.slice(-PARTIAL_CHARS_MAX).replace(
      /(?<![\ud800-\udbff\u200d\r])[\ud800-\udbff\u200d\r]+$/,
      "",
    );
    return partial.trim() === "" ? [] : this.#rows(visible(expandTabs(partial)), width);
  }

  get isInside(): boolean {
    return false;
  }

  #rows(line: string, width: number): string[] {
    const room = Math.max(8, Math.min(width, PROSE_CELLS_MAX) - this.#indent.length);
    return wrapText(line, room).map((row) => this.#ink(`${this.#indent}${row}`.trimEnd()));
  }
}
