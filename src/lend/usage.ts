/** What `/usage` is lent. */
import type { AppParts } from "@/compose/parts.ts";
import type { Live } from "@/compose/live.ts";
import { wholeCost } from "@/compose/prices.ts";
import { counted } from "@/lib/counted.ts";
import type { Accounts } from "@/compose/accounts.ts";
import { addUsage, NO_USAGE } from "@/protocol/provider.ts";
import { byTurn, type UsageRequest } from "@/session/usage_fold.ts";
import type { UsagePart } from "@/terminal/commands/lent/usage.ts";
import type { UsageRow } from "@/terminal/usage_table.ts";

type CostOf = (request: UsageRequest) => number | null;

type Needs = {
  live: Live;
  model: AppParts["model"];
  settings: AppParts["settings"];
  accounts(): Accounts | undefined;
};

const APART: readonly (readonly [UsageRequest["purpose"], string])[] = [
  ["subagent", "sub-agents"],
  ["compaction", "summaries"],
  ["title", "titles"],
  ["question", "short questions"],
];

/** Build it. */
export function usagePart(parts: Needs): UsagePart {
  const { live, model, accounts } = parts;
  return {
    spent: () => accounts()?.spent,
    describe: async () => {
      // The events from before are folded when turns have what they work with.
      const { context } = await live.work();
      const folded = accounts();
      if (folded === undefined) return "Nothing was asked of a model yet";
      const [{ usageTable }, { TABLE_DATE }, { cacheLines }] = await Promise.all([
        import("@/terminal/usage_table.ts"),
        import("@/provider/model_table.ts"),
        import("./cache_lines.ts"),
      ]);
      const { requests, cost } = folded;
      const window = shown(model.current.windowTokens);
      const now = context.estimate(live.harness.messages());
      return [
        requests.length === 0
          ? "Nothing was asked of a model yet"
          : usageTable(turnRows(requests, cost), sumRows(requests, cost)),
        `Each request pays about ${
          shown(context.overhead())
        } tokens before the conversation starts (instructions and tools)`,
        `The next one will be about ${shown(now)} of ${window} tokens, by an estimate`,
        ...priceLines(requests, { cost, date: TABLE_DATE }),
        ...cacheLines(folded, parts.settings.current),
      ].join("\n");
    },
  };
}

function turnRows(requests: readonly UsageRequest[], cost: CostOf): readonly UsageRow[] {
  const own = requests.filter(({ purpose }) => purpose === "turn");
  return byTurn(own).map((group) => rowOf(`turn ${group[0]?.turn ?? 0}`, group, cost));
}

/** What was no turn's own, apart by what it was for, and all together. */
function sumRows(requests: readonly UsageRequest[], cost: CostOf): readonly UsageRow[] {
  const apart = APART.flatMap(([purpose, name]) => {
    const group = requests.filter((request) => request.purpose === purpose);
    return group.length === 0 ? [] : [rowOf(name, group, cost)];
  });
  return [...apart, rowOf("all", requests, cost)];
}

function rowOf(name: string, requests: readonly UsageRequest[], cost: CostOf): UsageRow {
  return {
    name,
    requests: requests.length,
    usage: requests.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    // Each request by itself: long ones may have dearer prices.
    cost: wholeCost(requests.map(cost)),
  };
}

function priceLines(
  requests: readonly UsageRequest[],
  { cost, date }: { cost: CostOf; date: string },
): readonly string[] {
  if (requests.length === 0) return [];
  const unknown = requests.filter((request) => cost(request) === null);
  const names = new Set(unknown.map(({ provider, model }) => `${provider}/${model}`));
  const kept = `Prices are those of ${date}; PRICES sets others`;
  if (names.size === 0) return [kept];
  return [
    `The price of ${[...names].join(", ")} is not known (${
      counted(unknown.length, "request")
    }); PRICES sets one`,
    ...(unknown.length < requests.length ? [kept] : []),
  ];
}

function shown(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
