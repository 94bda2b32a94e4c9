/** `/undo` and `/redo`, and the sweep that keeps the bytes behind them within their limits. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import type { Channel } from "./channel.ts";
import { undoPart } from "@/lend/undo.ts";
import { settlesWithin } from "@/lib/within.ts";

/** What the program waits for an unfinished sweep when it ends. */
const SWEEP_WAIT_MS = 500;

/** Make it. `holdForPerson` holds files for what is taken back, or says who holds one of them instead. */
export function undo(parts: FeatureParts, claims: Pick<Channel, "holdForPerson">): Feature<"undo"> {
  let sweeping: Promise<void> | undefined;
  return {
    name: "undo",
    lend: { undo: undoPart(parts, claims) },
    work: () => ({
      begin: () => {
        sweeping = sweepUndo(parts);
      },
    }),
    // A sweep that is cut off goes on tomorrow.
    close: async () => {
      if (sweeping !== undefined) await settlesWithin(sweeping, SWEEP_WAIT_MS);
    },
  };
}

async function sweepUndo(
  { place, settings, live }: Pick<FeatureParts, "place" | "settings" | "live">,
): Promise<void> {
  const { sweepDaily, undoLimits } = await import("@/compose/sweep_undo.ts");
  await sweepDaily(place.paths.home, {
    limits: undoLimits(settings.current),
    now: new Date(),
    onProblem: (text) => live.emit({ type: "notice", level: "warn", text }),
  });
}
