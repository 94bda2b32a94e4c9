/** Ends a reply that has gone silent. Only content counts as life: pings, comments and empty deltas do not. */

import { LinkedAbort } from "@/lib/linked_abort.ts";

/** How long a reply may be silent: before its first content, and between two pieces of it. */
export type SilenceLimits = { firstTokenMs: number; idleMs: number };

/**
 * After the limit it listens this much longer, as a part of the limit and at most: a program that was stopped for a while has
 * not read yet what came meanwhile.
 */
const MORE_PART = 1 / 4;
const MORE_MS_MAX = 1_000;

/** What the watchdog saw when it gave up. */
export type Silence = { afterMs: number; hadContent: boolean };

/** One a try. Whoever makes it disposes of it: until then its timer runs. */
export class Watchdog implements Disposable {
  readonly #limits: SilenceLimits;
  readonly #abort: LinkedAbort;
  #timer: ReturnType<typeof setTimeout>;
  #hadContent = false;
  /** When the silence began that is going on. */
  #since = performance.now();
  #silence: Silence | undefined;

  constructor(limits: SilenceLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#abort = new LinkedAbort(signal);
    this.#timer = this.#wait(limits.firstTokenMs);
  }

  /** Aborted by the caller's signal (with its reason) or by silence. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A piece of content arrived. */
  content(): void {
    this.#since = performance.now();
    if (this.#hadContent) return; // The timer that runs finds it when it is due: one a word would be thousands.
    this.#hadContent = true;
    clearTimeout(this.#timer);
    this.#timer = this.#wait(this.#limits.idleMs);
  }

  /** Set once the watchdog has ended the reply. */
  get silence(): Silence | undefined {
    return this.#silence;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#abort[Symbol.dispose]();
  }

  #wait(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const afterMs = this.#hadContent ? this.#limits.idleMs : this.#limits.firstTokenMs;
      const leftMs = this.#since + afterMs - performance.now();
      if (leftMs > 0) {
        this.#timer = this.#wait(leftMs);
        return;
      }
      this.#timer = this.#listen(afterMs, this.#since);
    }, ms);
  }

  /** The limit is over; what came by now is heard. */
  #listen(afterMs: number, since: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      if (this.#since !== since) {
        this.#timer = this.#wait(0);
        return;
      }
      this.#silence = { afterMs, hadContent: this.#hadContent };
      this.#abort.abort(new Error("The reply has gone silent"));
    }, Math.min(afterMs * MORE_PART, MORE_MS_MAX));
  }
}
