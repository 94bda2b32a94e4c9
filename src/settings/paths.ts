/** Where things are: the person's state directory, and the workspace. */
import { join, resolve } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { fileErrorReason, isNotThere } from "@/lib/file_error.ts";

/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

/** Everything that is kept about the person, in one directory. Nothing is created by naming it. */
export interface StatePaths {
  readonly home: string;
  readonly sessions: string;
  readonly providers: string;
  readonly settings: string;
  readonly permissions: string;
  readonly memory: string;
  readonly keybindings: string;
  readonly mcp: string;
  readonly mcpSignIns: string;
  readonly hooks: string;
  readonly skills: string;
  readonly profiles: string;
  readonly demo: string;
  readonly history: string;
  readonly channel: string;
  readonly undo: string;
  readonly vm: string;
  readonly syntax: string;
  readonly acceptedTerms: string;
  readonly trust: string;
  readonly caches: string;
  readonly debugLog: string;
}

/**
 * All state paths. `HARNESS_HOME` moves them as a whole; without it they are in `~/.harness`. A relative or `~/`
 * `HARNESS_HOME` is taken from where the person stood.
 * Throws PersonError when neither HARNESS_HOME nor a home directory is known.
 */
export function statePaths(env: Env, stoodIn: string): StatePaths {
  const home = stateHome(env, stoodIn);
  return {
    home,
    sessions: join(home, "sessions"),
    providers: join(home, "providers.json"),
    settings: join(home, "settings.json"),
    permissions: join(home, "permissions.json"),
    memory: join(home, "memory.json"),
    keybindings: join(home, "keybindings.json"),
    mcp: join(home, "mcp.json"),
    mcpSignIns: join(home, "mcp_sign_ins.json"),
    hooks: join(home, "hooks.json"),
    skills: join(home, "skills"),
    profiles: join(home, "profiles"),
    demo: join(home, "demo"),
    history: join(home, "history"),
    channel: join(home, "channel"),
    undo: join(home, "undo"),
    vm: join(home, "vm"),
    syntax: join(home, "syntax"),
    acceptedTerms: join(home, "accepted-terms.json"),
    trust: join(home, "trust.json"),
    caches: join(home, "caches"),
    debugLog: join(home, "debug.log"),
  };
}

function stateHome(env: Env, stoodIn: string): string {
  const chosen = env["HARNESS_HOME"] ?? "";
  const personHome = env["HOME"] || env["USERPROFILE"] || "";
  if (chosen !== "") {
    const fromHome = chosen === "~" || chosen.startsWith("~/");
    return fromHome && personHome !== ""
      ? resolve(personHome, chosen.slice(2))
      : resolve(stoodIn, chosen);
  }
  if (personHome !== "") return resolve(stoodIn, personHome, ".harness");
  throw new PersonError(
    "state",
    "Cannot tell where to keep sessions and settings: neither HARNESS_HOME nor HOME is set",
    "Set HARNESS_HOME to a directory of your own",
  );
}

/**
 * Creates the state directory, for the person alone. One that exists keeps its mode, because HARNESS_HOME may name a
 * directory with other uses; what is secret in it is 0600 by itself.
 * Throws PersonError when it cannot be created or written to.
 */
export async function prepareHome(home: string): Promise<void> {
  try {
    await Deno.mkdir(home, { recursive: true, mode: 0o700 });
    // Asked by doing: mode bits say nothing about read-only mounts, and the bits of root say nothing at all.
    const probe = join(home, `.probe-${crypto.randomUUID()}`);
    await Deno.open(probe, { createNew: true, write: true, mode: 0o600 }).then((file) =>
      file.close()
    );
    await Deno.remove(probe);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new PersonError(
      "state",
      `Cannot keep sessions and settings in "${home}": ${fileErrorReason(error)}`,
      "Make that directory writable, or set HARNESS_HOME to another one",
      error,
    );
  }
}

/** What says where the person stood. */
export type Start = {
  env: Env;
  /** The process's working directory. */
  cwd: string;
  /** The checkout that `deno task` changes into before it starts us; absent for a built file. */
  taskRoot?: string;
};

/**
 * The directory in which the person typed the command. `deno task` changes into its own directory first and leaves
 * the person's in INIT_CWD; npm sets the same variable for its scripts, so it counts only when we stand in our
 * checkout.
 */
export async function placeOfPerson({ env, cwd, taskRoot }: Start): Promise<string> {
  const stood = env["INIT_CWD"] ?? "";
  if (stood === "" || taskRoot === undefined) return cwd;
  const isTask = await realDirectory(cwd) === await realDirectory(taskRoot);
  return isTask && await realDirectory(stood) !== undefined ? stood : cwd;
}

/**
 * The real path of the workspace: the directory of `--cwd` (from where the person stood), else where the person stood.
 * Throws PersonError of kind "usage" when that is no directory.
 */
export async function findWorkspace(stoodIn: string, cwdFlag?: string): Promise<string> {
  const named = cwdFlag === undefined ? stoodIn : resolve(stoodIn, cwdFlag);
  const real = await realDirectory(named);
  if (real !== undefined) return real;
  throw new PersonError(
    "usage",
    cwdFlag === undefined
      ? `Cannot work in "${named}": it is not a directory any more`
      : `Cannot work in "${cwdFlag}": it is not a directory`,
    "--cwd takes an existing directory",
  );
}

/** The real path of a directory; undefined when there is none or it cannot be entered. */
async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await Deno.realPath(path);
    return (await Deno.stat(real)).isDirectory ? real : undefined;
  } catch (error) {
    if (error instanceof Error && isAbsence(error)) return undefined;
    throw error;
  }
}

function isAbsence(error: Error): boolean {
  return isNotThere(error) || error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.FilesystemLoop;
}
