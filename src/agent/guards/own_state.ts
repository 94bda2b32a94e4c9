/** What a model keeps for itself needs no question: it touches nothing of the person's, and rules may deny it all the same. */
import type { Guard } from "@/protocol/policy.ts";

/** Let through calls that only add to what harness keeps for the model. */
export function ownState(): Guard {
  return function ownStateCall({ tool, input }) {
    // The dispatcher has read it by the tool's own schema.
    if (tool.keepsOwn?.(input as Record<string, unknown>) !== true) return undefined;
    return { verdict: "allow", by: "guard", reason: "it only adds to what is kept for the model" };
  };
}
