/** The person's own programs at moments of a turn (hooks.json): they may refuse calls, ask about them, and tell the model. */
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { once } from "@/lib/once.ts";
import type { HookRounds } from "./hooks/rounds.ts";

/** Make it. `isPlanning`: whether plan mode is on. */
export function hooks(
  parts: FeatureParts,
  { isPlanning }: { isPlanning(): boolean },
): Feature<"hooks"> {
  const rounds = once(async (): Promise<HookRounds> => {
    const { HookRounds } = await import("./hooks/work.ts");
    return new HookRounds({ ...parts, isPlanning });
  });
  let end: Feature["close"];
  return {
    name: "hooks",
    lend: {
      hooks: {
        list: async () => (await import("./hooks/listed.ts")).listed(await (await rounds()).read()),
      },
    },
    work: async () => {
      const made = new (await import("./hooks/work.ts")).HookWork(await rounds(), parts);
      end = (why) => made.end(why);
      return made.work();
    },
    close: async (why) => await end?.(why),
  };
}
