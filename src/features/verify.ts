/** The project's own checks after a turn that changed files (`/autoverify`), and the lock on its tests (`/tdd`). */
import type { AutoVerify } from "@/agent/hooks/auto_verify.ts";
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { tddPart, verifyPart } from "@/lend/verify.ts";
import { once } from "@/lib/once.ts";

/** Make it. */
export function verify(parts: FeatureParts): Feature<"verify" | "tdd"> {
  const lock = once(async () => (await import("./verify/work.ts")).newLock());
  let hook: AutoVerify | undefined;
  return {
    name: "verify",
    lend: { verify: verifyPart(parts, () => hook), tdd: tddPart(parts, lock) },
    work: async () => {
      const { verifyWork } = await import("./verify/work.ts");
      const made = verifyWork(parts, await lock());
      hook = made.hook;
      return made.work;
    },
  };
}
