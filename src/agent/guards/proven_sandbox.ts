/** Commands inside a sandbox that was proven on this machine need no question. */
import type { Guard } from "@/protocol/policy.ts";
import { leavesSandbox, runsCode } from "./own_processes.ts";

/** Let through what runs inside. `isSandboxed`: whether the sandbox was tried and holds, in this session. */
export function provenSandbox(isSandboxed: () => boolean): Guard {
  return function sandboxed(call) {
    if (!runsCode(call) || !isSandboxed() || leavesSandbox(call)) return undefined;
    return { verdict: "allow", by: "sandbox", reason: "it runs inside the sandbox" };
  };
}
