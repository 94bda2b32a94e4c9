/** A run or stage that only reads: whatever changes anything outside the conversation is refused, not asked about. */
import type { Guard } from "@/protocol/policy.ts";

/** Refuse every change while `isReadOnly` says so. `what` only reads: this run, this stage. */
export function readOnly(isReadOnly: () => boolean, what = "this run"): Guard {
  return function stage({ tool, effect }) {
    if (!isReadOnly() || effect === "reads") return undefined;
    return {
      verdict: "deny",
      by: "guard",
      reason: `${what} only reads; say what ${tool.name} would have changed`,
    };
  };
}
