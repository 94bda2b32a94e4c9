/** What turns work with for checks. */
import { AutoVerify } from "@/agent/hooks/auto_verify.ts";
import { TestLock, testLock } from "@/agent/test_lock.ts";
import type { FeatureParts, FeatureWork } from "@/compose/feature.ts";
import { verifyParts } from "@/compose/verify.ts";
import { resolve } from "@/lib/path.ts";
import { HeldTests } from "@/verify/test_files.ts";

/** The lock of one conversation, open. */
export function newLock(): TestLock {
  return new TestLock();
}

/** What turns have of it, and the checks. */
export function verifyWork(
  parts: FeatureParts,
  lock: TestLock,
): { hook: AutoVerify; work: FeatureWork } {
  const { workspace } = parts.place;
  const roots = () => [workspace, ...parts.added];
  const hook = new AutoVerify(verifyParts(parts, { lock, roots }));
  const guard = testLock({
    lock,
    tests: () => new HeldTests(roots),
    resolve: (path) => resolve(workspace, path),
  });
  return {
    hook,
    work: {
      guards: [guard],
      hooks: [lock.hook, hook],
      sink: (event) => {
        lock.sink(event);
        hook.sink(event);
      },
    },
  };
}
