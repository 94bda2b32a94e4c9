/** A terminal for one program: every byte that it wrote, and keys typed into it. */
export type TerminalStart = {
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Where the process id of the program is written. */
  pidFile: string;
};

const LOOK_MS = 10;

const encoder = new TextEncoder();

/** A pseudo-terminal by `script`, wide enough that no row of a question is broken. */
export class Terminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  readonly #pidFile: string;
  #bytes: Uint8Array[] = [];
  #text = "";
  #exit: number | undefined;

  constructor({ argv, cwd, env, pidFile }: TerminalStart) {
    const words = argv.map(quoted).join(" ");
    // What was typed by nobody would stand in the terminal's queue when the program has gone.
    const line = `stty rows 60 columns 500; (echo $BASHPID > ${quoted(pidFile)}; exec ${words}); ` +
      `code=$?; IFS= read -r -t 0.2 left; printf '\\nEXIT:%s LEFT:%s\\n' "$code" "$left"`;
    this.#pidFile = pidFile;
    this.#child = new Deno.Command("script", {
      args: ["-qfc", `exec bash --norc -c ${quoted(line)}`, "/dev/null"],
      cwd,
      clearEnv: true,
      env: { ...env, SHELL: "/bin/sh", TERM: "xterm-256color" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      this.#bytes.push(chunk);
      this.#text += decoder.decode(chunk, { stream: true });
    }
    this.#exit = Number(/EXIT:(\d+) LEFT:/.exec(this.#text)?.[1] ?? NaN);
  }

  /** Everything so far, as text. */
  get text(): string {
    return this.#text;
  }

  /** Everything so far, as it was written. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#bytes.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of this.#bytes) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  /** The exit code, once the program has ended. */
  get exit(): number | undefined {
    const seen = /EXIT:(\d+) LEFT:/.exec(this.#text)?.[1];
    return seen === undefined ? this.#exit : Number(seen);
  }

  /** What was left in the terminal's queue when the program had ended. */
  get left(): string {
    return /EXIT:\d+ LEFT:(.*)\r?\n/.exec(this.#text)?.[1]?.trim() ?? "";
  }

  async type(text: string): Promise<void> {
    try {
      await this.#writer.write(encoder.encode(text));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // The program has ended.
    }
  }

  /** Resolves to true as soon as the text meets the condition, and to false after a time. */
  async until(isMet: (text: string) => boolean, withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    while (!isMet(this.#text)) {
      if (performance.now() > end || this.exit !== undefined) return isMet(this.#text);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return true;
  }

  /** The process id of the program. */
  async pid(): Promise<number> {
    return Number(await Deno.readTextFile(this.#pidFile));
  }

  /** End the program at once, as a crash or the kernel would. */
  async kill(): Promise<void> {
    if (this.exit === undefined) endProcess(await this.pid());
  }

  async #endInput(): Promise<void> {
    try {
      await this.#writer.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // The program has ended.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#endInput();
    endProcess(this.#child.pid);
    await this.#reading;
    await this.#child.status;
  }
}

/** Sends SIGKILL to one process; nothing when it has ended. */
function endProcess(pid: number): void {
  if (!(pid > 1)) return;
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
