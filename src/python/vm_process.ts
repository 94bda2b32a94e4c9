/** One Python process that runs snippets: asked over its standard input, heard over its two output pipes. */
import * as z from "zod";
import { BoundedText } from "@/lib/bounded_text.ts";
import { randomHex } from "@/lib/random.ts";
import { plainText } from "@/lib/plain_text.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import type { Ending, Pipe, Running } from "@/sandbox/running.ts";
import boot from "./boot.py" with { type: "text" };
import driverText from "./driver_text.py" with { type: "text" };
import driver from "./driver.py" with { type: "text" };
import { MarkedOutput } from "./marked_output.ts";

/** How long an interpreter may take to come up, in milliseconds. */
const START_MS = 15_000;

/** How long output may still come after the answer, or after the end, in milliseconds. */
const DRAIN_MS = 300;

/** Kept of what is printed, in characters, whatever the setting says about what is shown of it. */
const KEPT_CHARS_MIN = 64 * 1024;

/** Of one snippet's output, what is shown while it runs, in characters. */
const LIVE_CHARS_MAX = 100_000;

const TIMER_MS_MAX = 2 ** 31 - 1;

/** An answer is bounded by the driver; more than this is none of its answers. */
const ANSWER_CHARS_MAX = 4 * 1024 * 1024;

const readySchema = z.object({
  version: z.string(),
  executable: z.string(),
  prefix: z.string(),
});

const answerSchema = z.object({
  number: z.number(),
  seconds: z.number(),
  kept: z.array(z.string()),
  kept_count: z.number(),
  names: z.array(z.string()),
  reloaded: z.array(z.string()),
  value: z.string().optional(),
  error: z.string().optional(),
  raised: z.string().optional(),
  hint: z.string().optional(),
  exit: z.union([z.number(), z.string()]).optional(),
  interrupted: z.boolean().optional(),
});

/** Who is running. */
export type Python = z.infer<typeof readySchema>;

/** What a snippet came to, as the driver says it. */
export type Answer = z.infer<typeof answerSchema>;

/** How to start one. */
export type VmSetup = {
  interpreter: string;
  /** Real path of the directory it runs in. */
  scratch: string;
  /** Directories to import from, before all others. */
  roots: readonly string[];
  workspace: string;
  memoryMb: number;
  fileMb: number;
  /** What is kept of a snippet's output, in characters. */
  outputCharsMax: number;
  wrap?: Wrapper;
};

/** Code to run, complete. */
export type Request = { code: string; stdin: string; reset: boolean };

/** Who watches, and for how long. */
export type Asking = {
  signal: AbortSignal;
  timeoutMs: number;
  /** How long an interrupted snippet may take to stop by itself. */
  interruptMs: number;
  onOutput(text: string): void;
};

/** What came of asking; after all but an answer the process is of no use any more. */
export type Asked =
  | { kind: "answered"; answer: Answer }
  | { kind: "late" }
  | { kind: "aborted" }
  | { kind: "ended"; ending: Ending }
  | { kind: "unreadable"; text: string };

/** It is there and ready, or does not start. */
export type Started = { process: VmProcess } | { problem: string };

export class VmProcess {
  readonly isWrapped: boolean;
  readonly startedMs = performance.now();
  readonly #running: Running;
  readonly #text: BoundedText;
  // Python is told to print UTF-8; what is not is noise of somebody else.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #marked: MarkedOutput;
  readonly #lines = new TextDecoder();
  #line = "";
  #onLine: (line: string) => void = () => {};
  #onEnd: (number: number) => void = () => {};
  #onOutput: (text: string) => void = () => {};
  #python: Python = { version: "", executable: "", prefix: "" };
  #count = 0;
  #hasEnded = false;

  private constructor(processes: Processes, setup: VmSetup, mark: string) {
    const { interpreter, scratch, workspace, outputCharsMax, wrap } = setup;
    this.isWrapped = wrap !== undefined;
    this.#marked = new MarkedOutput(mark);
    this.#text = new BoundedText(Math.max(KEPT_CHARS_MIN, 2 * outputCharsMax), 2 / 3);
    this.#running = processes.start({
      program: interpreter,
      args: ["-E", "-B", "-u", "-X", "utf8", "-c", boot, ...SOURCES.flatMap(nameAndSize)],
      cwd: scratch,
      stdin: "pipe",
      orphans: "end",
      // A plot is drawn into a file; pyenv takes the version that the project names.
      env: { MPLBACKEND: "Agg", PYENV_DIR: workspace, PYTHONDONTWRITEBYTECODE: "1" },
      ...(wrap === undefined ? {} : { wrap, onlyReadsWorkspace: true }),
    }, (chunk, pipe) => this.#take(chunk, pipe));
    void this.#running.ended.then(() => this.#hasEnded = true);
  }

  /** Start one and wait until it is ready. Throws StartError when the boundary cannot be drawn. */
  static async start(
    processes: Processes,
    setup: VmSetup,
    signal: AbortSignal,
  ): Promise<Started> {
    const mark = randomHex(16);
    const process = new VmProcess(processes, setup, mark);
    const problem = await process.#begin(setup, mark, signal);
    if (problem === undefined) return { process };
    await process.kill();
    return { problem };
  }

  get python(): Python {
    return this.#python;
  }

  /** Whether it has ended by itself. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Snippets that it was given. */
  get count(): number {
    return this.#count;
  }

  async #begin(setup: VmSetup, mark: string, signal: AbortSignal): Promise<string | undefined> {
    const line = this.#nextLine();
    const { scratch, roots, memoryMb, fileMb } = setup;
    const options = { mark, scratch, roots, memory_mb: memoryMb, file_mb: fileMb };
    const sources = SOURCES.map(({ bytes }) => bytes);
    for (const bytes of [...sources, encoded(options)]) await this.#running.write(bytes);
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
    const first = Promise.race([line, this.#running.ended.then(() => undefined), aborted]);
    if (!await settlesWithin(first, START_MS)) return "it does not come up";
    const ready = readySchema.safeParse(parsed(await first ?? ""));
    if (ready.success) {
      this.#python = ready.data;
      return undefined;
    }
    if (signal.aborted) return "it was interrupted";
    await settlesWithin(this.#running.outputClosed, DRAIN_MS);
    const said = this.take().trim().split("\n").at(-1) ?? "";
    return said === "" ? "it ends at once" : said;
  }

  /** Run a snippet. One at a time. */
  async ask(request: Request, asking: Asking): Promise<Asked> {
    const number = this.#count += 1;
    const { signal, timeoutMs, interruptMs } = asking;
    const line = this.#nextLine();
    const ended = Promise.withResolvers<void>();
    this.#onEnd = (seen) => seen === number && ended.resolve();
    this.#onOutput = bounded(asking.onOutput);
    const wait = deadline(signal, timeoutMs);
    try {
      await this.#running.write(encoded({ number, ...request }));
      const first = await Promise.race([line, this.#running.ended, wait.reached]);
      return await this.#asked(first, { number, line, ended: ended.promise, interruptMs });
    } finally {
      wait.stop();
      this.#onOutput = () => {};
    }
  }

  async #asked(
    first: string | Ending | "late" | "aborted",
    { number, line, ended, interruptMs }: {
      number: number;
      line: Promise<string>;
      ended: Promise<void>;
      interruptMs: number;
    },
  ): Promise<Asked> {
    if (typeof first === "object") {
      await settlesWithin(this.#running.outputClosed, DRAIN_MS);
      return { kind: "ended", ending: first };
    }
    if (first === "late") return { kind: "late" };
    let text = first;
    if (first === "aborted") {
      await this.#running.write(encoded({ interrupt: number }));
      if (!await settlesWithin(line, interruptMs)) return { kind: "aborted" };
      text = await line;
    }
    const answer = answerSchema.safeParse(parsed(text));
    if (!answer.success || answer.data.number !== number) return { kind: "unreadable", text };
    await settlesWithin(ended, DRAIN_MS);
    return { kind: "answered", answer: answer.data };
  }

  /** What was printed since this was last asked, as a terminal would show it. */
  take(): string {
    return plainText(this.#text.take());
  }

  kill(): Promise<void> {
    return this.#running.kill(0);
  }

  #nextLine(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#onLine = resolve;
    return promise;
  }

  #take(chunk: Uint8Array, pipe: Pipe): void {
    if (pipe === "stdout") return this.#takeAnswer(this.#lines.decode(chunk, { stream: true }));
    for (const piece of this.#marked.take(chunk)) {
      if (piece.kind === "bytes") this.#print(this.#decoder.decode(piece.bytes, { stream: true }));
      else this.#onEnd(piece.number);
    }
  }

  #takeAnswer(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    if (this.#line.length > ANSWER_CHARS_MAX) this.#onLine(this.#line.slice(0, 1_000));
    for (const line of lines) this.#onLine(line);
  }

  #print(text: string): void {
    if (text === "") return;
    this.#text.add(text);
    this.#onOutput(text);
  }
}

const SOURCES = [
  { name: "driver_text", bytes: new TextEncoder().encode(driverText) },
  { name: "driver", bytes: new TextEncoder().encode(driver) },
];

function nameAndSize({ name, bytes }: { name: string; bytes: Uint8Array }): string[] {
  return [name, String(bytes.length)];
}

/** A lone surrogate stays one: JSON writes it as an escape. */
function encoded(message: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(message)}\n`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** What is shown while a snippet runs has an end; the result has the rest. */
function bounded(onOutput: (text: string) => void): (text: string) => void {
  let left = LIVE_CHARS_MAX;
  return (text) => {
    if (left <= 0) return;
    const shown = text.slice(0, left).toWellFormed();
    left -= text.length;
    onOutput(left > 0 ? shown : `${shown}\n[what it prints from here on is not shown]\n`);
  };
}

/** Settles with "late" after so long (0: never), or with "aborted". */
function deadline(
  signal: AbortSignal,
  ms: number,
): { reached: Promise<"late" | "aborted">; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<"late" | "aborted">();
  const onAbort = () => resolve("aborted");
  // A timer that is set further off fires at once.
  const timer = ms > 0 && ms <= TIMER_MS_MAX ? setTimeout(() => resolve("late"), ms) : undefined;
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    reached: promise,
    stop: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
