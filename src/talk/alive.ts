/** What is alive besides the conversation, for the rail: asked for while the screen is drawn, at most once a second. */
import type { RailItem } from "@/terminal/full/rail.ts";

const ASK_AGAIN_MS = 1_000;

export class Alive {
  readonly #ask: () => Promise<readonly RailItem[]>;
  readonly #changed: () => void;
  #items: readonly RailItem[] = [];
  #askedAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed` is told when the items are others than before. */
  constructor(ask: () => Promise<readonly RailItem[]>, changed: () => void) {
    this.#ask = ask;
    this.#changed = changed;
  }

  /** As they were last seen. What came since is told later, once: at rest nothing is asked. */
  items(): readonly RailItem[] {
    if (this.#timer === undefined) {
      const waitMs = Math.max(0, this.#askedAt + ASK_AGAIN_MS - performance.now());
      this.#timer = setTimeout(() => this.#refresh(), waitMs);
      Deno.unrefTimer(this.#timer);
    }
    return this.#items;
  }

  async #refresh(): Promise<void> {
    this.#askedAt = performance.now();
    this.#timer = undefined;
    const items = await this.#ask();
    if (JSON.stringify(items) === JSON.stringify(this.#items)) return;
    this.#items = items;
    this.#changed();
  }
}
