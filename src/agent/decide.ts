/** From guards and answers to one decision. */
import type { Approval, Decision, Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guards say of a call: the first answer stands, and where none answers it is a question. */
export async function firstAnswer(guards: readonly Guard[], call: GuardedCall): Promise<Decision> {
  for (const guard of guards) {
    const said = guard(call);
    // Most know at once, and waiting for each would be the dearest part of it.
    const decision = said instanceof Promise ? await said : said;
    if (decision !== undefined) return decision;
  }
  return { verdict: "ask", by: "guard", reason: "nothing allows this call" };
}

/** What an answer to a question decides. */
export function decisionOf(approval: Approval, question: Decision): Decision {
  switch (approval.answer) {
    case "yes":
      return { verdict: "allow", by: "person", reason: "the person said yes" };
    case "always":
      return { verdict: "allow", by: "person", reason: `always: ${approval.reach.preview}` };
    case "no": {
      const why = approval.reason === undefined ? "" : `: ${approval.reason}`;
      return { verdict: "deny", by: "person", reason: `the person said no${why}` };
    }
    case "nobody": {
      const reason = `nobody is here to approve it (${question.reason})`;
      return { verdict: "deny", by: "nobody", reason };
    }
  }
}

/** A refusal of ours. */
export function guardDeny(reason: string): Decision {
  return { verdict: "deny", by: "guard", reason };
}
