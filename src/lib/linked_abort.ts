/**
 * One signal that fires when any of several does. AbortSignal.any would be that, but what it gives is collected while
 * a fetch still listens to it (Deno 2.9.6): the interrupt is then lost and the connection stays open.
 */
export class LinkedAbort implements Disposable {
  readonly #own = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #pass: (event: Event) => void;

  /** The sources keep this alive until it is disposed of, or are gone themselves. */
  constructor(...sources: readonly AbortSignal[]) {
    this.#sources = sources;
    this.#pass = ({ target }) => {
      if (target instanceof AbortSignal) this.#own.abort(target.reason);
    };
    for (const source of sources) {
      if (source.aborted) this.#own.abort(source.reason);
      else source.addEventListener("abort", this.#pass, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Fire of its own accord. */
  abort(reason: unknown): void {
    this.#own.abort(reason);
  }

  /** Let go of the sources; the signal does not fire for them any more. */
  [Symbol.dispose](): void {
    for (const source of this.#sources) source.removeEventListener("abort", this.#pass);
  }
}
