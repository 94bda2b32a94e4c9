/** Text that a program prints while nobody asks: its beginning and its end, in bounded memory. */

/** Collects text up to `charsMax`; `headShare` of it is kept from the start, the rest from the end. */
export class BoundedText {
  readonly #headMax: number;
  readonly #tailMax: number;
  #head = "";
  #tail = "";
  #dropped = 0;

  constructor(charsMax: number, headShare = 1 / 3) {
    this.#headMax = Math.floor(charsMax * headShare);
    this.#tailMax = charsMax - this.#headMax;
  }

  add(text: string): void {
    // Once something is in the tail, what comes is later than that.
    const room = this.#tail === "" ? this.#headMax - this.#head.length : 0;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting at every piece would copy the tail each time.
    if (this.#tail.length > 2 * this.#tailMax) this.#cut();
  }

  #cut(): void {
    const cut = Math.max(0, this.#tail.length - this.#tailMax);
    this.#dropped += cut;
    this.#tail = this.#tail.slice(cut);
  }

  /** The last characters, for looking at how it ends. */
  get end(): string {
    return (this.#tail || this.#head).slice(-200);
  }

  /** Everything since the last `take`, with a line where some is missing; empties it. */
  take(): string {
    this.#cut();
    const gap = this.#dropped === 0 ? "" : `\n[${this.#dropped} characters left out]\n`;
    const text = this.#head + gap + this.#tail;
    [this.#head, this.#tail, this.#dropped] = ["", "", 0];
    return text.toWellFormed();
  }
}
