/** A shell with real programs, and limits that a test can wait for. */
import type { Processes } from "@/sandbox/processes.ts";
import type { ShellLimits } from "@/shell/limits.ts";
import type { Outcome } from "@/shell/outcome.ts";
import { Shell, type ShellParts } from "@/shell/shell.ts";
import { withProcesses } from "./processes.ts";
import { withWorkspace } from "./workspace.ts";

/** Shorter than the settings say. */
export const LIMITS: ShellLimits = {
  ...{ idleS: 0.3, graceS: 1, waitS: 2, deadlineS: 20, waitingMax: 3, waitingMaxS: 900 },
};
const ignore = Deno.build.os === "windows";
/** Whoever watches. `seen` collects what is shown. */
export const watch = (signal = new AbortController().signal) => {
  const seen: string[] = [];
  return { signal, onOutput: (text: string) => seen.push(text), seen };
};
/** Seconds that no other process of this machine sleeps for. */
export const uniqueSeconds = () => 100_000 + Math.floor(Math.random() * 1e9);

/** What a test works with. */
export type ShellPlace = {
  dir: string;
  processes: Processes;
  shell: Shell;
  run(command: string): Promise<Outcome>;
};

/** A test of a shell in a workspace of its own; skipped on Windows. */
export function shellTest(
  name: string,
  body: (at: ShellPlace) => Promise<void>,
  parts: Partial<Omit<ShellParts, "limits">> & { limits?: Partial<ShellLimits> } = {},
): void {
  Deno.test({ name, ignore }, () =>
    withWorkspace((dir) =>
      withProcesses((processes) => {
        const limits = () => ({ ...LIMITS, ...parts.limits });
        const shell = new Shell({ processes, workspace: dir, ...parts, limits });
        return body({ dir, processes, shell, run: (command) => shell.run({ command }, watch()) });
      })
    ));
}
