/** So many at once: the others wait for their turn, in the order in which they came. */

export class Slots {
  readonly #max: () => number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** `max` is asked whenever somebody comes or goes; less than one counts as one. */
  constructor(max: () => number) {
    this.#max = max;
  }

  /**
   * Do something when there is a place; it is told whether it had to wait for one. Rejects with the signal's reason when
   * it fires before.
   */
  async use<T>(work: (hasWaited: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
    const hasWaited = await this.#take(signal);
    try {
      return await work(hasWaited);
    } finally {
      this.#taken -= 1;
      this.#admit();
    }
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const place = Promise.withResolvers<void>();
    const admit = () => {
      this.#taken += 1;
      place.resolve();
    };
    const onAbort = () => {
      const at = this.#waiting.indexOf(admit);
      if (at === -1) return; // It has its place already.
      this.#waiting.splice(at, 1);
      place.reject(signal.reason);
    };
    this.#waiting.push(admit);
    this.#admit();
    if (!this.#waiting.includes(admit)) return false;
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await place.promise;
      return true;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #admit(): void {
    while (this.#taken < Math.max(1, this.#max())) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}
