/** A server as a process of ours: one line a message on its input and output, in the sandbox like everything we start. */
import type { Transport } from "@modelcontextprotocol/client";
import type { Command, Processes } from "@/sandbox/processes.ts";
import type { Running } from "@/sandbox/running.ts";
import { settlesWithin } from "@/lib/within.ts";
import { spokenSize } from "@/lib/size.ts";
import { type Diagnostics, LINE_BYTES_MAX, StdioLines } from "./stdio_lines.ts";

export type { Transport };
type Message = Parameters<NonNullable<Transport["onmessage"]>>[0];

/** How long a server may take to end after its input was closed, in milliseconds. */
const CLOSE_MS = 500;
const TOO_LONG_CODE = -32_000;

export type StdioOptions = {
  processes: Pick<Processes, "start">;
  command: Omit<Command, "stdin" | "joined">;
  diagnostics: Diagnostics;
};

/** One start of a server. */
export class StdioTransport implements Transport {
  // Declared, so that it is seen that they may be undefined: whoever takes over the transport sets and unsets them.
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly #options: StdioOptions;
  readonly #encoder = new TextEncoder();
  /** Requests that are not answered yet. */
  readonly #waiting = new Set<string | number>();
  #taken: Promise<void> = Promise.resolve();
  #running: Running | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** The SDK tells a process from an address by these two, and asks it in place which revision it speaks. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** Throws StartError. */
  start(): Promise<void> {
    const { processes, command, diagnostics } = this.#options;
    const said = new TextDecoder();
    const lines = new StdioLines({
      message: (message) => this.#take(message),
      noise: (line) => diagnostics.line(line),
      tooLong: (bytes, id) => this.#tooLong(bytes, id),
    });
    const running = processes.start(
      { ...command, stdin: "pipe", orphans: "end" },
      (chunk, pipe) => {
        if (pipe === "stdout") lines.add(chunk);
        else diagnostics.add(said.decode(chunk, { stream: true }));
      },
    );
    this.#running = running;
    void Promise.all([running.ended, settlesWithin(running.outputClosed, CLOSE_MS)]).then(
      ([{ code, signal }]) => {
        if (this.#closing === undefined) {
          diagnostics.line(
            signal === undefined ? `it ended with code ${code}` : `ended by ${signal}`,
          );
        }
        void running.kill();
        this.onclose?.();
      },
    );
    return Promise.resolve();
  }

  async send(message: Message): Promise<void> {
    if ("method" in message && "id" in message) this.#waiting.add(message.id);
    const isRead = await this.#running?.write(this.#encoder.encode(`${JSON.stringify(message)}\n`));
    if (isRead !== true) throw new Error("The server no longer reads");
  }

  /** Close its input, and end it with all that it has started when it does not end by itself. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return this.onclose?.();
    await running.closeInput();
    await settlesWithin(running.ended, CLOSE_MS);
    await running.kill();
  }

  #take(message: Record<string, unknown>): void {
    const { id } = message;
    if (!("method" in message) && (typeof id === "string" || typeof id === "number")) {
      this.#waiting.delete(id);
    }
    // One after another: the client hears of an answer at once and of news a moment later (SDK 2.4), and what a server
    // tells of its progress in one breath with the answer would come when nobody listens any more.
    this.#taken = this.#taken
      // What is no valid message is the client's to refuse.
      .then(() => this.onmessage?.(message as unknown as Message))
      .catch((error) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }

  /** Nobody waits for an answer that is not read. */
  #tooLong(bytes: number, id: string | number | undefined): void {
    const text = `its answer was cut off: it has ${spokenSize(bytes)} in one line, and at most ${
      spokenSize(LINE_BYTES_MAX)
    } are read`;
    this.#options.diagnostics.line(text);
    for (const asked of id !== undefined && this.#waiting.has(id) ? [id] : [...this.#waiting]) {
      this.#take({ jsonrpc: "2.0", id: asked, error: { code: TOO_LONG_CODE, message: text } });
    }
  }
}
