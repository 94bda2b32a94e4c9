/** The Python VM with the real Python of this machine, in a place of its own. */
import { join } from "node:path";
import { PythonVm, type VmLimits, type VmOutcome, type VmParts } from "@/python/vm.ts";
import { vmResult } from "@/python/outcome_text.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { withProcesses } from "./processes.ts";
import { withWorkspace } from "./workspace.ts";

export const VM_LIMITS: VmLimits = {
  timeoutS: 20,
  outputCharsMax: 4_000,
  memoryMb: 512,
  fileMb: 64,
};

const ignore = Deno.build.os === "windows";

/** What a test works with. */
export type VmPlace = {
  dir: string;
  workspace: string;
  scratch: string;
  processes: Processes;
  vm: PythonVm;
  run(code: string, more?: { stdin?: string; reset?: boolean }): Promise<VmOutcome>;
  /** The text of the result. */
  text(code: string, more?: { stdin?: string; reset?: boolean }): Promise<string>;
};

/** Whoever watches. `seen` collects what is shown. */
export const watching = (signal = new AbortController().signal) => {
  const seen: string[] = [];
  return { signal, onOutput: (text: string) => seen.push(text), seen };
};

/** A test of it; skipped on Windows. */
export function vmTest(
  name: string,
  body: (at: VmPlace) => Promise<void>,
  limits: Partial<VmLimits> = {},
  parts: Partial<VmParts> = {},
): void {
  Deno.test({ name, ignore }, () =>
    withWorkspace((dir) =>
      withProcesses(async (processes) => {
        const [workspace, scratch] = [join(dir, "project"), join(dir, "vm")];
        await Deno.mkdir(workspace);
        const all = { ...VM_LIMITS, ...limits };
        const vm = new PythonVm({ processes, workspace, scratch, limits: () => all, ...parts });
        const run: VmPlace["run"] = (code, more) => vm.run({ code, ...more }, watching());
        const text: VmPlace["text"] = async (code, more) =>
          vmResult(await run(code, more), all.outputCharsMax).text;
        await body({ dir, workspace, scratch, processes, vm, run, text });
      })
    ));
}
