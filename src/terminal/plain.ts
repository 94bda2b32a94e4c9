/** The plain screen: for dumb terminals, pipes and screen readers. The terminal's own line editing, no cursor movement. */
import type { Approval, Asker, GuardedCall, Reach } from "@/protocol/policy.ts";
import type { Sink } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { visible } from "@/lib/visible.ts";
import {
  optionsText,
  questionText,
  reachText,
  readAnswer,
  readOption,
  readReach,
} from "./approval.ts";
import type { palette } from "./color.ts";
import { LineWriter } from "./line_writer.ts";
import { LineReader } from "./lines.ts";
import type { Writer } from "./output.ts";
import { pastItems } from "./past.ts";
import type { Screen } from "./screen.ts";
import { transcript } from "./transcript.ts";

export type PlainOptions = {
  input: ReadableStream<Uint8Array>;
  write: Writer;
  /** Raw mode of the terminal, for what must not be shown. */
  setRaw(on: boolean): void;
  paint: ReturnType<typeof palette>;
  showsThinking(): boolean;
};

const CUT =
  "Nothing was sent: a line was longer than a terminal takes, so that its end is lost. Save the text as a file and name it, or pipe it in: harness -p - < FILE";

export class PlainScreen implements Screen {
  readonly sink: Sink;
  readonly #options: PlainOptions;
  readonly #reader: LineReader;
  readonly #out: LineWriter;
  #isPrompting = false;
  /** From a prompt that nobody waits at yet until somebody does. */
  #isEarly = false;
  /** The last row of a question that has no answer yet. */
  #asked: string | undefined;

  constructor(options: PlainOptions) {
    this.#options = options;
    this.#out = new LineWriter(options.write);
    this.#reader = new LineReader(options.input, {
      onTyped: () => this.#typed(),
      onQueued: () => this.#queued(),
      onCut: () => this.print(CUT, "error"),
    });
    const told = transcript({ ...options, out: this.#out, showsText: true });
    this.sink = (event) => this.#besidePrompt(() => told(event));
  }

  /** Show the prompt before there is anything that takes a message: what is typed there is the first. */
  open(): void {
    this.#isEarly = true;
    this.#prompt();
  }

  async line(): Promise<string | undefined> {
    this.#isEarly = false;
    this.#isPrompting = true;
    this.#prompt();
    const line = await this.#reader.prompt();
    this.#isPrompting = false;
    if (line !== undefined) this.#out.entered();
    return line;
  }

  print(text: string, register: "result" | "event" | "error" | "source"): void {
    const { paint } = this.#options;
    const clean = visible(text);
    const styles = {
      error: () => paint.red(`error: ${clean}`),
      event: () => paint.dim(`event: ${clean}`),
      result: () => clean,
      source: () => clean,
    };
    this.#besidePrompt(() => {
      this.#out.break();
      this.#out.write(styles[register]());
      this.#out.break();
    });
  }

  /** The end of what was said before. */
  begin(records: readonly SessionRecord[]): Promise<void> {
    for (const item of pastItems(records)) {
      if (item.kind === "text") this.print(item.text, "result");
      else for (const event of item.events) this.sink(event);
    }
    return Promise.resolve();
  }

  readonly approver = async (
    call: GuardedCall,
    reason: string,
    reaches: readonly Reach[],
    signal: AbortSignal,
  ): Promise<Approval> => {
    const preview = await call.preview?.();
    const line = await this.#question(questionText(call, reason, preview), signal);
    const answer = readAnswer(line);
    if (answer === "yes") return { answer: "yes" };
    if (answer !== "always") {
      return answer.no === "" ? { answer: "no" } : { answer: "no", reason: answer.no };
    }
    const first = reaches[0];
    if (first === undefined) return { answer: "yes" };
    const reach = readReach(await this.#question(reachText(reaches), signal), reaches);
    return reach ?? { answer: "no", reason: "the reach was not understood; nothing was saved" };
  };

  readonly asker: Asker = async (questions, signal) => {
    const answers: string[] = [];
    for (const question of questions) {
      const line = await this.#question(optionsText(question), signal);
      if (line === undefined) return undefined;
      answers.push(readOption(line, question));
    }
    return answers;
  };

  /** Show a text and take the next line; "" when the person is gone. */
  async ask(text: string): Promise<string> {
    return await this.#answer(text) ?? "";
  }

  take(line: string): void {
    this.#reader.take(line);
  }

  /** Show a text and take a line that is not shown; undefined when it was given up. */
  async secret(text: string): Promise<string | undefined> {
    const { setRaw } = this.#options;
    this.#out.break();
    this.#out.write(text);
    setRaw(true);
    try {
      return await this.#reader.secret();
    } finally {
      setRaw(false);
      this.#out.break();
    }
  }

  close(): void {
    this.#reader.cancel();
    this.#out.break();
  }

  /** Puts a question and waits for a line; an interrupt ends the waiting. */
  async #question(text: string, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const onAbort = () => this.#reader.cancel();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const line = await this.#answer(text);
      signal.throwIfAborted();
      return line;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Show a text and take the next line, which the terminal shows. */
  async #answer(text: string): Promise<string | undefined> {
    this.#out.break();
    this.#out.write(text);
    this.#asked = text.slice(text.lastIndexOf("\n") + 1);
    const line = await this.#reader.answer();
    this.#asked = undefined;
    if (line !== undefined) this.#out.entered();
    return line;
  }

  #prompt(): void {
    if (this.#reader.isHolding) return;
    this.#out.break();
    this.#out.write(this.#options.paint.bold("> "));
  }

  /** What is written while the person may be typing stands on lines of its own, and what they answer comes again. */
  #besidePrompt(write: () => void): void {
    if (!this.#isPrompting && this.#asked === undefined) return write();
    if (!this.#out.below(write) || !this.#out.isAtStart) return;
    if (this.#asked === undefined) this.#prompt();
    else this.#out.write(this.#asked);
  }

  #typed(): void {
    if (this.#isAtPrompt) this.#out.entered();
  }

  /** Whether a line that is typed now is a message. */
  get #isAtPrompt(): boolean {
    return (this.#isPrompting || this.#isEarly) && this.#asked === undefined;
  }

  #queued(): void {
    if (this.#isPrompting || this.#isAtPrompt) return;
    const line = visible(this.#reader.queued.at(-1) ?? "").split("\n")[0] ?? "";
    this.print(`queued as the next message: ${line}`, "event");
  }
}
