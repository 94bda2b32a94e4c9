/** `/planmode` and `--plan`: nothing is changed while it is on. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { switchOf } from "@/lend/switch.ts";

/** Make it. */
export function planmode(
  { run, settings }: Pick<FeatureParts, "run" | "settings">,
): Feature<"planmode"> {
  const mode = { isOn: run.plan ?? settings.current.PLANMODE };
  return {
    name: "planmode",
    lend: { planmode: switchOf(mode) },
    work: async () => {
      const { readOnly } = await import("@/agent/guards/read_only.ts");
      return { guards: [readOnly(() => mode.isOn)] };
    },
  };
}
