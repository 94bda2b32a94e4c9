/** What calls have to do with processes. Ending what a call of this conversation has started needs no question. */
import { statesReason } from "@/policy/facts.ts";
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** Whether a call runs what the model chose: a command line, code, or what it types into a program. */
export function runsCode(call: GuardedCall): boolean {
  if (call.subject.kind === "command") return true;
  const process = processOf(call);
  return process === "inside" || process === "outside";
}

/** Whether a call acts outside the sandbox: it gives a reason for running there, or speaks to what runs there. */
export function leavesSandbox(call: GuardedCall): boolean {
  return statesReason(call) || processOf(call) === "outside";
}

/** Let through calls that only end something. */
export function ownProcesses(): Guard {
  return function ownProcess(call) {
    if (processOf(call) !== "ends") return undefined;
    return { verdict: "allow", by: "guard", reason: "it only ends what was started here" };
  };
}

function processOf({ tool, input }: GuardedCall): "inside" | "outside" | "ends" | undefined {
  // The dispatcher has read it by the tool's own schema.
  return tool.process?.(input as Record<string, unknown>);
}
