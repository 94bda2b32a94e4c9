/** The accounts of one conversation: what each request cost, what of the prefix was cached, and what broke it. */
import { type PrefixChange, PrefixWatch } from "@/agent/prefix_watch.ts";
import type { FeatureParts } from "./feature.ts";
import { requestCost } from "./prices.ts";
import type { DurableEvent, Event } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import type { Provider } from "@/protocol/provider.ts";
import { knownModel } from "@/provider/model_table.ts";
import { lifetimeMs } from "@/lib/cache_lifetime.ts";
import { CacheFold, type CacheMiss } from "@/session/cache_fold.ts";
import { type UsageRequest, UsageRequests } from "@/session/usage_fold.ts";
import type { Spent } from "@/terminal/commands/lent/usage.ts";
import { missText } from "./miss_text.ts";

/** A miss is told where it lost as much; less is not worth a line. */
const TOLD_TOKENS_MIN = 1_024;

type Parts = Pick<FeatureParts, "live" | "settings">;

export class Accounts {
  readonly #parts: Parts;
  readonly #requests = new UsageRequests();
  readonly #cache = new CacheFold();
  readonly #watch = new PrefixWatch();
  readonly #misses: CacheMiss[] = [];
  #change: PrefixChange | undefined;
  #lastChange: PrefixChange | undefined;
  #isShortened = false;
  #dollars = 0;
  #unpriced = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  get requests(): readonly UsageRequest[] {
    return this.#requests.all;
  }

  get misses(): readonly CacheMiss[] {
    return this.#misses;
  }

  /** What moved in the prefix last, if anything did in this run. */
  get lastChange(): PrefixChange | undefined {
    return this.#lastChange;
  }

  /** What the session has cost, as far as prices are known. */
  get spent(): Spent {
    return { dollars: this.#dollars, unpriced: this.#unpriced };
  }

  /** What a request cost, in dollars; null where the price is not known. */
  readonly cost = (request: UsageRequest): number | null =>
    requestCost(
      request,
      this.#parts.settings.current,
      knownModel(request.provider, request.model),
    );

  /** The provider, with each request looked at as it is sent. */
  watched(inner: Provider): Provider {
    return {
      name: inner.name,
      stream: (request, signal) => {
        this.#change = this.#watch.note(request);
        if (this.#change !== undefined) this.#lastChange = this.#change;
        return inner.stream(request, signal);
      },
    };
  }

  /** What was before this run: nothing of it is told once more. */
  past({ at, event }: SessionRecord): void {
    this.#note(event, Date.parse(at));
  }

  take(event: Event): void {
    const miss = this.#note(event, Date.now());
    if (miss !== undefined) this.#tell(miss);
  }

  /** The miss that an event shows, unless a compaction was to make one. */
  #note(event: Event, atMs: number): CacheMiss | undefined {
    if (event.type === "compaction") this.#isShortened = true;
    const request = this.#requests.take(event, atMs);
    if (request === undefined) return undefined;
    const cost = this.cost(request);
    if (cost === null) this.#unpriced += 1;
    else this.#dollars += cost;
    if (request.purpose !== "turn") return undefined;
    const miss = this.#cache.take(request);
    if (miss !== undefined) this.#misses.push(miss);
    // Of a compaction the person knows already that it is a miss.
    const isKnown = this.#isShortened;
    this.#isShortened = false;
    return isKnown ? undefined : miss;
  }

  #tell(miss: CacheMiss): void {
    if (miss.lostTokens < TOLD_TOKENS_MIN) return;
    const { CACHE_LIFETIME } = this.#parts.settings.current;
    const text = missText(miss, {
      lifetimeMs: lifetimeMs(CACHE_LIFETIME),
      ...(this.#change === undefined ? {} : { change: this.#change }),
    });
    const notice: DurableEvent = { type: "notice", level: "info", text, about: "cache" };
    this.#parts.live.emit(notice);
  }
}
