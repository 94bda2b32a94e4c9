/** A conversation that goes on beyond the model's window, and `/compact`. */
import type { Compactor } from "@/agent/hooks/compactor.ts";
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { compactPart } from "@/lend/compact.ts";
import { once } from "@/lib/once.ts";

/** Make it. */
export function compaction(
  { live, model, isInteractive }: Pick<FeatureParts, "live" | "model" | "isInteractive">,
): Feature<"compact"> {
  let made: Compactor | undefined;
  // It works with what turns work with, which is there when it is needed and not before.
  const compactor = once(async () => {
    const [{ context, features }, { compactorOf }] = await Promise.all([
      live.work(),
      import("@/compose/compactor.ts"),
    ]);
    return made = compactorOf({
      context,
      harness: () => live.harness,
      model: () => model.current,
      mayAsk: (signal) => features.mayGoOn(0, signal),
      before: (how, signal) => features.beforeShortening(how, signal),
    });
  });
  return {
    name: "compaction",
    lend: { compact: compactPart({ live, model, isInteractive, compactor }) },
    work: () => ({
      hooks: [{
        name: "compaction",
        mend: async (error, signal) =>
          await (await compactor()).hook.mend?.(error, signal) ?? false,
      }],
      sink: (event) => made?.sink(event),
    }),
  };
}
