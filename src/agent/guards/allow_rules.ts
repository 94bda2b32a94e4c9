/** What allow rules and remembered approvals cover; outside the workspace only what names the outside place. */
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";

/** Let through what an allow rule or a grant covers. */
export function allowRulesAndGrants(
  policy: { allowed(call: GuardedCall): Decision | undefined },
): Guard {
  return function allowRuleOrGrant(call) {
    return policy.allowed(call);
  };
}
