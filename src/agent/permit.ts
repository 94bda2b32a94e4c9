/** Whether a command that the harness itself wants to run may run: by the same guards and questions as one of the model's. */
import type { DispatchParts } from "@/agent/dispatch.ts";
import { decisionOf, firstAnswer } from "@/agent/decide.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";

/** What decides. */
export type PermitParts = Pick<DispatchParts, "guards" | "approver" | "reachesOf" | "remember"> & {
  /** The tool that rules about commands name. */
  tool: ToolSpec;
};

/** Why a command line must not run, as the end of a sentence; undefined when it may. Rejects when it is interrupted. */
export async function whyNotPermitted(
  command: string,
  { tool, guards, approver, reachesOf, remember }: PermitParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const call: GuardedCall = {
    id: "check",
    tool,
    input: { command },
    effect: "changes",
    subject: { kind: "command", text: command },
    outside: false,
  };
  const first = await firstAnswer(guards, call);
  if (first.verdict !== "ask") return first.verdict === "allow" ? undefined : first.reason;
  const approval = await approver(call, first.reason, reachesOf(call), signal);
  if (approval.answer === "always") await remember(approval);
  const decision = decisionOf(approval, first);
  return decision.verdict === "allow" ? undefined : decision.reason;
}
