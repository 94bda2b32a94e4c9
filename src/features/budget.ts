/** `/budget` and `--budget`: what may be spent before the work pauses and the person is asked. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { budgetPart } from "@/lend/budget.ts";
import { once } from "@/lib/once.ts";
import type { Spent } from "@/terminal/commands/lent/usage.ts";

/** Make it. */
export function budget(
  parts: Pick<FeatureParts, "live" | "settings" | "place" | "isInteractive">,
  { spent }: { spent(): Spent | undefined },
): Feature<"budget"> {
  const keeper = once(async () => {
    const { BudgetKeeper } = await import("./budget/keeper.ts");
    return new BudgetKeeper(parts, spent);
  });
  return {
    name: "budget",
    lend: { budget: budgetPart(parts.settings, async () => await (await keeper()).standing()) },
    work: async () => {
      const kept = await keeper();
      return {
        past: ({ event }) => kept.past(event),
        sink: (event) => kept.take(event),
        mayGoOn: (_count, signal) => kept.mayGoOn(signal),
        hasRoom: () => kept.hasRoom(),
      };
    },
  };
}
