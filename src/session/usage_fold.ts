/** What was asked of models in a session, request by request: a fold over its events. */
import type { Event, UsagePurpose } from "@/protocol/event.ts";
import type { Usage } from "@/protocol/provider.ts";

/** One request. `turn` is 0 before the first one; `at` is when its usage was told, in milliseconds of `Date.now()`. */
export type UsageRequest = {
  turn: number;
  at: number;
  provider: string;
  model: string;
  purpose: UsagePurpose;
  usage: Usage;
};

/** Takes all events of a session, in order. */
export class UsageRequests {
  readonly #requests: UsageRequest[] = [];
  #turn = 0;
  #asked = { provider: "", model: "" };

  /** Oldest first. */
  get all(): readonly UsageRequest[] {
    return this.#requests;
  }

  /** Take an event that happened at `at`; the request that it tells of, if it does. */
  take(event: Event, at: number): UsageRequest | undefined {
    if (event.type === "turn_start") this.#turn = event.turn;
    else if (event.type === "model") this.#asked = { provider: event.provider, model: event.model };
    if (event.type !== "usage") return undefined;
    const { purpose, usage } = event;
    const provider = event.provider ?? this.#asked.provider;
    // Servers answer with longer names of what was asked for; prices go by what was asked for.
    const isAsked = purpose !== "subagent" && this.#asked.model !== "";
    const model = isAsked ? this.#asked.model : event.model;
    const request = { turn: this.#turn, at, provider, model, purpose, usage };
    this.#requests.push(request);
    return request;
  }
}

/** The requests of turns, those of one turn together; what has no turn stands alone. */
export function byTurn(requests: readonly UsageRequest[]): readonly (readonly UsageRequest[])[] {
  const groups: UsageRequest[][] = [];
  for (const request of requests) {
    const last = groups.at(-1);
    if (last !== undefined && request.turn > 0 && last[0]?.turn === request.turn) {
      last.push(request);
    } else groups.push([request]);
  }
  return groups;
}
