/** What runs programs in a conversation: the shell for commands, and the Python VM. */
import type { AppParts, ScreenParts } from "./parts.ts";
import { isAbsolute } from "@/lib/path.ts";
import { PythonVm, vmLimitsOf, type VmParts } from "@/python/vm.ts";
import type { SandboxOnDemand } from "@/sandbox/mod.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import { Processes } from "@/sandbox/processes.ts";
import { commandWrapper } from "./sandbox.ts";
import { limitsOf } from "@/shell/limits.ts";
import { Shell, type ShellParts } from "@/shell/shell.ts";

/** Closing them ends all that the person has started; what the model has started ends with `processes`. */
export type Programs = {
  shell: Shell;
  vm: PythonVm;
  /** What programs of the person's own are run with: their rights, and their whole environment. */
  person: PersonPrograms;
  close(): Promise<void>;
};

/** `env` is set on top for each: what never comes from an environment by itself. */
export type PersonPrograms = NonNullable<ShellParts["person"]>;

type Needs = Pick<AppParts, "place" | "settings" | "processes" | "sandbox" | "network"> & {
  /** Takes a secret that is not shown; absent where nobody can type one. */
  askSecret?: NonNullable<ScreenParts["secret"]>;
};

/** Make them; nothing is started yet. */
export function programsOf(needs: Needs): Programs {
  const { place, settings, processes, sandbox, network, askSecret } = needs;
  const { workspace, paths } = place;
  const person = personShell(personEnv(place.env), processes.notUnder);
  return {
    shell: new Shell({
      processes,
      workspace,
      limits: () => limitsOf(settings.current),
      wrap: commandWrapper(sandbox),
      network,
      person,
      ...(askSecret === undefined ? {} : { askSecret }),
    }),
    vm: new PythonVm({
      processes,
      workspace,
      scratch: paths.vm,
      limits: () => vmLimitsOf(settings.current),
      wrap: vmWrapper(sandbox),
    }),
    person,
    close: () => person.processes.close(),
  };
}

/** The person's own environment whole, for what they type themselves. */
function personShell(
  env: Readonly<Record<string, string>>,
  notUnder: readonly string[],
): PersonPrograms {
  // Loader variables never come from an environment into a child, unless they are set for that one child.
  const loaders = Object.entries(env).filter(([name]) => /^(LD_|DYLD_)|^DENO_DIR$/i.test(name));
  const shell = env["SHELL"] ?? "";
  return {
    processes: new Processes(env, { also: Object.keys(env), notUnder }),
    env: Object.fromEntries(loaders),
    ...(isAbsolute(shell) ? { shell } : {}),
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
