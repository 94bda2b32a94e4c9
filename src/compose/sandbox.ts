/** The sandbox of a run, made of what the composition root knows. */
import { basename, join } from "@/lib/path.ts";
import type { Network } from "./network.ts";
import type { AppParts } from "./parts.ts";
import {
  PROJECT_HOOK_FILES,
  PROJECT_MCP_FILES,
  PROJECT_RULE_FILES,
} from "@/policy/project_files.ts";
import { PersonError } from "@/protocol/error.ts";
import { Sandbox, SandboxOnDemand } from "@/sandbox/mod.ts";
import { personEnv } from "@/sandbox/person_env.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import type { ShellParts } from "@/shell/shell.ts";

type Needs = Pick<AppParts, "run" | "place" | "added" | "trust" | "settings"> & {
  processes: Processes;
  network: Network;
  isInteractive: boolean;
  /** See SandboxOptions. */
  keepsCaches?: boolean;
  onNotice(text: string, about?: string): void;
};

/** The sandbox, to be opened when a command needs it, or when somebody asks what it is worth. */
export function sandboxOf(needs: Needs): SandboxOnDemand {
  const { run, place, added, trust, settings, processes, network, isInteractive, onNotice } = needs;
  const env = personEnv(place.env);
  const open = async () =>
    await Sandbox.open({
      processes,
      env,
      workspace: place.workspace,
      added,
      stateDir: place.paths.home,
      stateNames: Object.values<string>({ ...place.paths }).filter((path) =>
        path !== place.paths.home
      )
        .map((path) => basename(path)),
      ...(needs.keepsCaches !== undefined && { keepsCaches: needs.keepsCaches }),
      ruleFiles: [...PROJECT_RULE_FILES, ...PROJECT_MCP_FILES, ...PROJECT_HOOK_FILES],
      visible: settings.current.SANDBOX_VISIBLE.map((path) => fromHome(path, env["HOME"])),
      isTrusted: (root, name, content) =>
        root === place.workspace && trust.isTrusted(root, name, content),
      limits: () => ({
        processesMax: settings.current.SANDBOX_PROCESSES,
        fileMaxMb: settings.current.SANDBOX_FILE_MB,
      }),
      egress: await network.egress(),
      onNotice,
      isOff: run.sandbox === "off",
    });
  return new SandboxOnDemand(open, ({ notice }) => {
    // In a terminal it is one of the late notices.
    if (notice !== undefined && !isInteractive) onNotice(notice, "sandbox");
  });
}

/** False where it is certain, without trying, that there is no sandbox for commands. */
export async function mayHold(
  { run, processes }: Pick<AppParts, "run" | "processes">,
): Promise<boolean> {
  if (run.sandbox === "off" || Deno.build.os === "darwin") return true;
  return Deno.build.os === "linux" && await processes.find("bwrap") !== undefined;
}

/** With `--sandbox require`: throws PersonError where none holds. */
export async function requireSandbox(
  { run, sandbox }: Pick<AppParts, "run" | "sandbox">,
): Promise<void> {
  if (run.sandbox !== "require") return;
  const { problem } = await sandbox.ready();
  if (problem === undefined) return;
  throw new PersonError(
    "state",
    `There is no sandbox for commands, and --sandbox require asks for one: ${problem}`,
    "harness doctor says what is missing; --sandbox auto asks about every command instead",
  );
}

/**
 * What puts the model's commands inside. Undefined only where the person let a command out (`reason`), or where it is known
 * that there is no sandbox, and each command was asked about.
 */
export function commandWrapper(sandbox: SandboxOnDemand): NonNullable<ShellParts["wrap"]> {
  return (reason) => {
    const { opened } = sandbox;
    if (opened === undefined) throw new Error("A command was to run before the sandbox was tried");
    return reason === undefined && opened.isProven ? opened.wrap() : undefined;
  };
}

/**
 * What puts programs of ours that only read inside: git, whose repository is somebody's input. Tries the sandbox if nothing
 * has tried it yet. Undefined where there is none, or where the person wants none.
 */
export function readingWrapper(
  parts: Pick<AppParts, "run" | "processes" | "sandbox">,
): () => Promise<Wrapper | undefined> {
  return async () => {
    if (parts.run.sandbox === "off" || !await mayHold(parts)) return undefined;
    const sandbox = await parts.sandbox.ready();
    return sandbox.isProven ? sandbox.wrap({ canWriteWorkspace: false }) : undefined;
  };
}

function fromHome(path: string, home: string | undefined): string {
  if (home === undefined || !/^~(\/|$)/.test(path)) return path;
  return join(home, path.slice(1));
}
