/** A sentence in the place of the status line, for as long as it means something. */

export class Hint {
  readonly #changed: () => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get text(): string {
    return this.#text;
  }

  /** Say it for so long; the next key ends it before. */
  say(text: string, ms: number): void {
    clearTimeout(this.#timer);
    this.#text = text;
    if (text === "") return;
    this.#timer = setTimeout(() => {
      this.#text = "";
      this.#changed();
    }, ms);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
