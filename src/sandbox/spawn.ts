/** The only place that starts a process: own session, no controlling terminal, nothing inherited. */
import { sessionStarter } from "@/sandbox/own_session.ts";

/** What to start, complete. */
export type Launch = {
  /** A name to be found on the `PATH` of `env`, or an absolute path. */
  program: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  stdin: "null" | "piped";
  /** Not killed by Deno itself when an error ends us (2.9.6): somebody else ends it, with what it has taken in. */
  isSurviving?: boolean;
};

/** A process with all its pipes. `stdin` may be used only if it was "piped". */
export type Child = Deno.ChildProcess;

/** Why a program could not be started. */
export type StartErrorKind = "missing" | "no_directory" | "not_executable" | "too_long" | "other";

/** A program that did not start. The message is a sentence for the model and the person. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly kind: StartErrorKind;

  constructor(kind: StartErrorKind, message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Start a program. Throws StartError, and nothing else, if it does not start. */
export function launch(start: Launch): Child {
  const starter = start.isSurviving === true ? undefined : sessionStarter(start.program);
  try {
    return new Deno.Command(starter ?? start.program, {
      args: starter === undefined ? [...start.args] : [start.program, ...start.args],
      cwd: start.cwd,
      clearEnv: true,
      env: { ...start.env },
      stdin: start.stdin,
      stdout: "piped",
      stderr: "piped",
      // Own session and group. Only spawn() honours this; output() keeps the parent's terminal (Deno 2.9.6).
      detached: starter === undefined,
    }).spawn();
  } catch (error) {
    throw startError(start, error);
  }
}

/**
 * Run a program of the person's own in the foreground: it has the terminal until it ends. Resolves to its exit code; throws
 * StartError. Nothing that a model asked for runs like this.
 */
export async function runInTerminal(start: Omit<Launch, "stdin">): Promise<number> {
  try {
    const child = new Deno.Command(start.program, {
      args: [...start.args],
      cwd: start.cwd,
      clearEnv: true,
      env: { ...start.env },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
    return (await child.status).code;
  } catch (error) {
    throw startError(start, error);
  }
}

function startError(
  { program, cwd, args }: Omit<Launch, "stdin">,
  error: unknown,
): StartError {
  const doing = `Cannot start "${program}"`;
  // The same error class stands for a missing directory and a missing program.
  if (!isDirectory(cwd)) {
    return new StartError("no_directory", `${doing} in "${cwd}": no such directory`, error);
  }
  if (error instanceof Deno.errors.NotFound) {
    const message = /[\\/]/.test(program)
      ? `${doing}: it does not exist, or the interpreter that its first line names does not`
      : `${doing}: no program of that name on PATH`;
    return new StartError("missing", message, error);
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new StartError("not_executable", `${doing}: not an executable file`, error);
  }
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "E2BIG") {
    const bytes = args.reduce((sum, argument) => sum + argument.length, 0);
    const message = `${doing}: its arguments are too long (${bytes} characters)`;
    return new StartError("too_long", message, error);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StartError("other", `${doing}: ${reason}`, error);
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return true; // Cannot be the reason that we look for.
    return false;
  }
}

/** The program or its group no longer exists, or belongs to somebody else. */
function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied ||
    (error instanceof TypeError && Deno.build.os === "windows");
}

/** Send a signal to one process; false when it no longer exists. */
export function signalProcess(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** Send a signal to all processes of a group; false when there is none. */
export function signalGroup(pgid: number, signal: Deno.Signal): boolean {
  if (Deno.build.os === "windows") return signalProcess(pgid, signal);
  return signalProcess(-pgid, signal);
}

/** Whether a group has a member, dead ones that nobody has waited for included. */
export function groupExists(pgid: number): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    Deno.kill(-pgid, 0);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
