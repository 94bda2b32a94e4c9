/** The question about a host that a command wants to reach, put like the question about a call. */
import * as z from "zod";
import { settlesWithin } from "@/lib/within.ts";
import { ok } from "@/tools/spec.ts";
import type { Approval, Approver, GuardedCall, Reach } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { isAddress } from "@/sandbox/egress/address.ts";
import { type Target, targetText } from "@/sandbox/egress/target.ts";

/** The name under which rules speak of hosts: `network(registry.npmjs.org)`. */
const NETWORK = "network";

/** No tool of the model's: what a connection looks like to rules and to whoever is asked. */
const CONNECTION: ToolSpec = {
  name: NETWORK,
  description: "A connection that a command in the sandbox wants to make",
  input: z.object({ host: z.string() }),
  effect: () => "changes",
  subject: (input) => ({ kind: "text", text: String(input["host"]) }),
  // The host stands beside it, as the subject.
  summary: () => "let commands reach a host",
  run: () => Promise.resolve(ok("")),
};

/** A host, as rules and questions take it. */
export function networkCall(host: string): GuardedCall {
  return {
    ...{ id: NETWORK, tool: CONNECTION, input: { host }, effect: "changes", outside: false },
    subject: { kind: "text", text: host },
  };
}

type Answer = "yes" | "no" | "late" | Extract<Approval, { answer: "always" }>;

/** Ask, for so long. Undefined where there is nobody. */
export async function askAboutHost(
  target: Target,
  { approver, timeoutMs }: { approver: Approver; timeoutMs: number },
): Promise<Answer | undefined> {
  const host = targetText(target);
  const over = new AbortController();
  const reason = `a command wants to reach it, and no rule allows it; yes holds for this run`;
  const asked = approver(networkCall(host), reason, reachesOf(target), over.signal);
  if (!await settlesWithin(asked, timeoutMs)) {
    over.abort(new Error("Nobody answered"));
    await Promise.allSettled([asked]);
    return "late";
  }
  const approval = await asked;
  switch (approval.answer) {
    case "yes":
    case "no":
      return approval.answer;
    case "always":
      return approval;
    case "nobody":
      return undefined;
    default:
      return approval satisfies never;
  }
}

/** This host, or all hosts of the domain that it is in. */
function reachesOf(target: Target): readonly Reach[] {
  const host = targetText(target);
  const literal: Reach = {
    kind: "literal",
    preview: `connections of commands to ${host}`,
    rule: { tool: NETWORK, literal: host },
  };
  const above = target.host.split(".").slice(1).join(".");
  // "*.com" would be nearly everything.
  if (isAddress(target.host) || !above.includes(".") || host !== target.host) return [literal];
  const preview = `connections of commands to every host below ${above}`;
  return [literal, { kind: "prefix", preview, rule: `${NETWORK}(*.${above})` }];
}
