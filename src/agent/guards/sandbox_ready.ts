/** The sandbox is tried when a command is about to run for the first time; what is decided about it waits for the outcome. */
import type { Guard, GuardedCall } from "@/protocol/policy.ts";

/** What the guard asks about. */
export type SandboxReadyParts = {
  /** Whether the call starts a process. */
  startsProcess(call: GuardedCall): boolean;
  /** Settles when it is known whether a sandbox holds. A rejection refuses the call. */
  ready(): Promise<unknown> | undefined;
};

/** Wait, and decide nothing. */
export function sandboxReady(parts: SandboxReadyParts): Guard {
  return async function waitForSandbox(call) {
    if (parts.startsProcess(call)) await parts.ready();
    return undefined;
  };
}
