/** The guards in their order; the first answer stands. */
import type { Decision, Guard, GuardedCall, Reach } from "@/protocol/policy.ts";
import { allowRulesAndGrants } from "./allow_rules.ts";
import { askPerson } from "./ask.ts";
import { askRules } from "./ask_rules.ts";
import { automode } from "./automode.ts";
import { deniedReads } from "./denied_reads.ts";
import { denyRules } from "./deny_rules.ts";
import type { Judges } from "./judges.ts";
import { changedPowerFile, powerFiles } from "./power_files.ts";
import { leavesSandbox, ownProcesses, runsCode } from "./own_processes.ts";
import { ownState } from "./own_state.ts";
import { provenSandbox } from "./proven_sandbox.ts";
import { readsInWorkspace } from "./reads_in_workspace.ts";
import { sandboxReady } from "./sandbox_ready.ts";

/** What the guards ask; each part answers for this moment. */
export type GuardParts = {
  /** The rules in force. */
  policy: {
    denied(call: GuardedCall): Decision | undefined;
    asked(call: GuardedCall): Decision | undefined;
    allowed(call: GuardedCall): Decision | undefined;
    whyNotAllowed(call: GuardedCall): string | undefined;
  };
  /** What denies reading the file at a real path. */
  deniesReading(path: string): Decision | undefined;
  /** Whether the sandbox was tried and holds. */
  isSandboxed(): boolean;
  /** Settles when that is known; a call that starts a process waits for it. */
  sandboxReady?(): Promise<unknown>;
  /** Why no sandbox holds, for the question. */
  sandboxProblem?(): string | undefined;
  /** Whether commands are asked about although a sandbox holds them. */
  asksInside?(): boolean;
  /** Whether the person started with `--sandbox off`. */
  isSandboxOff(): boolean;
  /** Whether /automode is on. */
  isAuto(): boolean;
  /** Guards that come before all others, in their order: read-only stages, the test lock, claims. */
  first?: readonly Guard[];
  /** Who is heard beside all of these. */
  judges?: Judges;
};

/** All guards of a run, in the order in which they are asked. The last one always answers. */
export function guardList(parts: GuardParts): readonly Guard[] {
  const { policy, judges } = parts;
  const guards = [
    ...(parts.first ?? []),
    ...(parts.sandboxReady === undefined ? [] : [sandboxReady(() => parts.sandboxReady?.())]),
    denyRules(policy),
    deniedReads(parts.deniesReading),
    askRules(policy),
    powerFiles(),
    ...(judges === undefined ? [] : [judges.allows(mayAllow)]),
    allowRulesAndGrants(policy),
    readsInWorkspace(),
    ownProcesses(),
    ownState(),
    provenSandbox(() => parts.isSandboxed() && parts.asksInside?.() !== true),
    automode({
      isSandboxed: () => parts.isSandboxed(),
      isAuto: () => parts.isAuto(),
      isSandboxOff: () => parts.isSandboxOff(),
    }),
    askPerson({
      whyNotAllowed: (call) => policy.whyNotAllowed(call),
      whyUnsandboxed: (call) => {
        if (!runsCode(call)) return undefined;
        if (!parts.isSandboxed()) {
          const why = parts.sandboxProblem?.();
          return `no sandbox holds it${why === undefined ? "" : ` (${why})`}`;
        }
        return leavesSandbox(call) ? "it asks to run outside the sandbox" : undefined;
      },
    }),
  ];
  return judges === undefined
    ? guards
    : judges.over(guards, (call, { by }) => by !== "rule" && mayAllow(call));
}

/** What a judge's yes can be about. */
function mayAllow(call: GuardedCall): boolean {
  return !call.outside && !leavesSandbox(call) && changedPowerFile(call) === undefined;
}

/** What of an "always" is worth offering: nothing where the same question would come again. */
export function offeredReaches(
  call: GuardedCall,
  { policy, judges }: {
    policy: { reachesOf(call: GuardedCall): readonly Reach[] };
    judges?: Judges;
  },
): readonly Reach[] {
  const isAskedAgain = changedPowerFile(call) !== undefined || judges?.asks(call) === true;
  return isAskedAgain ? [] : policy.reachesOf(call);
}
