/** `/planmode` and `--plan`: nothing is changed while it is on, and an approved plan ends it. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { switchOf } from "@/lend/switch.ts";
import { systemNote } from "@/lib/tool_result.ts";

const PLANNING = systemNote(
  "Plan mode is on: every call that changes something is refused. Read what you need, then call submit_plan_for_approval; " +
    "once the user approves, plan mode is over and you carry the plan out. If nobody can be asked, or there is nothing to change, " +
    "give your plan or your answer as text.",
);

/** Make it. `isSuperseded`: whether somebody else tells the model to plan; what is refused stays refused. */
export function planmode(
  { run, settings }: Pick<FeatureParts, "run" | "settings">,
  { isSuperseded }: { isSuperseded(): boolean },
): Feature<"planmode"> {
  const mode = { isOn: run.plan ?? settings.current.PLANMODE };
  let isTold = false;
  return {
    name: "planmode",
    lend: { planmode: switchOf(mode) },
    work: async () => {
      const [{ planTools }, { readOnly }] = await Promise.all([
        import("@/tools/mod.ts"),
        import("@/agent/guards/read_only.ts"),
      ]);
      const onApproved = () => {
        mode.isOn = false;
      };
      return {
        isOwn: true,
        tools: planTools({ onApproved }),
        guards: [readOnly(() => mode.isOn)],
        hooks: [{
          name: "plan mode",
          beforeRequest: () => {
            const isNews = mode.isOn && !isTold && !isSuperseded();
            isTold = mode.isOn && (isTold || isNews);
            return isNews ? Promise.resolve(PLANNING) : undefined;
          },
        }],
      };
    },
  };
}
