/** Which panel is up, and when its keys begin to count: what a person was just typing never answers a question. */
import type { Panel } from "./panel.ts";

/** Text that was typed this recently before a question means that the person is typing. */
const TYPING_MS = 1_500;
/** How long nothing must be typed before a key can be an answer: longer in a text that was begun with the question in view. */
const QUIET_MS = 300;
const THINKING_MS = 1_000;

export type PanelsOptions = {
  now(): number;
  /** Whether there is an unfinished text in the input. */
  hasDraft(): boolean;
  /** Another panel is up, or none is. */
  changed(isNew: boolean): void;
};

/** One is up; the others wait behind it in their order. */
export class Panels {
  readonly #options: PanelsOptions;
  readonly #waiting: Panel[] = [];
  #lastTypedAt = -Infinity;
  #shownAt = 0;
  #wasTyping = false;
  #quietMs = THINKING_MS;

  constructor(options: PanelsOptions) {
    this.#options = options;
  }

  get current(): Panel | undefined {
    return this.#waiting[0];
  }

  /** The text in the input was changed. An emptied one was sent or given up: nobody is in the middle of it. */
  typed({ isEmpty }: { isEmpty: boolean }): void {
    if (this.current !== undefined) this.#wasTyping = true;
    this.#lastTypedAt = isEmpty ? -Infinity : this.#options.now();
  }

  /** Whether a key now is meant for the panel. A person who was typing has to pause first. */
  get isArmed(): boolean {
    if (!this.#wasTyping) return true;
    const quietSince = Math.max(this.#shownAt, this.#lastTypedAt);
    if (this.#options.now() - quietSince < this.#quietMs) return false;
    this.#wasTyping = false;
    return true;
  }

  /**
   * Put up a panel, behind those that are up. Resolves to its answer; rejects with the signal's reason when interrupted.
   */
  put<T>(make: (settle: (answer: T) => void) => Panel, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const panel = make((answer) => {
        signal?.removeEventListener("abort", onAbort);
        this.#remove(panel);
        resolve(answer);
      });
      const onAbort = () => {
        this.#remove(panel);
        reject(signal?.reason);
        panel.cancel();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(panel);
      if (this.#waiting.length === 1) this.#shown();
    });
  }

  /** Put up a panel in the place of the one that is up, which is answered no. */
  putFirst<T>(make: (settle: (answer: T) => void) => Panel): Promise<T> {
    this.current?.cancel();
    const answer = this.put(make);
    const panel = this.#waiting.pop();
    if (panel !== undefined) this.#waiting.unshift(panel);
    this.#shown();
    return answer;
  }

  /** Answer all of them no. */
  cancelAll(): void {
    for (const panel of [...this.#waiting]) panel.cancel();
  }

  #remove(panel: Panel): void {
    const at = this.#waiting.indexOf(panel);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    if (at !== 0) return;
    if (this.current === undefined) this.#options.changed(false);
    else this.#shown();
  }

  #shown(): void {
    const { now, hasDraft, changed } = this.#options;
    this.#shownAt = now();
    this.#wasTyping = hasDraft() || this.#shownAt - this.#lastTypedAt < TYPING_MS;
    this.#quietMs = this.#wasTyping ? QUIET_MS : THINKING_MS;
    changed(true);
  }
}
