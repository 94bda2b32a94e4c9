/** Messages that were typed while a turn runs, and whoever waits for the next one. */
import { cutToWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Inks } from "./ink.ts";

const SHOWN_MAX = 3;

/** First in, first out; the newest can be taken back. */
export class Queue {
  readonly #texts: string[] = [];
  #waiter: ((text: string | undefined) => void) | undefined;
  #isEnded = false;

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Whether somebody waits: the program is at its prompt. */
  get isWaited(): boolean {
    return this.#waiter !== undefined;
  }

  /** A message is complete. */
  put(text: string): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter === undefined) this.#texts.push(text);
    else waiter(text);
  }

  /** The next message; undefined when the person is gone. */
  next(): Promise<string | undefined> {
    const first = this.#texts.shift();
    if (first !== undefined) return Promise.resolve(first);
    if (this.#isEnded) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiter = resolve;
    return promise;
  }

  /** Take the newest back, to change it or to leave it. */
  takeNewest(): string | undefined {
    return this.#texts.pop();
  }

  /** Take all back, oldest first. */
  takeAll(): string[] {
    return this.#texts.splice(0);
  }

  /** Nothing comes any more. */
  end(): void {
    this.#isEnded = true;
    this.#waiter?.(undefined);
    this.#waiter = undefined;
  }

  /** The newest few, one row each. */
  rows(columns: number, ink: Inks): readonly string[] {
    const shown = this.#texts.slice(-SHOWN_MAX);
    const left = this.#texts.length - shown.length;
    const rows = shown.map((text) => {
      const [first = "", ...more] = text.split("\n");
      const rest = more.length > 0 ? ` … ${more.length} more lines` : "";
      return ink.dim(
        cutToWidth(`  · queued: ${visible(first, { oneLine: true })}${rest}`, columns - 1),
      );
    });
    const head = left > 0 ? [ink.dim(`  · ${left} more queued before`)] : [];
    const hint = rows.length > 0
      ? [ink.dim(cutToWidth("    Up takes the last one back", columns - 1))]
      : [];
    return [...head, ...rows, ...hint];
  }
}
