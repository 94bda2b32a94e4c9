/** Calls that only ask the person: where nobody is there, that is what the answer says, and not what the tool makes of it. */
import type { Guard } from "@/protocol/policy.ts";

/** Make a question of such calls where nobody watches. */
export function needsPerson(isWatched: boolean): Guard {
  return function personOnly({ tool }) {
    if (isWatched || tool.asksPerson !== true) return undefined;
    return {
      verdict: "ask",
      by: "guard",
      reason: "it asks the user, and this run has no terminal; go on with what you know, and say " +
        "what you assumed",
    };
  };
}
