/** Lines typed at a plain terminal. What was typed before a question was shown never answers it. */
import { Lull } from "./lull.ts";

/** A line that no other follows for so long was typed. */
const TYPED_GAP_MS = 40;

/** Two lines without a pause are a paste for sure, and one comes with pauses where the machine is busy. */
const PASTE_GAP_MS = 500;

/** What a terminal in cooked mode takes in one line, its end included; it swallows the rest (Linux; macOS takes less). */
const LINE_BYTES_MAX = Deno.build.os === "darwin" ? 1024 : 4096;

/** Whom the reader tells. */
export type LineListener = {
  /** A line was typed that answers nothing: the terminal has shown it. */
  onTyped?(): void;
  /** A line was put aside for later. */
  onQueued?(): void;
  /** The terminal cut a line; the message that it belongs to is not given on. */
  onCut?(): void;
};

type Waiter = { kind: "prompt" | "answer" | "secret"; settle(line: string | undefined): void };

/** Reads a terminal in its own (cooked) mode for as long as the program runs. */
export class LineReader {
  readonly #queue: string[] = [];
  readonly #listener: LineListener;
  #waiter: Waiter | undefined;
  #isAtEnd = false;
  #pending = "";
  #typed = "";
  #burst: string[] = [];
  #isCut = false;
  readonly #lull = new Lull(() => this.#endBurst());

  constructor(input: ReadableStream<Uint8Array>, listener: LineListener = {}) {
    this.#listener = listener;
    this.#read(input);
  }

  /** Lines waiting to be sent. */
  get queued(): readonly string[] {
    return this.#queue;
  }

  /** Whether a message was typed that nobody has taken yet. */
  get isHolding(): boolean {
    return this.#queue.length > 0 || this.#burst.length > 0;
  }

  /** Put a message behind those that wait. */
  take(line: string): void {
    this.#endBurst();
    this.#queue.push(line);
  }

  /** The next message; lines of one paste come as one. Undefined at the end of input or when cancelled. */
  prompt(): Promise<string | undefined> {
    const next = this.#queue.shift();
    if (next !== undefined) return Promise.resolve(next);
    return this.#wait("prompt");
  }

  /** The answer to a question that has just been shown: a line that ends after this call, never one from before. */
  answer(): Promise<string | undefined> {
    return this.#wait("answer");
  }

  /** A line that is typed with the terminal in raw mode, so that nothing shows it. Undefined after Ctrl+C or Ctrl+D. */
  secret(): Promise<string | undefined> {
    this.#endBurst();
    this.#typed = "";
    return this.#wait("secret");
  }

  /** Settle whoever waits with undefined. */
  cancel(): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.settle(undefined);
  }

  #wait(kind: Waiter["kind"]): Promise<string | undefined> {
    if (this.#isAtEnd) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiter = { kind, settle: resolve };
    return promise;
  }

  async #read(input: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of input) {
        // A terminal hands over a line at a time.
        if (chunk.length === LINE_BYTES_MAX) this.#isCut = true;
        this.#takeText(decoder.decode(chunk, { stream: true }));
      }
    } catch (error) {
      // A terminal that went away (EIO after a hang-up) ends the input like Ctrl+D does.
      if (!(error instanceof Error)) throw error;
    }
    if (this.#pending !== "") this.#line(this.#pending);
    this.#endBurst();
    this.#isAtEnd = true;
    this.cancel();
  }

  #takeText(text: string): void {
    if (this.#waiter?.kind === "secret") return this.#takeSecret(text);
    const lines = (this.#pending + text).split(/\r?\n/);
    this.#pending = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #takeSecret(text: string): void {
    for (const [at, char] of [...text].entries()) {
      if (char === "\r" || char === "\n") {
        this.#settle(this.#typed);
        return this.#takeText([...text].slice(at + 1).join(""));
      }
      if (char === "\u0003" || (char === "\u0004" && this.#typed === "")) {
        return this.#settle(undefined);
      }
      const isErase = char === "\u007f" || char === "\b";
      this.#typed = isErase ? [...this.#typed].slice(0, -1).join("") : this.#typed + char;
    }
  }

  #settle(line: string | undefined): void {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    this.#typed = "";
    waiter?.settle(line);
  }

  #line(line: string): void {
    // A paste that goes on while the question appears does not answer it.
    if (this.#waiter?.kind === "answer" && this.#burst.length === 0) {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      waiter.settle(line);
      return;
    }
    this.#burst.push(line);
    this.#listener.onTyped?.();
    this.#lull.begin(this.#burst.length === 1 ? TYPED_GAP_MS : PASTE_GAP_MS);
  }

  /** Lines that came without a pause were pasted together: they are one message. */
  #endBurst(): void {
    this.#lull.end();
    if (this.#burst.length === 0) return;
    const text = this.#burst.splice(0).join("\n");
    if (this.#isCut) {
      this.#isCut = false;
      return this.#listener.onCut?.();
    }
    const waiter = this.#waiter;
    if (waiter?.kind === "prompt") {
      this.#waiter = undefined;
      waiter.settle(text);
    } else {
      this.#queue.push(text);
      this.#listener.onQueued?.();
    }
  }
}
