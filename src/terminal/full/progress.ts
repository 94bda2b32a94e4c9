/** What goes on: whether the program is at its prompt, since when a turn runs, and what the person sent last. */
import type { Event } from "@/protocol/event.ts";

export class Progress {
  readonly #now: () => number;
  #busySince: number | undefined;
  #turnSince: number | undefined;
  #sent: string | undefined;
  #isSentShown = true;
  /** When the request is tried again. */
  #retryAt: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long the program has been at work; undefined at the prompt. */
  get busyMs(): number | undefined {
    const since = this.#turnSince ?? this.#busySince;
    return since === undefined ? undefined : this.#now() - since;
  }

  /** How long until a request is tried again; undefined while none waits for that. */
  get retryMs(): number | undefined {
    const left = this.#retryAt === undefined ? 0 : this.#retryAt - this.#now();
    return left > 0 ? left : undefined;
  }

  /** What was sent and stands nowhere on the screen yet. */
  get unseen(): string | undefined {
    return this.#isSentShown ? undefined : this.#sent;
  }

  /** The program waits for a message. */
  waits(): void {
    this.#busySince = undefined;
    this.#isSentShown = true;
  }

  /** It has got one. */
  got(text: string | undefined): void {
    this.#busySince = this.#now();
    this.#sent = text;
    this.#isSentShown = text === undefined;
  }

  /** What was sent is on the screen now, in one form or another. */
  shown(): void {
    this.#isSentShown = true;
  }

  /** Hand back what the running turn was started with, once. */
  takeSent(): string | undefined {
    const sent = this.#sent;
    this.#sent = undefined;
    return sent;
  }

  /** An event; how long the turn took when it ends one. */
  take(event: Event): number | undefined {
    switch (event.type) {
      case "message":
        if (event.message.role === "user") this.#isSentShown = true;
        return undefined;
      case "turn_start":
        this.#turnSince = this.#now();
        return undefined;
      case "retry":
        this.#retryAt = this.#now() + event.waitMs;
        return undefined;
      case "turn_end": {
        this.#retryAt = undefined;
        const since = this.#turnSince;
        this.#turnSince = undefined;
        return since === undefined ? undefined : this.#now() - since;
      }
      default:
        return undefined;
    }
  }
}
