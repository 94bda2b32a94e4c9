/** Whether what the harness itself wants to do may be done: by the same guards and questions as a call of the model's. */
import type { DispatchParts } from "./dispatch.ts";
import { decisionOf, firstAnswer } from "./decide.ts";
import type { GuardedCall } from "@/protocol/policy.ts";

/** What decides. */
export type PermitParts = Pick<
  DispatchParts,
  "guards" | "approver" | "questions" | "reachesOf" | "remember"
>;

/** Why a command line must not run, as the end of a sentence; undefined when it may. Rejects when it is interrupted. */
export async function whyNotPermitted(
  command: string,
  { tools, ...parts }: PermitParts & Pick<DispatchParts, "tools">,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const tool of tools()) {
    const input = tool.running?.(command);
    if (input === undefined) continue;
    const subject = { kind: "command", text: command } as const;
    const call = { id: "check", tool, input, effect: "changes", subject, outside: false } as const;
    return await whyCallNotPermitted(call, parts, signal);
  }
  return "no tool runs commands here";
}

/** The same for any call that the harness itself would make. */
export async function whyCallNotPermitted(
  call: GuardedCall,
  { guards, approver, questions, reachesOf, remember }: PermitParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const first = await firstAnswer(guards, call);
  if (first.verdict !== "ask") return first.verdict === "allow" ? undefined : first.reason;
  const approval = await questions.use(
    () => approver(call, first.reason, reachesOf(call), signal),
    signal,
  );
  if (approval.answer === "always") await remember(approval);
  const decision = decisionOf(approval, first);
  return decision.verdict === "allow" ? undefined : decision.reason;
}
