/** The machine: what the model may know of it. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";

/** Make it. */
export function system({ processes }: Pick<FeatureParts, "processes">): Feature {
  return {
    name: "system",
    work: async () => {
      const { systemTools } = await import("@/tools/mod.ts");
      return { tools: systemTools(processes) };
    },
  };
}
