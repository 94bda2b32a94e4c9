/** What ask rules want to be asked about, although something else would allow it. */
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";

/** Ask about what an ask rule reaches. */
export function askRules(policy: { asked(call: GuardedCall): Decision | undefined }): Guard {
  return function askRule(call) {
    return policy.asked(call);
  };
}
