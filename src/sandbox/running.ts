/** A process that is alive: its input, its output as it comes, and its end with everything it started. */
import { membersOf, type ProcessTable, readTable, type Tree } from "@/sandbox/process_table.ts";
import { pump } from "@/sandbox/read_all.ts";
import { killTree } from "@/sandbox/reap.ts";
import { type InputState, probeInput } from "@/sandbox/stdin_probe.ts";
import { type Child, groupExists, type Launch } from "@/sandbox/spawn.ts";

/** Time between SIGTERM and SIGKILL, in milliseconds. Short: somebody pressed Ctrl+C and is waiting. */
export const KILL_GRACE_MS = 150;

/** How often a group whose first process has ended is looked at, in milliseconds. */
const GROUP_POLL_MS = 2_000;

export type Pipe = "stdout" | "stderr";

/** How the process that was started ended. `code` is 128 plus the number for a signal. */
export type Ending = { code: number; signal: string | undefined };

/** What a running process needs to know from its starter. */
export type RunningOptions = {
  child: Child;
  tree: Tree;
  helperEnv: Launch["env"];
  hasInput: boolean;
  /** Called for every piece of output, in order of arrival. Must not throw. */
  onOutput: (chunk: Uint8Array, pipe: Pipe) => void;
  /** Called once, when nothing of its process group is left. */
  onGone: () => void;
};

/** A started process. Its pipes are always drained. Whoever holds it ends it: by `kill()`, or by waiting for the end of its tree. */
export class Running {
  readonly pid: number;
  /** Settles when the process itself has ended, whatever its children do. Never rejects. */
  readonly ended: Promise<Ending>;
  /** Settles when both output pipes are closed: by everybody who held them, or by `cutOutput()`. Never rejects. */
  readonly outputClosed: Promise<void>;

  readonly #options: RunningOptions;
  readonly #readers: readonly ReadableStreamDefaultReader<Uint8Array>[];
  #input: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #dropped: Promise<unknown> | undefined;
  #kill: Promise<void> | undefined;
  #poll: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  constructor(options: RunningOptions) {
    const { child, onOutput } = options;
    this.#options = options;
    this.pid = child.pid;
    if (options.hasInput) this.#input = child.stdin.getWriter();
    const [stdout, stderr] = [child.stdout.getReader(), child.stderr.getReader()];
    this.#readers = [stdout, stderr];
    this.outputClosed = Promise.all([
      pump(stdout, (chunk) => onOutput(chunk, "stdout")),
      pump(stderr, (chunk) => onOutput(chunk, "stderr")),
    ]).then(() => {});
    this.ended = child.status.then(({ code, signal }) => ({ code, signal: signal ?? undefined }));
    void this.ended.then(() => this.#waitForGroup());
  }

  /** Give it input. False when it no longer reads: its end of the pipe is closed, or there is none. */
  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#input === undefined) return false;
    try {
      await this.#input.write(bytes);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe || error instanceof TypeError) return false;
      throw error;
    }
  }

  /** Tell it that no more input comes. */
  async closeInput(): Promise<void> {
    const input = this.#input;
    this.#input = undefined;
    // It may have closed its end already, which comes to the same.
    await Promise.allSettled([input?.close()]);
  }

  /** Everything alive that belongs to it, itself included; and the table it was read from. */
  async look(): Promise<{ members: ProcessTable["rows"]; table: ProcessTable }> {
    const table = await readTable(this.#options.tree.mark, this.#options.helperEnv);
    return { members: membersOf(this.#options.tree, table), table };
  }

  /**
   * Whether it waits for input, and what CPU time its living processes have used, in seconds; absent if nobody says.
   * `hasTerminal`: it was given a terminal of its own.
   */
  async probe(hasTerminal = false): Promise<{ input: InputState; cpuS?: number }> {
    const { members } = await this.look();
    const { helperEnv, hasInput } = this.#options;
    const pids = members.map(({ pid }) => pid);
    const input = hasInput ? await probeInput(this.pid, { pids, helperEnv, hasTerminal }) : "other";
    if (members.length === 0) return { input };
    return { input, cpuS: members.reduce((sum, { cpu }) => sum + cpu, 0) / 100 };
  }

  /** End it and everything it started. Resolves when that is done; a second call waits for the first. */
  kill(graceMs: number = KILL_GRACE_MS): Promise<void> {
    this.#kill ??= this.#killNow(graceMs);
    return this.#kill;
  }

  async #killNow(graceMs: number): Promise<void> {
    const { tree, helperEnv } = this.#options;
    await killTree(tree, { graceMs, ended: this.ended, helperEnv });
    await this.ended;
    this.#gone();
    // Who still holds the pipes now could not be found; there is nothing to wait for.
    await this.cutOutput();
    await this.#dropInput();
  }

  /** Stop listening, although somebody may still hold the pipes. */
  async cutOutput(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.cancel()));
    await this.outputClosed;
  }

  /** Our end of the pipe stays open until then, whoever has read from the other one. */
  #dropInput(): Promise<unknown> {
    const input = this.#input;
    this.#input = undefined;
    return this.#dropped ??= Promise.allSettled([input?.abort()]);
  }

  #waitForGroup(): void {
    if (this.#isGone) return;
    if (!groupExists(this.pid)) return this.#gone();
    const poll = setTimeout(() => this.#waitForGroup(), GROUP_POLL_MS);
    Deno.unrefTimer(poll); // Nobody waits for it: the guard ends the group when we end.
    this.#poll = poll;
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#poll);
    void this.#dropInput();
    this.#options.onGone();
  }
}
