/** The end of the list: nothing decided, so the person is asked, and told what is missing. */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guard asks about. */
export type AskParts = {
  /** Why no allow rule covers a call that some rule comes near to. */
  whyNotAllowed(call: GuardedCall): string | undefined;
  /** Why a command is not held by a sandbox, where that is why it asks; undefined when it is held. */
  whyUnsandboxed?(call: GuardedCall): string | undefined;
};

/** Ask. */
export function askPerson(parts: AskParts): Guard {
  return function ask(call) {
    const reasons = [
      ...(call.outside ? ["it reaches outside the workspace"] : []),
      ...known(parts.whyUnsandboxed?.(call)),
      ...known(parts.whyNotAllowed(call)),
    ];
    const reason = reasons.length === 0 ? "no rule allows it" : reasons.join("; ");
    return { verdict: "ask", by: "guard", reason };
  };
}

function known(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
