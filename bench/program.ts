/** The program as a person starts it, and an empty one to measure it against. */
import { fileURLToPath } from "node:url";
import { OURS } from "@/sandbox/person_env.ts";
import config from "../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CHILD = `${ROOT}bench/child.py`;

/** A folder for one bench: state and workspace of the measured programs. Removed by `[Symbol.asyncDispose]`. */
export type Scratch =
  & { dir: string; workspace: string; env: Record<string, string> }
  & AsyncDisposable;

/** What a program took. `ms` is until it ended, or until its prompt stood; `cpuMs` is of all its threads. */
export type Took = {
  ms: number;
  cpuMs: number;
  peakMB: number;
  code: number;
  replyCpuMs: number | null;
};

/** Makes the folders. `extra` joins the environment, which is otherwise small and the same for every run. */
export async function scratch(extra: Record<string, string> = {}): Promise<Scratch> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-bench-" }));
  const workspace = `${dir}/workspace`;
  await Deno.mkdir(workspace);
  await Deno.writeTextFile(`${dir}/empty.ts`, "");
  await Deno.writeTextFile(
    `${dir}/prompt.ts`,
    `Deno.stdout.writeSync(new TextEncoder().encode("> "));`,
  );
  const kept = ["PATH", "HOME", "DENO_DIR", "LANG"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const ours = {
    ...OURS,
    HARNESS_HOME: `${dir}/state`,
    HARNESS_ACCEPT_TERMS: "1",
    TERM: "xterm-256color",
  };
  const env = { ...Object.fromEntries(kept), ...ours, ...extra };
  return {
    dir,
    workspace,
    env,
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}

/** The command line of the program with these arguments, under the flags of `task start`. */
export function program(...args: string[]): string[] {
  return [Deno.execPath(), ...startFlags(), `${ROOT}main.ts`, ...args];
}

/** The single file in a bench's folder, made as `task build` makes it, and the bench's place for it to unpack. */
export async function build(at: Scratch): Promise<{ file: string; at: Scratch }> {
  const file = `${at.dir}/harness`;
  const flags = ["-q", "--no-prompt", "--no-remote", "--allow-read", "--allow-write"]
    .concat("--allow-env", "--allow-run", "--allow-sys");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, `${ROOT}tasks/build.ts`, "--out", file],
  }).output();
  if (!success) throw new Error(`Cannot build: ${new TextDecoder().decode(stderr)}`);
  return { file, at: { ...at, env: { ...at.env, XDG_CACHE_HOME: `${at.dir}/cache` } } };
}

/** A Deno program of that file under the same flags. */
export function other(file: string, ...args: readonly string[]): string[] {
  return [Deno.execPath(), ...startFlags(), file, ...args];
}

function startFlags(): string[] {
  const words = config.tasks.start.split(" ");
  return words.slice(words.indexOf("run"), words.indexOf("main.ts"));
}

/** Runs a command to its end. Throws when it fails. */
export function took(command: readonly string[], at: Scratch): Promise<Took> {
  return child(["run", ...command], at);
}

/** What a command prints on standard output. Throws when it fails. */
export async function output(
  [file = "", ...args]: readonly string[],
  at: Scratch,
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(file, {
    args,
    cwd: at.workspace,
    env: at.env,
    clearEnv: true,
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  if (code !== 0) throw new Error(`${args.join(" ")}: exit code ${code}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}

/** Runs a command in a pseudo-terminal until `mark` is shown, types /exit, and waits for the end. */
export function tookToPrompt(mark: string, command: readonly string[], at: Scratch): Promise<Took> {
  return child(["prompt", mark, ...command], at);
}

/** Runs a command in a pseudo-terminal until a letter that was typed is drawn, and leaves it. */
export function tookToInput(command: readonly string[], at: Scratch): Promise<Took> {
  return child(["typed", ...command], at);
}

/** Milliseconds until a program of others, in a pseudo-terminal, has drawn a letter that was typed; it is ended by force then. */
export async function msToDrawn(command: readonly string[], at: Scratch): Promise<number> {
  return (await child(["drawn", ...command], at)).ms;
}

/** CPU time that a program in a pseudo-terminal takes from a question to `mark` on its screen, in ms. Linux only. */
export async function replyCpuMs(
  mark: string,
  command: readonly string[],
  at: Scratch,
): Promise<number> {
  return (await child(["reply", mark, ...command], at)).replyCpuMs ?? NaN;
}

async function child(args: readonly string[], at: Scratch): Promise<Took> {
  const { code, stdout, stderr } = await new Deno.Command("python3", {
    args: [CHILD, ...args],
    cwd: at.workspace,
    env: at.env,
    clearEnv: true,
  }).output();
  const said = new TextDecoder().decode(code === 0 ? stdout : stderr);
  if (code !== 0) throw new Error(`Cannot measure ${args.join(" ")}: ${said.trim()}`);
  const measured: Took = JSON.parse(said);
  if (measured.code !== 0) {
    throw new Error(`${args.join(" ")} ended with exit code ${measured.code}`);
  }
  return measured;
}
