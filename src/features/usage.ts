/** `/usage`: what the session's requests took and cost, and what became of the cached prefix. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { usagePart } from "@/lend/usage.ts";
import type { Accounts } from "@/compose/accounts.ts";

/** Make it. */
export function usage(
  parts: Pick<FeatureParts, "live" | "model" | "settings">,
): Feature<"usage"> {
  let made: Accounts | undefined;
  return {
    name: "usage",
    lend: { usage: usagePart({ ...parts, accounts: () => made }) },
    work: async () => {
      const { Accounts } = await import("@/compose/accounts.ts");
      const accounts = made = new Accounts(parts);
      return {
        provider: (inner) => accounts.watched(inner),
        past: (record) => accounts.past(record),
        sink: (event) => accounts.take(event),
      };
    },
  };
}
