/** Python: the tool that runs it, and `/vm`. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { vmPart } from "@/lend/vm.ts";

/** Make it. */
export function python(
  { programs, settings, network }: Pick<FeatureParts, "programs" | "settings" | "network">,
): Feature<"vm"> {
  return {
    name: "python",
    lend: { vm: vmPart(programs) },
    work: async () => {
      const { pythonTools } = await import("@/tools/mod.ts");
      const outputCharsMax = () => settings.current.VM_OUTPUT_CHARS;
      const takeRefusals = () => network.takeRefusals();
      return { tools: pythonTools({ vm: programs.vm, outputCharsMax, takeRefusals }) };
    },
  };
}
