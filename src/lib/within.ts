/** Waiting with a bound. */
import { memo } from "./memo.ts";

/** Whether a promise settles within `ms` milliseconds. The timer does not outlive the answer. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
      const settled = () => resolve(true);
      promise.then(settled, settled);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** How long interrupted work may take to stop by itself before it is given up. */
const STOP_GRACE_MS = 150;

/** What work comes to; or `instead()`, when it has not stopped soon after the signal. Throws what the work throws. */
export function orGivenUp<T>(work: Promise<T>, signal: AbortSignal, instead: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const waiting = waitingUnder(signal);
    const giveUp = () => resolve(instead());
    waiting.add(giveUp);
    const settled = () => waiting.remove(giveUp);
    work.then(settled, settled);
    work.then(resolve, reject);
  });
}

const waitingUnder = memo((signal: AbortSignal) => new Waiting(signal));

/** Everybody who waits for work under one signal. It is listened to once: to begin and end that costs more than most work. */
class Waiting {
  readonly #signal: AbortSignal;
  /** With the timer of each, once the signal has fired. */
  readonly #timers = new Map<() => void, ReturnType<typeof setTimeout> | undefined>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const begin = () => {
      for (const [giveUp, timer] of this.#timers) if (timer === undefined) this.#begin(giveUp);
    };
    signal.addEventListener("abort", begin, { once: true });
  }

  add(giveUp: () => void): void {
    this.#timers.set(giveUp, undefined);
    if (this.#signal.aborted) this.#begin(giveUp);
  }

  remove(giveUp: () => void): void {
    clearTimeout(this.#timers.get(giveUp));
    this.#timers.delete(giveUp);
  }

  #begin(giveUp: () => void): void {
    this.#timers.set(giveUp, setTimeout(giveUp, STOP_GRACE_MS));
  }
}
