/** The `shell.waiting` vectors against real commands where one is named, and the `platform.deno` facts against Deno. */
import { z } from "zod";
import { resultText } from "@/lib/tool_result.ts";
import type { InputState } from "@/sandbox/stdin_probe.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { outcomeResult } from "@/shell/outcome_text.ts";
import { limitsOf } from "@/shell/limits.ts";
import { Shell, ShellError } from "@/shell/shell.ts";
import { judge, type Judgement } from "@/shell/waiting.ts";
import { machineEnv, withProcesses } from "../support/processes.ts";
import type { Adapter, Adapters } from "./adapter.ts";

const LIMITS = limitsOf(DEFAULT_SETTINGS);

const waitingInput = z.object({
  tail: z.string().default(""),
  proc: z.string().nullable().default("unknown"),
  cpu_delta: z.number().optional(),
  quiet: z.number().default(LIMITS.idleS),
  elapsed: z.number().optional(),
  exit: z.number().optional(),
  output: z.string().default(""),
  running: z.number().optional(),
  session: z.string().optional(),
  stdin: z.string().optional(),
  program: z.string().optional(),
  runs_s: z.number().optional(),
});

const waiting: Adapter = async (raw) => {
  const input = waitingInput.parse(raw);
  const { exit, output, running, session, stdin, program, runs_s: runsS } = input;
  if (exit !== undefined) return ended(exit, output);
  if (running !== undefined) return { error: await isRefused(running, session) };
  if (stdin !== undefined) return { bytes_sent: await sent(stdin) };
  if (program !== undefined) return await waitingWithin(program);
  if (runsS !== undefined) return { killed: isStopped(runsS) };
  return { decision: decision(input) };
};

function decision(input: z.infer<typeof waitingInput>): string {
  const { tail, proc, cpu_delta: cpuS, quiet, elapsed } = input;
  const states: Readonly<Record<string, InputState>> = { "stdin": "reads", "not stdin": "other" };
  const judgement = judge({
    ...{ tail, input: states[proc ?? ""] ?? "unknown", quietS: quiet },
    ...{ elapsedS: elapsed ?? quiet },
    ...(cpuS === undefined ? {} : { cpuS }),
  }, LIMITS);
  const words: Readonly<Record<Judgement["kind"], string>> = {
    ...{ waiting: "waiting", listen: "keep listening", late: "killed" },
  };
  return words[judgement.kind];
}

function ended(code: number, output: string): Record<string, string> {
  const result = outcomeResult({ kind: "ended", code, output }, DEFAULT_SETTINGS.CMD_OUTPUT_CHARS);
  const text = resultText(result, { name: "run_cmd", input: { command: "x" } });
  return { result: text, mentions: text, starts_with: text };
}

/** A command that prints twice a second: whether it is ever taken to be late. */
function isStopped(runsS: number): boolean {
  const seen = { tail: "x\n", input: "other", quietS: 0.5 } as const;
  for (let elapsedS = 0; elapsedS <= runsS; elapsedS += 0.5) {
    if (judge({ ...seen, elapsedS }, LIMITS).kind === "late") return true;
  }
  return false;
}

async function withShell<T>(
  body: (shell: Shell, run: (command: string) => ReturnType<Shell["run"]>) => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  await withProcesses(async (processes) => {
    const shell = new Shell({ processes, workspace: "/", limits: () => LIMITS });
    result = await body(shell, (command) => shell.run({ command }, WATCH));
  });
  return result as T;
}

const WATCH = { signal: new AbortController().signal, onOutput: () => {} };

function isRefused(running: number, session: string | undefined): Promise<boolean> {
  return withShell(async (shell, run) => {
    for (let n = 0; n < running; n += 1) await run("printf '? '; read x");
    try {
      await shell.send(session, "x", WATCH);
      return false;
    } catch (error) {
      if (error instanceof ShellError) return true;
      throw error;
    }
  });
}

/** What reaches a program that repeats it; 0 for nothing. */
function sent(stdin: string): Promise<string | number> {
  return withShell(async (shell, run) => {
    await run("cat");
    const { output } = await shell.send(undefined, stdin, WATCH);
    return output === "" ? 0 : output;
  });
}

const PROGRAMS: Readonly<Record<string, string>> = {
  "node readline question with newline": "exec node -e '" +
    'const { createInterface } = require("readline");' +
    'createInterface({ input: process.stdin, output: process.stdout }).question("name?\\n", () => {})' +
    "'",
};

async function waitingWithin(program: string): Promise<Record<string, number> | undefined> {
  const command = PROGRAMS[program];
  if (command === undefined) return undefined;
  return await withShell(async (shell, run) => {
    const hasNode = await run("command -v node");
    if (hasNode.kind !== "ended" || hasNode.code !== 0) return undefined;
    const started = performance.now();
    const outcome = await run(command);
    const seconds = (performance.now() - started) / 1000;
    await shell.close();
    return outcome.kind === "waiting" ? { waiting_within_s: seconds } : {};
  });
}

/** A fact of Deno, asked of this Deno by a program that it runs with these flags. */
async function askDeno(flags: readonly string[], code: string): Promise<string> {
  let answer = "";
  await withProcesses(async (processes) => {
    const finished = await processes.run({
      program: Deno.execPath(),
      args: ["run", "-q", "--no-prompt", "--no-config", ...flags, "-"],
      cwd: "/",
      env: { HOME: machineEnv().HOME ?? "/" },
      stdin: new TextEncoder().encode(code),
    });
    answer = finished.stdout.text().trim();
  });
  return answer;
}

const TRY = `const attempt = (name, act) => {
  try { act(); return { [name]: "works" }; }
  catch (error) { return { [name]: error instanceof Deno.errors.NotCapable ? "refused" : String(error) }; }
};
`;

const denoInput = z.object({
  flags: z.array(z.string()).optional(),
  detached: z.boolean().optional(),
  label: z.string().optional(),
});

const deno: Adapter = async (raw) => {
  const { flags = [], detached, label } = denoInput.parse(raw);
  if (label !== undefined) return { decode: new TextDecoder(label).encoding === label };
  if (detached === true) {
    const kills =
      `const child = new Deno.Command("sh", { args: ["-c", "sleep 9"], detached: true }).spawn();
      console.log(JSON.stringify(attempt("kill_negative_pid", () => Deno.kill(-child.pid, "SIGKILL"))));`;
    return JSON.parse(await askDeno(["--allow-run"], TRY + kills));
  }
  if (flags.some((flag) => flag.startsWith("--allow-read"))) {
    const reads = `const path = "/proc/" + Deno.pid + "/syscall";
      console.log(JSON.stringify(attempt("read", () => Deno.readTextFileSync(path))));`;
    return JSON.parse(await askDeno(flags, TRY + reads));
  }
  const kills = `const child = new Deno.Command("sh", { args: ["-c", "sleep 9"] }).spawn();
    console.log(JSON.stringify({ ...attempt("Deno.kill", () => Deno.kill(child.pid, "SIGTERM")),
      ...attempt("child.kill", () => child.kill("SIGKILL")) }));`;
  return JSON.parse(await askDeno(flags, TRY + kills));
};

export const adapters: Adapters = { "shell.waiting": waiting, "platform.deno": deno };
