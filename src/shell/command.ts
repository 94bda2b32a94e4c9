/** One command line that runs: what it prints, whether it waits, what it is told, and its end. */
import type { EncodingName, Unencodable } from "@/lib/encoding.ts";
import { settlesWithin } from "@/lib/within.ts";
import { canAdopt } from "@/sandbox/adopter.ts";
import type { Command, Processes, Wrapper } from "@/sandbox/processes.ts";
import type { Ending, Pipe, Running } from "@/sandbox/running.ts";
import { BoundedText } from "@/lib/bounded_text.ts";
import { OutputDecoder } from "@/lib/output_decoder.ts";
import { plainText } from "@/lib/plain_text.ts";
import { KeeperPipe, kept } from "@/shell/keeper.ts";
import { inTerminal } from "@/shell/pseudo_terminal.ts";
import { Redactor, secretPrompt } from "@/shell/secret.ts";
import { judge, type Patience, type WaitingWhy } from "@/shell/waiting.ts";

/** What is kept of output that nobody has asked for, in characters. */
const KEPT_CHARS_MAX = 200_000;

/** What is kept to be looked at again, in characters. */
const RECENT_CHARS_MAX = 20_000;

/** How often a quiet command is looked at again, in milliseconds. */
const LOOK_EVERY_MS = 400;

/** How long output may still come after the end, in milliseconds. */
const DRAIN_QUIET_MS = 60;
const DRAIN_MAX_MS = 1_000;

/** How to start a command line. */
export type CommandStart = {
  command: string;
  cwd: string;
  /** Absolute path of the shell. */
  shell: string;
  codePage?: EncodingName;
  wrap?: Wrapper;
  /** Set on top of the environment. */
  env?: Readonly<Record<string, string>>;
  /** The person's own: it is given no input. */
  isOfPerson?: boolean;
  /** Absolute path of `script`: give it a terminal of its own. */
  script?: string;
  /** Whether it waits for the person, who is being asked about a connection of it: that time is not its own. */
  isHeld?: () => boolean;
  /** False: do not ask the kernel what it waits for. For machines that cannot say, and for trying out how those fare. */
  asksKernel: boolean;
};

/** Who watches while a command is listened to. */
export type Watch = { signal: AbortSignal; onOutput(text: string): void };

/** What came of listening. `ended`: the command itself; `left` counts what it started and left running. */
export type Listened =
  | { kind: "ended"; ending: Ending; left: number }
  | { kind: "waiting"; why: WaitingWhy; quietS: number }
  | { kind: "late" }
  | { kind: "aborted" };

/** A command line that was started. */
export class ShellCommand {
  readonly command: string;
  readonly startedMs = performance.now();
  /** Whether it runs inside a boundary. */
  readonly isInside: boolean;
  readonly isOfPerson: boolean;
  readonly #asksKernel: boolean;
  readonly #isHeld: () => boolean;
  readonly #hasTerminal: boolean;
  readonly #running: Running;
  readonly #text = new BoundedText(KEPT_CHARS_MAX);
  readonly #decoders: Record<Pipe, OutputDecoder>;
  readonly #redactor = new Redactor();
  #recent = "";
  #return = "";
  /** For one that is kept: how it is told that it has ended. */
  readonly #keeper: KeeperPipe | undefined;
  #ending: Ending | undefined;
  /** Processes that were left at its end, as its keeper has counted them; undefined where that one said nothing. */
  #left: number | undefined;
  #hasGone = false;
  #lastOutputMs = this.startedMs;
  #watch: Watch | undefined;
  /** Called when there is something new to look at. */
  #wake = () => {};

  /** Starts it. Throws StartError. */
  constructor(processes: Processes, start: CommandStart) {
    const { command, cwd, codePage, wrap, asksKernel, isOfPerson = false } = start;
    this.command = command;
    this.isInside = wrap !== undefined;
    this.isOfPerson = isOfPerson;
    this.#asksKernel = asksKernel;
    this.#isHeld = start.isHeld ?? (() => false);
    this.#hasTerminal = start.script !== undefined;
    this.#decoders = { stdout: new OutputDecoder(codePage), stderr: new OutputDecoder(codePage) };
    const isKept = wrap === undefined ? canAdopt() : Deno.build.os === "linux";
    this.#keeper = isKept ? new KeeperPipe() : undefined;
    const { env, ...program } = programOf(start);
    this.#running = processes.start({
      ...(isKept ? kept(program) : program),
      ...{ cwd, env, stdin: isOfPerson ? "null" : "pipe", joined: !isKept, orphans: "stay" },
      ...(wrap === undefined ? {} : { wrap }),
    }, (chunk, pipe) => this.#take(this.#decoders[pipe].decode(chunk), pipe));
    void this.#running.ended.then((ending) => {
      this.#hasGone = true;
      this.#ending ??= ending;
      this.#wake();
    });
  }

  #take(text: string, pipe: Pipe): void {
    if (this.#keeper === undefined || pipe === "stdout") return this.#print(text);
    const { end, output } = this.#keeper.take(text);
    if (output !== "") this.#print(output);
    if (end === undefined) return;
    this.#ending = { code: end.code, signal: undefined };
    this.#left = end.left;
    this.#wake();
  }

  get pid(): number {
    return this.#running.pid;
  }

  /** Whether the command itself has ended; what it started may live on. */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  #print(printed: string): void {
    this.#show(this.#redactor.take(this.#hasTerminal ? this.#asLines(printed) : printed));
  }

  /** A terminal ends its lines with two characters, of which the second may come later. */
  #asLines(printed: string): string {
    const text = this.#return + printed;
    this.#return = /(?<!\r)\r*$/.exec(text)?.[0] ?? "";
    return text.slice(0, text.length - this.#return.length).replace(/(?<!\r)\r+\n/g, "\n");
  }

  #show(text: string): void {
    if (text === "") return;
    this.#text.add(text);
    this.#recent += text;
    if (this.#recent.length > 2 * RECENT_CHARS_MAX) {
      this.#recent = this.#recent.slice(-RECENT_CHARS_MAX);
    }
    this.#lastOutputMs = performance.now();
    this.#watch?.onOutput(text);
    this.#wake();
  }

  /** What it printed since this was last asked, as a terminal would show it. */
  take(): string {
    return plainText(this.#text.take());
  }

  /** The end of what it has printed so far, whoever has read it already. */
  get recent(): string {
    return plainText(this.#recent.slice(-RECENT_CHARS_MAX).toWellFormed());
  }

  /** The question for a password or the like that it ends with; undefined when it asks for nothing of the kind. */
  get secretPrompt(): string | undefined {
    return secretPrompt(this.#text.end);
  }

  /** Give it what nobody else is to see: wherever it prints it, that is left out. */
  async sendSecret(secret: string): Promise<boolean> {
    this.#redactor.hide(secret);
    this.#show("[typed by the person, not shown]\n");
    return await this.send(`${secret}\n`) === true;
  }

  /** Give it a text in the encoding that it speaks. False when it no longer reads. */
  async send(text: string): Promise<boolean | Unencodable> {
    const encoded = this.#decoders.stdout.encode(text);
    if (!encoded.ok) return encoded;
    return await this.#running.write(encoded.bytes);
  }

  /** How many processes of it live. */
  async living(): Promise<number> {
    // What keeps it and the boundary itself are processes, which do not count.
    if (this.#left !== undefined) return this.#hasGone ? 0 : this.#left;
    return (await this.#running.look()).members.length;
  }

  kill(): Promise<void> {
    return this.#running.kill();
  }

  /**
   * Listen until it ends, seems to wait, or time is up. `isBackground`: the end of the command itself is no reason to
   * stop listening while what it started still prints.
   */
  async listen(patience: Patience, watch: Watch, isBackground = false): Promise<Listened> {
    const from = performance.now();
    this.#lastOutputMs = Math.max(this.#lastOutputMs, from);
    this.#watch = watch;
    const onAbort = () => this.#wake();
    watch.signal.addEventListener("abort", onAbort);
    try {
      return await this.#listen(patience, { from, signal: watch.signal, isBackground });
    } finally {
      watch.signal.removeEventListener("abort", onAbort);
      this.#watch = undefined;
      this.#wake = () => {};
    }
  }

  async #listen(
    patience: Patience,
    { from, signal, isBackground }: { from: number; signal: AbortSignal; isBackground: boolean },
  ): Promise<Listened> {
    let heldMs = 0;
    let quiet = { since: 0, cpuS: undefined as number | undefined };
    while (true) {
      if (signal.aborted) return { kind: "aborted" };
      if (this.#ending !== undefined) {
        await this.#drained();
        const left = await this.living();
        if (left === 0 || !isBackground) return { kind: "ended", ending: this.#ending, left };
      }
      if (this.#isHeld()) {
        heldMs += await this.#held();
        continue;
      }
      const since = this.#lastOutputMs;
      const quietS = (performance.now() - since) / 1000;
      const elapsedS = (performance.now() - from - heldMs) / 1000;
      const isQuiet = quietS >= patience.idleS;
      const probe = isQuiet ? await this.#probe() : { input: "unknown" as const };
      // What it used until it was first seen quiet does not count.
      if (quiet.since !== since) quiet = { since, cpuS: undefined };
      quiet.cpuS ??= probe.cpuS;
      const cpuS = probe.cpuS === undefined || quiet.cpuS === undefined
        ? {}
        : { cpuS: probe.cpuS - quiet.cpuS };
      // What was seen is void when it printed or ended meanwhile.
      if (this.#lastOutputMs !== since || (this.#ending !== undefined && !isBackground)) continue;
      const seen = { tail: this.#text.end, input: probe.input, quietS, elapsedS, ...cpuS };
      const judgement = judge(seen, patience);
      if (judgement.kind === "waiting") return { ...judgement, quietS };
      if (judgement.kind === "late") return judgement;
      const nextMs = isQuiet ? LOOK_EVERY_MS : (patience.idleS - quietS) * 1000;
      await this.#somethingNew(Math.min(nextMs, (patience.deadlineS - elapsedS) * 1000));
    }
  }

  /** A while of waiting for the person, in milliseconds; silence counts from its end. */
  async #held(): Promise<number> {
    const from = performance.now();
    await this.#somethingNew(LOOK_EVERY_MS);
    this.#lastOutputMs = performance.now();
    return this.#lastOutputMs - from;
  }

  async #probe(): Promise<Awaited<ReturnType<Running["probe"]>>> {
    const probe = await this.#running.probe(this.#hasTerminal);
    return this.#asksKernel ? probe : { ...probe, input: "unknown" };
  }

  /** Waits for output, the end, an interrupt, or so long. */
  async #somethingNew(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, Math.max(1, ms));
    await promise;
    clearTimeout(timer);
    this.#wake = () => {};
  }

  /** The rest of the output: until its pipe is closed, or is quiet because somebody else holds it. */
  async #drained(): Promise<void> {
    const until = performance.now() + DRAIN_MAX_MS;
    while (!await settlesWithin(this.#running.outputClosed, DRAIN_QUIET_MS)) {
      if (performance.now() - this.#lastOutputMs >= DRAIN_QUIET_MS) return;
      if (performance.now() >= until) return;
    }
    for (const decoder of Object.values(this.#decoders)) this.#print(decoder.end());
    this.#print(this.#keeper?.rest() ?? "");
    this.#show(this.#redactor.end());
  }
}

/** What is started: a shell with the line, in a terminal of its own where that was asked for. */
function programOf(
  { command, shell, script, env = {} }: CommandStart,
): Required<Pick<Command, "program" | "args" | "env">> {
  const made = script === undefined ? undefined : inTerminal({ script, shell, command });
  if (made !== undefined) return { ...made, env: { ...env, ...made.env } };
  return { program: shell, args: shellArguments(command), env };
}

/** The line as it was written. PowerShell takes it encoded, because Windows takes arguments apart and joins them again. */
function shellArguments(command: string): string[] {
  if (Deno.build.os !== "windows") return ["-c", command];
  const units = Uint8Array.from(
    { length: 2 * command.length },
    (_, at) => command.charCodeAt(at >> 1) >> (at % 2 * 8) & 0xff,
  );
  return ["-NoProfile", "-EncodedCommand", units.toBase64()];
}
