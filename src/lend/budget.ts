/** What `/budget` is lent. */
import { dollars, readBudget } from "@/agent/budget.ts";
import type { AppParts } from "@/compose/parts.ts";
import type { BudgetPart } from "@/terminal/commands/lent/budget.ts";
import { done, misused } from "@/terminal/commands/spec.ts";

/** Build it. */
export function budgetPart(
  settings: AppParts["settings"],
  standing: () => Promise<string>,
): BudgetPart {
  return {
    standing,
    set: (text) => {
      const read = readBudget(text);
      if (read === undefined) {
        return misused(`/budget does not know "${text}"; write an amount as 2.50, 10/day, or off`);
      }
      const { what, max } = read;
      settings.setForSession(what === "day" ? "BUDGET_DAY" : "BUDGET_SESSION", max);
      const name = what === "day" ? "BUDGET_DAY" : "BUDGET_SESSION";
      return done(
        max === 0
          ? "This session has no limit any more; /set BUDGET_DAY 0 takes away that of the day"
          : `You are asked when this ${what} has cost ${
            dollars(max)
          }; /set ${name} keeps it for other sessions`,
      );
    },
  };
}
