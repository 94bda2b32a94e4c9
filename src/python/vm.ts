/**
 * The Python of one harness: started when it is first needed, and again after each of its deaths. It remembers what
 * snippets define for as long as its process lives, and says so when that is over.
 */
import { join } from "@/lib/path.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import { StartError } from "@/sandbox/spawn.ts";
import type { Settings } from "@/settings/settings.ts";
import { findInterpreters, type Interpreter } from "./interpreter.ts";
import type { Answer, Asked, Python, Request, VmProcess, VmSetup } from "./vm_process.ts";

/** Limits, from the settings; 0 is none. */
export type VmLimits = {
  timeoutS: number;
  outputCharsMax: number;
  memoryMb: number;
  fileMb: number;
};

/** The limits that the settings give. */
export function vmLimitsOf(settings: Settings): VmLimits {
  return {
    timeoutS: settings.VM_TIMEOUT,
    outputCharsMax: settings.VM_OUTPUT_CHARS,
    memoryMb: settings.VM_MEMORY_MB,
    fileMb: settings.VM_FILE_MB,
  };
}

/** The person waits for 200 ms at most until an interrupt has done something. */
const INTERRUPT_MS = 120;

/** What it works with. */
export type VmParts = {
  processes: Processes;
  /** Real path. Importable, and not written to. */
  workspace: string;
  /** The directory it runs in; made when it is needed. */
  scratch: string;
  limits(): VmLimits;
  /**
   * The boundary around it, asked before each snippet; it is given the scratch directory's real path. Inside, the
   * workspace cannot be written to.
   */
  wrap?(scratch: string): Wrapper | undefined;
  /** How long an interrupted snippet may take to stop by itself, in milliseconds. */
  interruptMs?: number;
};

/** A snippet. `reset` comes first: the code then begins with nothing. */
export type Snippet = { code: string; stdin?: string; reset?: boolean };

/** Who watches while it runs. */
export type VmWatch = { signal: AbortSignal; onOutput(text: string): void };

/** What came of a snippet. `notes` are sentences that the model should know. */
export type VmOutcome =
  | { kind: "answered"; answer: Answer; output: string; notes: readonly string[] }
  | { kind: "lost"; why: VmDeath; output: string; notes: readonly string[] }
  /** It was interrupted before; nothing of it ran. */
  | { kind: "not_begun" }
  | { kind: "unavailable"; problem: string };

/** How the process and all variables were lost. `unstoppable`: it did not react to an interrupt. */
export type VmDeath =
  | { kind: "late"; seconds: number }
  | { kind: "ended"; code: number; signal?: string }
  | { kind: "unreadable" }
  | { kind: "unstoppable" };

/** What it is doing now. */
export type VmState = {
  scratch: string;
  running?: {
    python: Python;
    isWrapped: boolean;
    ageS: number;
    snippets: number;
    names: readonly string[];
  };
};

/** The one interpreter of a harness. Snippets run one after the other. */
export class PythonVm {
  readonly #parts: VmParts;
  #process: VmProcess | undefined;
  #names: readonly string[] = [];
  /** Why what was defined is gone, where no result has said so. */
  #lost: string | undefined;
  #before: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> = Promise.resolve();

  constructor(parts: VmParts) {
    this.#parts = parts;
  }

  /** Run a snippet. Never rejects for what Python or the code does. */
  run(snippet: Snippet, watch: VmWatch): Promise<VmOutcome> {
    const outcome = this.#before.then(() => this.#run(snippet, watch));
    this.#before = Promise.allSettled([outcome]);
    return outcome;
  }

  async #run({ code, stdin = "", reset = false }: Snippet, watch: VmWatch): Promise<VmOutcome> {
    await this.#ending;
    if (watch.signal.aborted) return { kind: "not_begun" };
    const { timeoutS } = this.#parts.limits();
    const ready = await this.#ready(watch.signal);
    if ("problem" in ready) return { kind: "unavailable", problem: ready.problem };
    const { process, notes } = ready;
    const request: Request = { code, stdin, reset };
    const { interruptMs = INTERRUPT_MS } = this.#parts;
    const timeoutMs = timeoutS * 1000;
    const asked = await process.ask(request, { ...watch, timeoutMs, interruptMs });
    if (asked.kind === "answered") {
      this.#names = asked.answer.names;
      return { kind: "answered", answer: asked.answer, output: process.take(), notes };
    }
    this.#end();
    return { kind: "lost", why: deathOf(asked, timeoutS), output: process.take(), notes };
  }

  /** What it is doing now, without starting it. */
  state(): VmState {
    const { scratch } = this.#parts;
    const process = this.#process;
    if (process === undefined || process.hasEnded) return { scratch };
    const { python, isWrapped, startedMs, count } = process;
    const ageS = (performance.now() - startedMs) / 1000;
    return { scratch, running: { python, isWrapped, ageS, snippets: count, names: this.#names } };
  }

  /** The Python that the next snippet runs in, or undefined. Starts nothing. */
  async interpreter(): Promise<Interpreter | undefined> {
    const { processes, workspace } = this.#parts;
    const interpreters = await findInterpreters(processes, workspace);
    const process = this.#process;
    if (process === undefined || process.hasEnded) return interpreters[0];
    return interpreters.find(({ path }) => path === this.#path) ?? interpreters[0];
  }

  /** End the process, by the person's word; false when there was none. The next snippet starts a new one. */
  async stop(): Promise<boolean> {
    await this.#ending;
    const wasRunning = this.#process !== undefined && !this.#process.hasEnded;
    if (wasRunning && this.#process?.count !== 0) this.#lost = "the person ended the process";
    this.#end();
    await this.#ending;
    return wasRunning;
  }

  /** Forget everything that was defined, by the person's word; false when there was nothing. */
  async reset(): Promise<boolean> {
    if (this.#process === undefined || this.#process.hasEnded) return false;
    const watch = { signal: new AbortController().signal, onOutput: () => {} };
    await this.run({ code: "", reset: true }, watch);
    this.#lost = "the person has emptied the process";
    return true;
  }

  /** Which of the interpreters it was. */
  #path = "";

  #end(): void {
    const process = this.#process;
    this.#process = undefined;
    this.#names = [];
    if (process !== undefined) this.#ending = process.kill();
  }

  /** The process to ask, a new one where there is none or where it stands on the wrong side of the boundary. */
  async #ready(
    signal: AbortSignal,
  ): Promise<{ process: VmProcess; notes: string[] } | { problem: string }> {
    const scratch = await this.#scratch();
    const wrapper = this.#parts.wrap?.(scratch);
    const old = this.#process;
    if (old?.hasEnded === true) this.#lost ??= "the process has ended between two calls";
    if (old !== undefined && !old.hasEnded) {
      if (old.isWrapped === (wrapper !== undefined)) return { process: old, notes: this.#loss() };
      this.#lost = wrapper === undefined
        ? "it runs outside the sandbox from now on"
        : "it runs inside the sandbox from now on";
    }
    this.#end();
    await this.#ending;
    const started = await this.#start(scratch, wrapper, signal);
    if ("problem" in started) return started;
    this.#process = started.process;
    return { process: started.process, notes: [...started.notes, ...this.#loss()] };
  }

  /** What was lost without a result that said so; told once. */
  #loss(): string[] {
    const lost = this.#lost;
    this.#lost = undefined;
    return lost === undefined ? [] : [`What earlier calls defined is gone: ${lost}`];
  }

  async #scratch(): Promise<string> {
    await Deno.mkdir(this.#parts.scratch, { recursive: true, mode: 0o700 });
    return await Deno.realPath(this.#parts.scratch);
  }

  async #start(
    scratch: string,
    wrap: Wrapper | undefined,
    signal: AbortSignal,
  ): Promise<{ process: VmProcess; notes: string[] } | { problem: string }> {
    const { processes, workspace, limits } = this.#parts;
    const { memoryMb, fileMb, outputCharsMax } = limits();
    const interpreters = await findInterpreters(processes, workspace);
    const setup = {
      scratch,
      workspace,
      memoryMb,
      fileMb,
      outputCharsMax,
      roots: rootsOf(workspace),
    };
    const problems: string[] = [];
    for (const { path } of interpreters) {
      const started = await startOne(processes, {
        ...setup,
        interpreter: path,
        ...(wrap === undefined ? {} : { wrap }),
      }, signal);
      if ("problem" in started) {
        if (started.isForAll) return { problem: started.problem };
        problems.push(`${path}: ${started.problem}`);
        if (signal.aborted) break;
        continue;
      }
      this.#path = path;
      const used = `It runs in ${started.process.python.executable} instead`;
      const notes = problems.map((text) => `This Python does not start (${text}). ${used}`);
      return { process: started.process, notes };
    }
    return { problem: noPython(problems) };
  }
}

async function startOne(
  processes: Processes,
  setup: VmSetup,
  signal: AbortSignal,
): Promise<{ process: VmProcess } | { problem: string; isForAll: boolean }> {
  // Loaded with the first snippet: most turns need none.
  const { VmProcess } = await import("./vm_process.ts");
  try {
    return { isForAll: false, ...await VmProcess.start(processes, setup, signal) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    // A boundary that cannot be drawn is no matter of the interpreter.
    return { problem: error.message, isForAll: error.kind === "other" };
  }
}

function noPython(problems: readonly string[]): string {
  const what = problems.length === 0
    ? "There is no Python: neither the project has one (.venv) nor is there a python3 on PATH"
    : `No Python could be started:\n${problems.join("\n")}`;
  return `${what}\nInstall Python 3.8 or newer, or make an environment with python3 -m venv .venv`;
}

/** The project, and the directory that holds its packages where that is the custom. */
function rootsOf(workspace: string): string[] {
  return [workspace, ...isSourceDirectory(join(workspace, "src")) ? [join(workspace, "src")] : []];
}

function isSourceDirectory(path: string): boolean {
  try {
    const names = [...Deno.readDirSync(path)].map(({ name }) => name);
    return names.length > 0 && !names.includes("__init__.py");
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function deathOf(asked: Exclude<Asked, { kind: "answered" }>, timeoutS: number): VmDeath {
  switch (asked.kind) {
    case "late":
      return { kind: "late", seconds: timeoutS };
    case "aborted":
      return { kind: "unstoppable" };
    case "unreadable":
      return { kind: "unreadable" };
    case "ended": {
      const { code, signal } = asked.ending;
      return { kind: "ended", code, ...(signal === undefined ? {} : { signal }) };
    }
    default:
      return asked satisfies never;
  }
}
