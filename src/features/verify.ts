/** The project's own checks after a turn that changed files (`/autoverify`), and the lock on its tests (`/tdd`). */
import type { AutoVerify } from "@/agent/hooks/auto_verify.ts";
import type { Feature, FeatureParts } from "@/compose/feature.ts";
import { tddPart, verifyPart } from "@/lend/verify.ts";
import { once } from "@/lib/once.ts";
import { resolve } from "@/lib/path.ts";

/** Make it. */
export function verify(parts: FeatureParts): Feature<"verify" | "tdd"> {
  const { workspace } = parts.place;
  const lock = once(async () => {
    const { TestLock } = await import("@/agent/test_lock.ts");
    return new TestLock();
  });
  let hook: AutoVerify | undefined;
  return {
    name: "verify",
    lend: { verify: verifyPart(parts, () => hook), tdd: tddPart(parts, lock) },
    work: async () => {
      const [{ AutoVerify }, { verifyParts }, { testLock }, { HeldTests }] = await Promise.all([
        import("@/agent/hooks/auto_verify.ts"),
        import("@/compose/verify.ts"),
        import("@/agent/test_lock.ts"),
        import("@/verify/test_files.ts"),
      ]);
      const roots = () => [workspace, ...parts.added];
      const held = await lock();
      const made = new AutoVerify(verifyParts(parts, { lock: held, roots }));
      hook = made;
      return {
        guards: [testLock({
          lock: held,
          tests: () => new HeldTests(roots),
          resolve: (path) => resolve(workspace, path),
        })],
        hooks: [held.hook, made],
        sink: (event) => {
          held.sink(event);
          made.sink(event);
        },
      };
    },
  };
}
