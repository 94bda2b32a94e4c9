/**
 * How far the terminal is behind what was written. Over a slow line (ssh, a modem of a phone) everything on the way takes in
 * what is written and holds it, so that a key that is pressed now would be answered after all of that. So the terminal is
 * asked for a sign of life now and then, and while too much lies between us and its answers nothing more is drawn.
 */

export type FlowOptions = {
  /** Write; with `answered`, the terminal is asked for a sign of life behind it. */
  write(text: string, answered?: () => void): void;
  /** How long the terminal took to answer at first; undefined while it has not. */
  answerMs(): number | undefined;
  /** Something may be drawn again. */
  ready(): void;
  now(): number;
  /** After how long without an answer the terminal is not waited for. */
  muteMs?: number;
};

/** Asked again after so much. What is typed is drawn in less, and nobody is asked. */
const ASK_EVERY_CHARS = 1_000;
/** What may be on its way: at first, and at least and at most. */
const WINDOW_CHARS = 8_000;
const WINDOW_CHARS_MIN = 2_000;
const WINDOW_CHARS_MAX = 256_000;
/** An answer that takes this much longer than the quickest one came through a line that is free, or one that is full. */
const FREE_MS = 100;
const FULL_MS = 300;
/** A terminal that has not answered for so long is not waited for, until it does. */
const MUTE_MS = 5_000;

export class Flow {
  readonly #options: FlowOptions;
  /** Characters written so far, and of these those that the terminal has drawn. */
  #written = 0;
  #drawn = 0;
  #askedAfter = 0;
  #window = WINDOW_CHARS;
  #quickestMs = Infinity;
  /** A terminal that says who it is may answer nothing else: it is waited for once it has. */
  #isMute = true;
  #isWaiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FlowOptions) {
    this.#options = options;
  }

  /** Characters that may be written now; zero and less is none. */
  get room(): number {
    if (this.#isMute || this.#options.answerMs() === undefined) return Infinity;
    return this.#window - (this.#written - this.#drawn);
  }

  /** Whether a frame may be drawn; if not, `ready` tells when. */
  mayDraw(): boolean {
    this.#isWaiting = this.room <= 0;
    if (this.#isWaiting) this.#wait();
    return !this.#isWaiting;
  }

  write(text: string): void {
    this.#written += text.length;
    const { answerMs, write, now } = this.#options;
    const firstMs = answerMs();
    if (firstMs === undefined) {
      // Nobody tells when this is drawn.
      this.#drawn = this.#askedAfter = this.#written;
      return write(text);
    }
    if (this.#written - this.#askedAfter < ASK_EVERY_CHARS) return write(text);
    const [upTo, askedAt] = [this.#written, now()];
    this.#askedAfter = upTo;
    this.#quickestMs = Math.min(this.#quickestMs, firstMs);
    // A line that little was on says nothing of how much it can take.
    const isTried = upTo - this.#drawn >= this.#window / 2;
    write(text, () => this.#answered(upTo, { tookMs: now() - askedAt, isTried }));
  }

  /** The terminal was somebody else's: what it owed us it may never answer. */
  forget(): void {
    this.#drawn = this.#askedAfter = this.#written;
    this.#goOn();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #answered(upTo: number, { tookMs, isTried }: { tookMs: number; isTried: boolean }): void {
    this.#isMute = false;
    this.#drawn = Math.max(this.#drawn, upTo);
    this.#quickestMs = Math.min(this.#quickestMs, tookMs);
    const lateMs = tookMs - this.#quickestMs;
    if (lateMs < FREE_MS && isTried) this.#window = Math.min(WINDOW_CHARS_MAX, this.#window * 2);
    else if (lateMs > FULL_MS) this.#window = Math.max(WINDOW_CHARS_MIN, this.#window / 2);
    this.#goOn();
  }

  /** For the next answer. */
  #wait(): void {
    this.#timer ??= setTimeout(() => this.#giveUp(), this.#options.muteMs ?? MUTE_MS);
  }

  #giveUp(): void {
    this.#isMute = true;
    this.forget();
  }

  #goOn(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isWaiting) return;
    if (this.room <= 0) return this.#wait();
    this.#isWaiting = false;
    this.#options.ready();
  }
}
