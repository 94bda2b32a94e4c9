/** What runs programs in a conversation: the shell for commands, and the Python VM. */
import type { AppParts } from "./app.ts";
import { PythonVm, vmLimitsOf, type VmParts } from "./python/vm.ts";
import type { SandboxOnDemand } from "./sandbox/mod.ts";
import { commandWrapper } from "./sandbox_start.ts";
import { limitsOf } from "./shell/limits.ts";
import { Shell } from "./shell/shell.ts";

export type Programs = { shell: Shell; vm: PythonVm };

type Needs = Pick<AppParts, "place" | "settings" | "processes" | "sandbox">;

/** Make them; nothing is started yet. */
export function programsOf({ place, settings, processes, sandbox }: Needs): Programs {
  const { workspace, paths } = place;
  return {
    shell: new Shell({
      processes,
      workspace,
      limits: () => limitsOf(settings.current),
      wrap: commandWrapper(sandbox),
    }),
    vm: new PythonVm({
      processes,
      workspace,
      scratch: paths.vm,
      limits: () => vmLimitsOf(settings.current),
      wrap: vmWrapper(sandbox),
    }),
  };
}

/** Python inside, where there is a sandbox: the project is there to be read, its own directory to be written. */
function vmWrapper(sandbox: SandboxOnDemand): NonNullable<VmParts["wrap"]> {
  return (scratch) => {
    const { opened } = sandbox;
    if (opened === undefined) throw new Error("Code was to run before the sandbox was tried");
    if (!opened.isProven) return undefined;
    return opened.wrap({ writable: [scratch], canWriteWorkspace: false });
  };
}
