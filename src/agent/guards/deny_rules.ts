/** What deny rules forbid. A command that cannot be checked against one is asked about, whatever else allows it. */
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";

/** Refuse what a deny rule reaches. */
export function denyRules(
  policy: { denied(call: GuardedCall): Decision | undefined },
): Guard {
  return function denyRule(call) {
    return policy.denied(call);
  };
}
