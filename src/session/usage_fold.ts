/** What the requests of a session took, by turn and model: a fold over its events. */
import type { DurableEvent, Event } from "@/protocol/event.ts";
import { addUsage, NO_USAGE, type Usage } from "@/protocol/provider.ts";

/** Requests of one turn to one model. `turn` is 0 before the first one. */
export type UsageEntry = {
  turn: number;
  provider: string;
  model: string;
  /** Whether they were the turn's own; the others name sessions, shorten them or are a sub-agent's. */
  isOwn: boolean;
  requests: number;
  usage: Usage;
};

/** Takes all events of a session, in order. */
export class UsageEntries {
  readonly #entries = new Map<string, UsageEntry>();
  #turn = 0;
  #asked = { provider: "", model: "" };

  /** Oldest first. */
  get entries(): readonly UsageEntry[] {
    return [...this.#entries.values()];
  }

  take(event: Event): void {
    if (event.type === "turn_start") this.#turn = event.turn;
    else if (event.type === "model") this.#asked = { provider: event.provider, model: event.model };
    else if (event.type === "usage") this.#add(event);
  }

  #add({ usage, purpose, model }: Extract<DurableEvent, { type: "usage" }>): void {
    const isOwn = purpose === "turn";
    const turn = this.#turn;
    const { provider } = this.#asked;
    // Servers answer with longer names of what was asked for; prices go by what was asked for.
    const named = isOwn && this.#asked.model !== "" ? this.#asked.model : model;
    const key = JSON.stringify([turn, provider, named, isOwn]);
    const before = this.#entries.get(key);
    this.#entries.set(key, {
      ...{ turn, provider, model: named, isOwn },
      requests: (before?.requests ?? 0) + 1,
      usage: addUsage(before?.usage ?? NO_USAGE, usage),
    });
  }
}
