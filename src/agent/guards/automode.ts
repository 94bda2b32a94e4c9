/** What automode covers: everything that would ask, except what is outside the workspace or a proven sandbox. */
import type { Guard } from "@/protocol/policy.ts";
import { leavesSandbox, runsCode } from "./own_processes.ts";

/** What the guard asks about. */
export type AutomodeParts = {
  /** Whether the sandbox was tried and holds, in this session. */
  isSandboxed(): boolean;
  isAuto(): boolean;
  /** Whether the person started with `--sandbox off`: their word that nothing holds commands back. */
  isSandboxOff(): boolean;
};

/** Let through what automode covers. */
export function automode(parts: AutomodeParts): Guard {
  return function auto(call) {
    if (!parts.isAuto()) return undefined;
    const allow = { verdict: "allow", by: "automode", reason: "automode is on" } as const;
    // The two words together mean: with the person's rights. Files outside are then a command away as well.
    if (parts.isSandboxOff()) return allow;
    if (call.outside) return undefined;
    const isHeld = parts.isSandboxed() && !leavesSandbox(call);
    return runsCode(call) && !isHeld ? undefined : allow;
  };
}
