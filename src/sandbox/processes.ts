/**
 * Running programs: to their end with bounded output and time (`run`), or as a live handle (`start`). Whatever happens
 * (a timeout, an interrupt, our own death), nothing that was started here is left behind.
 */
import { adopting, type Orphans } from "@/sandbox/adopter.ts";
import { Capture } from "@/sandbox/capture.ts";
import { settlesWithin } from "@/lib/within.ts";
import { childEnvironment, type EnvironmentOptions } from "@/sandbox/env.ts";
import { Guard } from "@/sandbox/guard.ts";
import { findProgram, pathOutside } from "@/sandbox/program.ts";
import { type Pipe, Running } from "@/sandbox/running.ts";
import { type Launch, launch, signalGroup } from "@/sandbox/spawn.ts";

/** What a program may print before only its beginning and end are kept, in bytes. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;

/** How long output may still come after the end of a program whose children we ended, in milliseconds. */
const DRAIN_QUIET_MS = 100;
const DRAIN_MAX_MS = 2_000;

/** A variable that every process of ours carries, so that it is found wherever it went. */
export const CHILD_MARK = "HARNESS_CHILD_OF";

/** A program with its arguments, as a list and never as a joined line. */
export type Command = {
  /** A name on `PATH`, or an absolute path. */
  program: string;
  args?: readonly string[];
  cwd: string;
  /** Set on top of the built environment. */
  env?: Readonly<Record<string, string>>;
  /** What it reads: nothing (the default), these bytes and then the end, or what `Running.write` gives it. */
  stdin?: "null" | "pipe" | Uint8Array;
  /** Both outputs through one pipe, so that they keep the order in which they were written. Not on Windows. */
  joined?: boolean;
  /** Put a boundary around it: the OS sandbox. Sees the command complete and answers what is really started. */
  wrap?: Wrapper;
  /** It runs what others have written: what becomes of what that leaves, also where no boundary is put around it. */
  orphans?: Orphans;
  /** Inside its boundary it can change nothing of the workspace, however long it lives. */
  onlyReadsWorkspace?: boolean;
};

/** Turns a complete command into one that runs it inside a boundary. */
export type Wrapper = (inner: Omit<Launch, "stdin">) => Omit<Launch, "stdin">;

/** Limits of one run, and whoever wants to watch. */
export type RunOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Time to end by itself when it is interrupted or late, in milliseconds. */
  graceMs?: number;
  /** Kept of each output pipe, in bytes; half from the start, half from the end. */
  outputBytesMax?: number;
  onOutput?: (chunk: Uint8Array, pipe: Pipe) => void;
};

/** How a run came to its end. `exited` with any code; `signalled` by somebody else than us. */
export type Ended = "exited" | "signalled" | "timed_out" | "aborted";

/** A program that ran. */
export type Finished = {
  ended: Ended;
  /** Exit code; 128 plus the number for a signal. */
  code: number;
  signal?: string;
  stdout: Capture;
  stderr: Capture;
  ms: number;
};

/**
 * Starts every process of the program; made once. `person` is the environment as the person had it; programs inside
 * `notUnder` are none that we take.
 */
export class Processes {
  /** Where no program is that we take: a checkout must not offer its own. */
  readonly notUnder: readonly string[];
  /** `PATH` of our own helpers, without those. */
  readonly ownPath: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #helperEnv: Readonly<Record<string, string>>;
  readonly #outerMark: string;
  readonly #mark = crypto.randomUUID();
  readonly #guard: Guard;
  readonly #running = new Set<Running>();
  #count = 0;
  #wrapped = 0;
  #isClosed = false;

  constructor(
    person: Readonly<Record<string, string>>,
    { notUnder = [], ...options }: EnvironmentOptions & { notUnder?: readonly string[] } = {},
  ) {
    const isWindows = Deno.build.os === "windows";
    this.#environment = childEnvironment(person, { isWindows, ...options });
    this.notUnder = notUnder;
    // Whoever works at "/" has all of them inside.
    this.ownPath = pathOutside(this.path, notUnder) || this.path;
    this.#helperEnv = { ...systemRoot(this.#environment), PATH: this.ownPath, LC_ALL: "C" };
    // A harness inside a harness: its children belong to both.
    this.#outerMark = person[CHILD_MARK] ?? "";
    this.#guard = new Guard(this.#mark, this.#helperEnv);
  }

  /** `PATH` of every child: absolute entries only. */
  get path(): string {
    return this.#environment.PATH ?? this.#environment.Path ?? "/usr/local/bin:/usr/bin:/bin";
  }

  /** The absolute path of a program, or undefined; programs inside `notUnder` do not count. */
  find(name: string, notUnder: readonly string[] = []): Promise<string | undefined> {
    return findProgram(name, { path: this.path, notUnder });
  }

  /** How many of those live that were started inside a boundary, and can change something of the workspace. */
  get wrappedRunning(): number {
    return this.#wrapped;
  }

  /** Start a program that stays. Throws StartError if it does not start. */
  start(command: Command, onOutput: RunOptions["onOutput"] = () => {}): Running {
    if (this.#isClosed) throw new Error("No process can be started while the program ends");
    this.#guard.ready();
    this.#count += 1;
    const mark = `${this.#mark}.${this.#count}.`;
    const complete = this.#complete(command, mark);
    const child = launch(complete);
    const counts = command.wrap !== undefined && command.onlyReadsWorkspace !== true;
    if (counts) this.#wrapped += 1;
    this.#guard.watch(child.pid);
    const running: Running = new Running({
      child,
      tree: { pid: child.pid, mark, isAdopting: complete.isSurviving },
      helperEnv: this.#helperEnv,
      hasInput: hasInput(command),
      onOutput,
      onGone: () => {
        this.#guard.forget(child.pid);
        if (counts) this.#wrapped -= 1;
        this.#running.delete(running);
      },
    });
    this.#running.add(running);
    if (command.stdin instanceof Uint8Array) void giveAll(running, command.stdin);
    return running;
  }

  #complete(command: Command, mark: string): Launch & { isSurviving: boolean } {
    const { program, args = [], cwd, wrap, joined = false, orphans } = command;
    const env = {
      PATH: this.path,
      ...this.#environment,
      ...command.env,
      [CHILD_MARK]: `${this.#outerMark}${mark}`,
    };
    const inner = joined && Deno.build.os !== "windows"
      ? { program: "/bin/sh", args: ["-c", 'exec "$@" 2>&1', "sh", program, ...args], cwd, env }
      : { program, args, cwd, env };
    const adopted = wrap === undefined && orphans !== undefined
      ? adopting(inner, { orphans, path: inner.env.PATH })
      : undefined;
    return {
      ...(wrap === undefined ? { ...inner, ...adopted } : wrap(inner)),
      stdin: hasInput(command) ? "piped" : "null",
      isSurviving: adopted !== undefined,
    };
  }

  /**
   * Run a program to its end. Everything it started ends with it. Rejects with StartError only; an interrupt and a
   * timeout are results, with the output so far.
   */
  async run(command: Command, options: RunOptions = {}): Promise<Finished> {
    const { outputBytesMax = OUTPUT_BYTES_MAX, onOutput } = options;
    const started = performance.now();
    const captures = { stdout: new Capture(outputBytesMax), stderr: new Capture(outputBytesMax) };
    let lastOutput = started;
    const running = this.start(command, (chunk, pipe) => {
      lastOutput = performance.now();
      captures[pipe].add(chunk);
      onOutput?.(chunk, pipe);
    });
    const stopped = await endedOrStopped(running, options);
    if (stopped === undefined) {
      signalGroup(running.pid, "SIGKILL");
      await drained(running, () => performance.now() - lastOutput);
    } else {
      await running.kill(options.graceMs);
    }
    const { code, signal } = await running.ended;
    const ended = stopped ?? (signal === undefined ? "exited" : "signalled");
    const ms = performance.now() - started;
    return { ended, code, ...(signal === undefined ? {} : { signal }), ...captures, ms };
  }

  /** End all that runs and start nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((running) => running.kill()));
    await this.#guard.close();
  }
}

function hasInput({ stdin = "null" }: Command): boolean {
  return stdin !== "null";
}

async function giveAll(running: Running, bytes: Uint8Array): Promise<void> {
  await running.write(bytes);
  await running.closeInput();
}

async function endedOrStopped(
  running: Running,
  { signal, timeoutMs }: RunOptions,
): Promise<"timed_out" | "aborted" | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  try {
    return await new Promise((resolve) => {
      onAbort = () => resolve("aborted");
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort);
      if (timeoutMs !== undefined) timer = setTimeout(() => resolve("timed_out"), timeoutMs);
      void running.ended.then(() => resolve(undefined));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Wait for the rest of the output: until it is closed, or for a moment of silence if somebody else holds it. */
async function drained(running: Running, quietMs: () => number): Promise<void> {
  const until = performance.now() + DRAIN_MAX_MS;
  while (!await settlesWithin(running.outputClosed, DRAIN_QUIET_MS)) {
    if (quietMs() < DRAIN_QUIET_MS && performance.now() < until) continue;
    // Something left its session and still holds the pipe.
    return await running.kill(0);
  }
}

/** Nothing starts on Windows without these. */
function systemRoot(environment: Readonly<Record<string, string>>): Record<string, string> {
  const isNeeded = ([name]: [string, string]) =>
    /^(systemroot|windir|comspec|pathext)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(isNeeded));
}
