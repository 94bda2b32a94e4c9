/** What `/usage` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { Live } from "@/compose/live.ts";
import { addUsage, NO_USAGE } from "@/protocol/provider.ts";
import type { UsageEntry } from "@/session/usage_fold.ts";
import type { UsagePart } from "@/terminal/commands/lent/usage.ts";
import type { UsageRow } from "@/terminal/usage_table.ts";

type PriceOf = (entry: UsageEntry) => number | null;

/** After so many requests a cache that was written to should have been read. */
const READ_AFTER_REQUESTS = 3;

/** Build it. */
export function usagePart(
  { live, model, entries: all }: {
    live: Live;
    model: AppParts["model"];
    entries(): readonly UsageEntry[];
  },
): UsagePart {
  return {
    describe: async () => {
      // The events from before are folded when turns have what they work with.
      const { context } = await live.work();
      const entries = all();
      const [{ usageTable }, price] = await Promise.all([
        import("@/terminal/usage_table.ts"),
        priceOf(),
      ]);
      const own = entries.filter(({ isOwn }) => isOwn);
      const others = entries.filter(({ isOwn }) => !isOwn);
      const turns = Map.groupBy(own, ({ turn }) => turn);
      const rows = [...turns].map(([turn, group]) => rowOf(`turn ${turn}`, group, price));
      const table = entries.length === 0 ? "Nothing was asked of a model yet" : usageTable(rows, [
        ...(others.length > 0 ? [rowOf("besides turns", others, price)] : []),
        rowOf("all", entries, price),
      ]);
      const window = model.current.windowTokens.toLocaleString("en-US");
      const fixed = context.overhead().toLocaleString("en-US");
      const now = context.estimate(live.harness.messages()).toLocaleString("en-US");
      return [
        table,
        `Each request pays about ${fixed} tokens before the conversation starts (instructions and tools)`,
        `The next one will be about ${now} of ${window} tokens, by an estimate`,
        ...cacheNotes(own),
      ].join("\n");
    },
  };
}

async function priceOf(): Promise<PriceOf> {
  const [{ knownModel }, { costOf }] = await Promise.all([
    import("@/provider/model_table.ts"),
    import("@/provider/price.ts"),
  ]);
  return ({ provider, model, usage }) => {
    const known = knownModel(provider, model);
    return known === undefined ? null : costOf(usage, known);
  };
}

function rowOf(name: string, entries: readonly UsageEntry[], price: PriceOf): UsageRow {
  const costs = entries.map(price);
  return {
    name,
    requests: entries.reduce((sum, { requests }) => sum + requests, 0),
    usage: entries.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    // A sum of which a part is not known is not known.
    cost: costs.reduce<number | null>(
      (sum, cost) => sum === null || cost === null ? null : sum + cost,
      0,
    ),
  };
}

function cacheNotes(own: readonly UsageEntry[]): readonly string[] {
  const { usage, requests } = rowOf("", own, () => null);
  if (usage.cacheWrite === 0 || usage.cacheRead > 0 || requests < READ_AFTER_REQUESTS) return [];
  return [
    "The prompt was cached and never read back: either more time passes between requests than the cache lives " +
    "(CACHE_LIFETIME), or the start of the prompt changes",
  ];
}
