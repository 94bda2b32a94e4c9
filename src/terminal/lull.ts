/** Silence as it was heard, not as the clock has it. */

/** The silence is counted in so many parts. */
const PARTS = 4;

/** A part that took this many times its length was not listened to: the program was busy, or had no processor. */
const LATE = 3;

/** A machine that is never in time is not waited for without end. */
const MOST_WAITS = 5 * PARTS;

/**
 * Calls `then` once nothing was heard for `ms` milliseconds during which the program could have heard something.
 * A wait that the program slept or worked through counts for nothing: what came meanwhile is only now being read.
 */
export class Lull {
  readonly #then: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(then: () => void) {
    this.#then = then;
  }

  /** Something was heard: the silence begins anew. */
  begin(ms: number): void {
    this.end();
    this.#wait(ms / PARTS, PARTS, MOST_WAITS);
  }

  /** No silence is waited for any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(partMs: number, parts: number, waits: number): void {
    if (parts === 0 || waits === 0) return this.#then();
    const began = performance.now();
    this.#timer = setTimeout(() => {
      const isHeard = performance.now() - began <= LATE * partMs;
      this.#wait(partMs, isHeard ? parts - 1 : parts, waits - 1);
    }, partMs);
  }
}
