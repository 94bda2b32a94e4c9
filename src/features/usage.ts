/** `/usage`: what the session's requests took. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { usagePart } from "@/lend/usage.ts";
import type { UsageEntries } from "@/session/usage_fold.ts";

/** Make it. */
export function usage({ live, model }: Pick<FeatureParts, "live" | "model">): Feature<"usage"> {
  let fold: UsageEntries | undefined;
  return {
    name: "usage",
    lend: { usage: usagePart({ live, model, entries: () => fold?.entries ?? [] }) },
    work: async () => {
      const { UsageEntries } = await import("@/session/usage_fold.ts");
      const made = fold = new UsageEntries();
      return { sink: (event) => made.take(event) };
    },
  };
}
