/** A limit on what is spent, in US dollars: reached, it pauses the work and asks. */

/** One limit. 0 is none. */
export type Limit = { what: "session" | "day"; max: number; spent: number };

/** Watches limits; each yes of the person's is good for the same amount once more. */
export class BudgetWatch {
  readonly #granted = new Map<Limit["what"], number>();

  /** The first limit that is reached. */
  reached(limits: readonly Limit[]): Limit | undefined {
    return limits.find(({ what, max, spent }) => max > 0 && spent >= max + this.#grantedFor(what));
  }

  /** The person goes on: until as much again is spent. */
  grant({ what, max, spent }: Limit): void {
    this.#granted.set(what, Math.max(spent, max + this.#grantedFor(what)));
  }

  /** What may be spent altogether before the next question. */
  allowed({ what, max }: Limit): number {
    return max + this.#grantedFor(what);
  }

  #grantedFor(what: Limit["what"]): number {
    return this.#granted.get(what) ?? 0;
  }
}

/** `2`, `$2.50`, `10/day`, `10 a day`, `off`; undefined for what is none of it. */
export function readBudget(text: string): { what: Limit["what"]; max: number } | undefined {
  const words = text.trim().toLowerCase();
  if (words === "off" || words === "none") return { what: "session", max: 0 };
  const match = /^\$?(\d+(?:\.\d+)?)\s*(?:\$|usd|dollars?)?\s*(?:(?:\/|a|per)?\s*(session|day))?$/
    .exec(words);
  if (match === null) return undefined;
  return { what: match[2] === "day" ? "day" : "session", max: Number(match[1]) };
}

/** An amount as people write it. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(amount !== 0 && amount < 0.1 ? 4 : 2)}`;
}
