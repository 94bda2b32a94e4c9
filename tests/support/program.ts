/** Starts the real program as a person would, with a home of its own and nothing of the test's environment. */
import { resolve } from "node:path";
import { COMPILE_FLAGS } from "@/release/flags.ts";
import { OURS } from "@/sandbox/person_env.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The permissions of `task start`. */
export const FLAGS = [
  "run",
  "-q",
  "--v8-flags=--max-semi-space-size=2",
  "--no-prompt",
  "--no-remote",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net",
  "--allow-run",
  "--allow-sys=osRelease,osUptime,systemMemoryInfo,loadavg,cpus",
] as const;

export type Ran = { code: number; stdout: string; stderr: string };

export type ProgramOptions = {
  cwd: string;
  /** A built file or a script to start; absent: what HARNESS_PROGRAM names, else `main.ts`. */
  program?: string;
  /** The state directory; the terms count as accepted unless `env` says otherwise. */
  home: string;
  env?: Record<string, string>;
  /** Text or bytes on standard input; absent: /dev/null. "open": a pipe that nobody writes to. */
  stdin?: string | Uint8Array;
  /** Called with the running child, to send it signals. */
  onStart?(child: Deno.ChildProcess): void;
};

/** Run it to its end. */
export async function harness(args: readonly string[], options: ProgramOptions): Promise<Ran> {
  const [file, ...before] = command(options);
  const child = new Deno.Command(file, {
    args: [...before, ...args],
    cwd: options.cwd,
    clearEnv: true,
    env: environment(options),
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  options.onStart?.(child);
  if (options.stdin !== undefined && options.stdin !== "open") {
    const writer = child.stdin.getWriter();
    const { stdin } = options;
    try {
      await writer.write(typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin);
      await writer.close();
    } catch (error) {
      // A program that does not read its input may have gone before it was written.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      await Promise.allSettled([writer.abort()]);
    }
  }
  const { code, stdout, stderr } = await child.output();
  if (options.stdin === "open") await Promise.allSettled([child.stdin.close()]);
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** What starts the program: a built file, or Deno with a script. Arguments follow. */
export function command(
  { program = Deno.env.get("HARNESS_PROGRAM") }: Pick<ProgramOptions, "program">,
): [string, ...string[]] {
  const file = resolve(ROOT, program || "main.ts");
  if (!/\.[jt]s$/.test(file)) return [file];
  // A bundle has no configuration beside it.
  const flags = file.endsWith(".ts") ? FLAGS : ["run", ...COMPILE_FLAGS];
  return [Deno.execPath(), ...flags, file];
}

/** The environment of a newcomer: PATH, a home, a state directory, and where Deno keeps its modules. */
export function environment(
  { home, env = {} }: Pick<ProgramOptions, "home" | "env">,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["PATH", "DENO_DIR", "XDG_CACHE_HOME"]) {
    const value = Deno.env.get(name);
    if (value !== undefined) kept[name] = value;
  }
  const cache = kept.XDG_CACHE_HOME ?? `${Deno.env.get("HOME") ?? "/root"}/.cache`;
  return {
    ...kept,
    DENO_DIR: kept.DENO_DIR ?? `${cache}/deno`,
    XDG_CACHE_HOME: cache, // Where a built file is unpacked, once for all homes.
    ...OURS,
    HOME: home,
    LANG: "C.UTF-8",
    HARNESS_HOME: home,
    HARNESS_ACCEPT_TERMS: "1",
    OLLAMA_HOST: "http://127.0.0.1:1",
    ...env,
  };
}
