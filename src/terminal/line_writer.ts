/** A writer that knows whether the cursor stands at the start of a line, whoever wrote last. */
import type { Writer } from "./output.ts";

/** Colour may end after the line did. */
const ENDS_LINE = /\n(?:\x1b\[[\d;]*m)*$/;

export class LineWriter {
  readonly #write: Writer;
  #isAtStart = true;

  constructor(write: Writer) {
    this.#write = write;
  }

  get isAtStart(): boolean {
    return this.#isAtStart;
  }

  write(text: string): void {
    if (text === "") return;
    this.#write(text);
    this.#isAtStart = ENDS_LINE.test(text);
  }

  /** End an open line. */
  break(): void {
    if (!this.#isAtStart) this.write("\n");
  }

  /** The person ended the line: the terminal has shown it. */
  entered(): void {
    this.#isAtStart = true;
  }
}
