/** Counts a failure that comes back. It is for a model that is stuck, not for a turn with several things wrong. */
import { failureKey } from "@/verify/failure.ts";

/** What follows from a run: nothing, a failure to be read, the end of trying, or that it works again. */
export type Verdict = "fine" | "feed" | "give_up" | "recovered";

/** One check in one turn. */
export class FailureLoop {
  readonly #limit: () => number;
  #key: string | undefined;
  #count = 0;

  /** `limit`: how often the same failure may come back in a row, the first time included. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  passed(): Verdict {
    const hadFailed = this.#key !== undefined;
    this.#key = undefined;
    this.#count = 0;
    return hadFailed ? "recovered" : "fine";
  }

  failed(output: string): Verdict {
    const key = failureKey(output);
    this.#count = key === this.#key ? this.#count + 1 : 1;
    this.#key = key;
    return this.#count >= Math.max(1, this.#limit()) ? "give_up" : "feed";
  }
}
