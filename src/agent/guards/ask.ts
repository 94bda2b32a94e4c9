/** The end of the list: nothing decided, so the person is asked, and told what is missing. */
import { explainCommand } from "@/policy/explain.ts";
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guard asks about. */
export type AskParts = {
  /** Why no allow rule covers a call that some rule comes near to. */
  whyNotAllowed(call: GuardedCall): string | undefined;
  /** Why a command is not held by a sandbox, where that is why it asks; undefined when it is held. */
  whyUnsandboxed?(call: GuardedCall): string | undefined;
};

const PROGRAMS_SHOWN_MAX = 6;

/** Ask. */
export function askPerson(parts: AskParts): Guard {
  return function ask(call) {
    const reasons = [
      ...(call.outside ? ["it reaches outside the workspace"] : []),
      ...known(parts.whyUnsandboxed?.(call)),
      ...(call.tool.costs === true ? ["it takes time and, on a hosted model, money"] : []),
      ...known(parts.whyNotAllowed(call)),
      ...worthKnowing(call),
    ];
    const reason = reasons.length === 0 ? "no rule allows it" : [...new Set(reasons)].join("; ");
    return { verdict: "ask", by: "guard", reason };
  };
}

/** What a command does besides running one program: other programs, files written and read, what cannot be seen. */
function worthKnowing({ subject }: GuardedCall): readonly string[] {
  if (subject.kind !== "command") return [];
  const { programs, redirections, concerns } = explainCommand(subject.text);
  const shown = programs.slice(0, PROGRAMS_SHOWN_MAX).join(", ");
  const more = programs.length > PROGRAMS_SHOWN_MAX ? " and more" : "";
  return [
    ...(programs.length > 1 ? [`it runs ${shown}${more}`] : []),
    ...redirections.map((text) => `it ${text}`),
    ...concerns,
  ];
}

function known(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
