/** A file that another agent is holding is not changed here, whoever would allow it. */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guard asks: it holds the paths for the call, or says why that cannot be. */
export type HoldFor = (call: GuardedCall, paths: readonly string[]) => Promise<string | undefined>;

/** Refuse changes of what others hold. */
export function claims(holdFor: HoldFor): Guard {
  return async function claimed(call) {
    const paths = changedPaths(call);
    if (paths.length === 0) return undefined;
    const reason = await holdFor(call, paths);
    return reason === undefined ? undefined : { verdict: "deny", by: "guard", reason };
  };
}

/** The real paths that a call changes, as far as its subject says. */
function changedPaths({ effect, subject }: GuardedCall): readonly string[] {
  if (effect === "reads" || subject.kind !== "path") return [];
  return subject.paths.filter((path) => subject.reads?.includes(path) !== true);
}
