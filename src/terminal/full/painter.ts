/**
 * When the screen is drawn: at most thirty times a second, never while the window is being resized, and without any timer
 * while nothing moves.
 */
import type { Size } from "./frame.ts";

export const FRAME_MS = 33;
/** How often a reply that arrives is drawn: as smooth to read, and a third less to do than with each frame. */
export const ARRIVING_MS = 50;
/** How often what moves by itself is drawn: a frame takes about 1 ms of a core that was asleep, and 1 % is the limit. */
export const TICK_MS = 125;
/** A window that has kept its size for this long is not being resized any more. */
export const STABLE_MS = 120;
/**
 * While a window is dragged, tmux 3.3a tells the size at most every 250 ms, and has changed the screen long before: after
 * a second change within this time, and for a tail that was drawn within it, what the system says of the size is late.
 */
const LATE_MS = 400;
const STABLE_LATE_MS = 300;
/** A write that takes longer goes over a slow line: fewer frames then. */
const SLOW_WRITE_MS = 50;
/** And no fewer than this: a terminal that was held for a minute, by Ctrl+S or a line that was dead, is seen at once again. */
const REST_MS_MAX = 500;

/** A terminal that never agrees with the system is drawn on all the same. */
const LATE_TIMES_MAX = 5;

export type Resizing = {
  /** What is on the screen was drawn when the window had its new size already: it was cut and not wrapped. */
  isCut: boolean;
  /** Whether the terminal may be waited for. */
  mayWait: boolean;
};

export type PainterOptions = {
  size(): Size;
  /** Whether the terminal can take a frame; whoever says no asks for one later. */
  mayDraw?(): boolean;
  /** Draw now. */
  draw(size: Size): void;
  /**
   * The window was resized; what is on the screen was wrapped anew. Nothing is drawn before it is done. False, and nothing
   * is done, while the terminal has another size than the system says.
   */
  resized(size: Size, how: Resizing): Promise<boolean>;
  /** Whether what was drawn just now was drawn at this size; false where the terminal does not say. */
  agrees?(size: Size): Promise<boolean>;
  /** In how many milliseconds something changes by itself; undefined when nothing does. */
  moves(): number | undefined;
  now?(): number;
};

export class Painter {
  readonly #options: PainterOptions;
  readonly #now: () => number;
  #size: Size;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Infinity;
  #lastAt = -Infinity;
  #resizedAt = -Infinity;
  #isCut = false;
  /** Frames since the window was resized that may have been cut: the terminal has not said that it had their size. */
  #unsure = new Set<object>();
  #restMs = FRAME_MS;
  #stable: ReturnType<typeof setTimeout> | undefined;
  #isSettling = false;
  /** How often the terminal had another size than the system said. */
  #lateTimes = 0;
  #isStopped = false;

  constructor(options: PainterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#size = options.size();
  }

  get isFrozen(): boolean {
    return this.#stable !== undefined || this.#isSettling;
  }

  get size(): Size {
    return this.#size;
  }

  /** Something changed. What only arrives can wait a little longer than what was typed. */
  request(isArriving = false): void {
    const restMs = isArriving ? Math.max(this.#restMs, ARRIVING_MS) : this.#restMs;
    this.#schedule(this.#lastAt + restMs);
  }

  /** Draw without waiting, before the screen is given away. */
  flush(): void {
    if (!this.#isStopped && !this.isFrozen) this.#draw();
  }

  /** The window is being resized: no output until it has kept its size. */
  resize(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#stable);
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    const now = this.#now();
    const isSeries = now - this.#resizedAt < LATE_MS;
    this.#isCut ||= isSeries && this.#lastAt > this.#resizedAt;
    this.#resizedAt = now;
    this.#lateTimes = 0;
    this.#settleIn(isSeries ? STABLE_LATE_MS : STABLE_MS);
  }

  /** No timer is left. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#stable);
    this.#stable = undefined;
  }

  #settleIn(ms: number): void {
    const seen = this.#options.size();
    this.#stable = setTimeout(() => this.#settle(seen), ms);
  }

  async #settle(seen: Size): Promise<void> {
    this.#stable = undefined;
    if (!isSame(seen, this.#options.size())) return this.resize();
    this.#isSettling = true;
    const mayWait = this.#lateTimes < LATE_TIMES_MAX;
    const isCut = this.#isCut && this.#unsure.size > 0;
    const isDone = await this.#options.resized(seen, { isCut, mayWait });
    this.#isSettling = false;
    // It may have been resized again, or closed, while the terminal was asked.
    const isOver = this.#isStopped || this.#stable !== undefined;
    if (!isDone) {
      this.#lateTimes += 1;
      if (!isOver) this.#settleIn(STABLE_LATE_MS);
      return;
    }
    this.#size = seen;
    this.#isCut = false;
    this.#unsure = new Set();
    if (!isOver) this.#draw();
  }

  async #ask(): Promise<void> {
    const [unsure, frame] = [this.#unsure, {}];
    unsure.add(frame);
    if (await this.#options.agrees?.(this.#size) === true) unsure.delete(frame);
  }

  #schedule(dueAt: number): void {
    // The same frame is asked for with each word of a reply: it has one timer, and the clock is not looked at.
    if (dueAt >= this.#dueAt || this.#isStopped || this.isFrozen) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#draw(), Math.max(0, dueAt - this.#now()));
  }

  #draw(): void {
    // The first use of any timer loads them, which takes 15 ms (Deno 2.9.6): the first frame does without.
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    // The signal may come after the fact: the terminal is asked before each frame.
    if (!isSame(this.#size, this.#options.size())) return this.resize();
    if (this.#options.mayDraw?.() === false) return;
    const start = this.#now();
    this.#options.draw(this.#size);
    const took = this.#now() - start;
    this.#restMs = took > SLOW_WRITE_MS ? Math.min(took * 2, REST_MS_MAX) : FRAME_MS;
    this.#lastAt = start + took;
    if (this.#lastAt - this.#resizedAt < LATE_MS) void this.#ask();
    const moves = this.#options.moves();
    if (moves !== undefined) this.#schedule(this.#lastAt + Math.max(moves, this.#restMs));
  }
}

export function isSame(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows;
}
