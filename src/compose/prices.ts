/** What models cost: the person's own prices first, then the kept table. A model that neither knows has no price. */
import { costOf, type KnownModel } from "@/provider/price.ts";
import type { Usage } from "@/protocol/provider.ts";
import { ownPrice } from "@/settings/price_entry.ts";
import type { Settings } from "@/settings/settings.ts";

/** What a request cost, in dollars; null where the price is not known. */
export function requestCost(
  { provider, model, usage }: { provider: string; model: string; usage: Usage },
  { PRICES }: Pick<Settings, "PRICES">,
  known: KnownModel | undefined,
): number | null {
  const own = PRICES.length === 0 ? undefined : ownPrice(PRICES, `${provider}/${model}`);
  if (own !== undefined) return costOf(usage, { price: own, tiers: [] });
  return known === undefined ? null : costOf(usage, known);
}

/** A sum of which a part is not known is not known. */
export function wholeCost(costs: Iterable<number | null>): number | null {
  let sum = 0;
  for (const cost of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}
