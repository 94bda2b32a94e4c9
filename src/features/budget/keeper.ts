/** Keeps the budget of one conversation: notes what is spent, and asks before more is. */
import { BudgetWatch, dollars, type Limit } from "@/agent/budget.ts";
import type { FeatureParts } from "@/compose/feature.ts";
import { describe } from "@/lib/describe.ts";
import { join } from "@/lib/path.ts";
import { Slots } from "@/lib/slots.ts";
import type { Event } from "@/protocol/event.ts";
import { Spending } from "@/session/spending.ts";
import type { Spent } from "@/terminal/commands/lent/usage.ts";

type Parts = Pick<FeatureParts, "live" | "settings" | "place" | "isInteractive">;

const YES = "yes, go on";
const NO = "no, stop here";

export class BudgetKeeper {
  readonly #parts: Parts;
  readonly #spent: () => Spent | undefined;
  readonly #spending: Spending;
  readonly #watch = new BudgetWatch();
  /** What the session had cost at its newest request. */
  #noted = 0;
  #writing: Promise<void> = Promise.resolve();
  /** One at a time looks whether a limit is reached. */
  readonly #looking = new Slots(() => 1);
  /** What the newest look came to. */
  #isOver = false;
  #isWarned = false;

  constructor(parts: Parts, spent: () => Spent | undefined) {
    this.#parts = parts;
    this.#spent = spent;
    this.#spending = new Spending(join(parts.place.paths.home, "spending"));
  }

  /** A sentence a limit: what is spent of it. */
  async standing(): Promise<string> {
    const limits = await this.#limits();
    const texts = limits.map((limit) =>
      `This ${limit.what}: ${dollars(limit.spent)} of ${
        limit.max === 0 ? "no limit" : dollars(this.#watch.allowed(limit))
      }`
    );
    const unpriced = this.#spent()?.unpriced ?? 0;
    return [
      ...texts,
      ...(unpriced > 0
        ? [`Not counted: ${unpriced} requests whose price is not known (PRICES)`]
        : []),
    ].join("\n");
  }

  /** What was spent before this run was written down then. */
  past(event: Event): void {
    if (event.type === "usage") this.#more();
  }

  /** Each request that cost something is written down. */
  take(event: Event): void {
    const more = event.type === "usage" ? this.#more() : 0;
    if (more > 0) this.#write(more);
  }

  /** What the session has cost since this was asked last. */
  #more(): number {
    const now = this.#spent()?.dollars ?? 0;
    const more = now - this.#noted;
    this.#noted = now;
    return more;
  }

  /** Asked before each request, also of sub-agents: those that come while the person is asked share the answer. */
  async mayGoOn(signal: AbortSignal): Promise<boolean> {
    return await this.#looking.use(async (hasWaited) => {
      if (hasWaited && this.#isOver) return false;
      this.#isOver = !await this.#isWithin(signal);
      return !this.#isOver;
    }, signal);
  }

  /** Whether no limit is reached; asked of nobody. */
  async hasRoom(): Promise<boolean> {
    await this.#writing;
    if (!this.#isLimited()) return true;
    return this.#watch.reached(await this.#limits()) === undefined;
  }

  async #isWithin(signal: AbortSignal): Promise<boolean> {
    await this.#writing;
    if (!this.#isLimited()) return true;
    this.#warnOfUnknown();
    const limit = this.#watch.reached(await this.#limits());
    if (limit === undefined) return true;
    const { live, isInteractive } = this.#parts;
    const sentence = `The budget of ${
      dollars(this.#watch.allowed(limit))
    } for this ${limit.what} is used up: ${dollars(limit.spent)} spent`;
    if (isInteractive) {
      const text = `${sentence}. Go on, for ${dollars(limit.max)} more?`;
      const answers = await live.screen.asker(
        [{ text, options: [YES, NO], freeText: false }],
        signal,
      );
      if (answers?.[0] === YES) {
        this.#watch.grant(limit);
        return true;
      }
    }
    live.emit({
      type: "notice",
      level: "warn",
      text: `${sentence}. The turn was ended; /budget or --budget raises it`,
    });
    return false;
  }

  async #limits(): Promise<readonly Limit[]> {
    const { BUDGET_SESSION, BUDGET_DAY } = this.#parts.settings.current;
    return [
      { what: "session", max: BUDGET_SESSION, spent: this.#spent()?.dollars ?? 0 },
      { what: "day", max: BUDGET_DAY, spent: await this.#spending.ofDay(new Date()) },
    ];
  }

  /** One after another; what cannot be written is said once and counts for the session alone. */
  #write(more: number): void {
    const { live } = this.#parts;
    this.#writing = this.#writing.then(async () => {
      try {
        await this.#spending.add(more, new Date());
        await this.#spending.sweep();
      } catch (error) {
        live.emit({
          type: "notice",
          level: "warn",
          text: `What was spent today could not be noted: ${describe(error)}`,
        });
      }
    });
  }

  #isLimited(): boolean {
    const { BUDGET_SESSION, BUDGET_DAY } = this.#parts.settings.current;
    return BUDGET_SESSION > 0 || BUDGET_DAY > 0;
  }

  #warnOfUnknown(): void {
    if (this.#isWarned || (this.#spent()?.unpriced ?? 0) === 0) return;
    this.#isWarned = true;
    this.#parts.live.emit({
      type: "notice",
      level: "warn",
      text:
        "The budget does not count requests to a model whose price is not known; PRICES sets one",
    });
  }
}
