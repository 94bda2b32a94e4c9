/** Commands inside a sandbox that was proven on this machine need no question. */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guard asks about. */
export type SandboxParts = {
  /** Whether the sandbox was tried and holds, in this session. */
  isSandboxed(): boolean;
  /** Whether the call starts a process. */
  startsProcess(call: GuardedCall): boolean;
  /** Whether the call asks to run outside the sandbox. */
  leavesSandbox(call: GuardedCall): boolean;
};

/** Let through processes that run inside. */
export function provenSandbox(parts: SandboxParts): Guard {
  return function sandboxed(call) {
    if (!parts.startsProcess(call) || !parts.isSandboxed() || parts.leavesSandbox(call)) {
      return undefined;
    }
    return { verdict: "allow", by: "sandbox", reason: "it runs inside the sandbox" };
  };
}
