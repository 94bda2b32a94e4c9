/** What automode covers: everything that would ask, except what is outside the workspace or a proven sandbox. */
import type { Guard } from "@/protocol/policy.ts";
import type { SandboxParts } from "./proven_sandbox.ts";

/** What the guard asks about. */
export type AutomodeParts = SandboxParts & {
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
    const isHeld = parts.isSandboxed() && !parts.leavesSandbox(call);
    return parts.startsProcess(call) && !isHeld ? undefined : allow;
  };
}
