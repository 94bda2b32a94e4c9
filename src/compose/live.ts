/** The conversation as features reach it: it is built after them. */
import type { Harness } from "@/agent/harness.ts";
import type { Event, Sink } from "@/protocol/event.ts";
import type { EarlySink } from "./early_sink.ts";
import type { LoopWork } from "./loop_work.ts";
import type { ScreenParts } from "./parts.ts";

/** What is there once it is built. */
export type Built = {
  harness: Harness;
  screen: ScreenParts;
  work(): Promise<LoopWork>;
};

/** Made before features, filled after them. */
export class Live {
  readonly #early: EarlySink;
  #built: Built | undefined;

  constructor(early: EarlySink) {
    this.#early = early;
  }

  /** Called once, by whoever builds the conversation. */
  connect(built: Built): void {
    this.#built = built;
    this.#early.connect(built.harness.emit);
  }

  get harness(): Harness {
    return this.#there().harness;
  }

  /** Who watches: approver, asker and what else the screen can do. */
  get screen(): ScreenParts {
    return this.#there().screen;
  }

  /** What turns work with, loaded now if need be. */
  work(): Promise<LoopWork> {
    return this.#there().work();
  }

  /** Takes events at any time; those from before the conversation wait for it. */
  readonly emit: Sink = (event: Event): void => this.#early.emit(event);

  #there(): Built {
    if (this.#built === undefined) {
      throw new Error("The conversation was asked for before it was built");
    }
    return this.#built;
  }
}
