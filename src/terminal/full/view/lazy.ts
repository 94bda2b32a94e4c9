/** A part that is loaded when it is first wanted: the first frame must not wait for what a reply may need. */

export class Lazy<T> {
  readonly #load: () => Promise<T>;
  readonly #settled: (problem: Error | undefined) => void;
  #state: "waiting" | "there" | "failed" = "waiting";
  #value: T | undefined;
  #loading: Promise<void> | undefined;

  /** `settled` is told once it is there, or why it never will be. */
  constructor(load: () => Promise<T>, settled: (problem: Error | undefined) => void) {
    this.#load = load;
    this.#settled = settled;
  }

  /** The part, if it is there. */
  get value(): T | undefined {
    return this.#value;
  }

  /** Whether there is nothing to wait for any more. Asking for it begins to load it. */
  get isSettled(): boolean {
    void this.want();
    return this.#state !== "waiting";
  }

  /** Load it; resolves when it is there or has failed. */
  want(): Promise<void> {
    this.#loading ??= this.#begin();
    return this.#loading;
  }

  async #begin(): Promise<void> {
    try {
      this.#value = await this.#load();
      this.#state = "there";
      this.#settled(undefined);
    } catch (error) {
      this.#state = "failed";
      this.#settled(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
