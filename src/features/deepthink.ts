/** `/deepthink`: one request in six stages, of which those that think cannot change anything. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { switchOf } from "@/lend/switch.ts";

/** Make it. */
export function deepthink(parts: FeatureParts): Feature<"deepthink"> {
  const mode = { isOn: parts.settings.current.DEEPTHINK };
  return {
    name: "deepthink",
    lend: { deepthink: switchOf(mode) },
    work: async ({ mayRead }) => {
      const { chainWork } = await import("./deepthink/chain_work.ts");
      return chainWork(parts, { mode, mayRead });
    },
  };
}
