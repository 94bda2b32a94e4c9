/** A run or stage that only reads: whatever changes anything outside the conversation is refused, not asked about. */
import type { Guard } from "@/protocol/policy.ts";

/** Refuse every change while `isReadOnly` says so. */
export function readOnly(isReadOnly: () => boolean): Guard {
  return function stage({ tool, effect }) {
    if (!isReadOnly() || effect === "reads") return undefined;
    return {
      verdict: "deny",
      by: "guard",
      reason: `this run only reads; say what ${tool.name} would have changed`,
    };
  };
}
