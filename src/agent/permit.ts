/** Whether what the harness itself wants to do may be done: by the same guards and questions as a call of the model's. */
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
  { tool, ...parts }: PermitParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  return await whyCallNotPermitted(
    {
      id: "check",
      tool,
      input: { command },
      effect: "changes",
      subject: { kind: "command", text: command },
      outside: false,
    },
    parts,
    signal,
  );
}

/** The same for any call that the harness itself would make. */
export async function whyCallNotPermitted(
  call: GuardedCall,
  { guards, approver, reachesOf, remember }: Omit<PermitParts, "tool">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const first = await firstAnswer(guards, call);
  if (first.verdict !== "ask") return first.verdict === "allow" ? undefined : first.reason;
  const approval = await approver(call, first.reason, reachesOf(call), signal);
  if (approval.answer === "always") await remember(approval);
  const decision = decisionOf(approval, first);
  return decision.verdict === "allow" ? undefined : decision.reason;
}
