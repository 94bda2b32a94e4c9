/** A writer that knows whether the cursor stands at the start of a line, whoever wrote last. */
import type { Writer } from "./output.ts";

/** Colour may end after the line did. */
const ENDS_LINE = /\n(?:\x1b\[[\d;]*m)*$/;

export class LineWriter {
  readonly #write: Writer;
  #isAtStart = true;
  /** Whether an open line is ended by what is written next. */
  #isBreakDue = false;

  constructor(write: Writer) {
    this.#write = write;
  }

  get isAtStart(): boolean {
    return this.#isAtStart;
  }

  write(text: string): void {
    if (text === "") return;
    if (this.#isBreakDue) {
      this.#isBreakDue = false;
      this.break();
    }
    this.#write(text);
    this.#isAtStart = ENDS_LINE.test(text);
  }

  /** End an open line. */
  break(): void {
    if (!this.#isAtStart && !this.#isBreakDue) this.write("\n");
  }

  /** What `write` writes begins on a line of its own. Whether it wrote anything; if not, an open line stays open. */
  below(write: () => void): boolean {
    this.#isBreakDue = true;
    write();
    const hasWritten = !this.#isBreakDue;
    this.#isBreakDue = false;
    return hasWritten;
  }

  /** The person ended the line: the terminal has shown it. */
  entered(): void {
    this.#isAtStart = true;
  }
}
