/**
 * Events as lines for a plain terminal or a log: one word says which register a line belongs to, so that it reads
 * the same without colour, through a pipe and through a screen reader. Knows events, never tools by name.
 */
import { committedText } from "./committed_text.ts";
import type { Event, Sink } from "@/protocol/event.ts";
import { visible } from "@/lib/visible.ts";
import type { palette } from "./color.ts";
import type { LineWriter } from "./line_writer.ts";

export type TranscriptOptions = {
  out: LineWriter;
  paint: ReturnType<typeof palette>;
  /** Whether the model's text is shown as it streams; in a headless run it is the answer on stdout instead. */
  showsText: boolean;
  showsThinking(): boolean;
};

/** A sink that writes a readable transcript, line by line. */
export function transcript(options: TranscriptOptions): Sink {
  const lines = new Lines(options);
  return (event) => lines.take(event);
}

/** A call that is over sooner is told in one line, its result. */
const START_LINE_AFTER_MS = 400;

class Lines {
  readonly #options: TranscriptOptions;
  /** The call that has started and is not told yet. */
  #started: { summary: string; timer: ReturnType<typeof setTimeout> } | undefined;
  #channel: "text" | "thinking" | "output" | undefined;
  /** Whether anything of the reply that is coming was shown. */
  #hasShown = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  take(event: Event): void {
    const { paint } = this.#options;
    switch (event.type) {
      case "delta":
        this.#delta(event.channel, event.text);
        break;
      case "reply_discarded":
        if (!this.#hasShown) break;
        this.#hasShown = false;
        this.#line(
          paint.dim(`event: what was shown of this reply is void (${shown(event.reason)})`),
        );
        break;
      case "retry":
        this.#line(paint.dim(retryLine(event)));
        break;
      case "tool_start":
        this.#start(event.summary);
        break;
      case "tool_say":
        this.#tellStart();
        this.#line(paint.dim(`event: ${shown(event.line)}`));
        break;
      case "tool_output":
        this.#tellStart();
        this.#output(event.chunk);
        break;
      case "tool_end":
        this.#forgetStart();
        this.#line(paint.cool(`tool: ${shown(event.summary)} (${event.ms} ms)`));
        break;
      case "notice":
        this.#notice(event.level, event.text);
        break;
      case "decision":
        if (event.decision.verdict !== "deny") break;
        this.#line(paint.warm(`event: refused: ${shown(event.decision.reason)}`));
        break;
      case "message":
        if (event.message.role === "assistant") this.#hasShown = false;
        // What a command of the person's printed was shown while it ran.
        if (event.message.role !== "user" || event.message.origin !== "shell") break;
        this.#forgetStart();
        this.#break();
        break;
      case "edit":
        if (event.commit === undefined) break;
        this.#line(paint.cool(`event: ${committedText(event.commit)}`));
        break;
      case "turn_end":
        this.#line("");
        if (event.stop === "abort") this.#line(paint.warm("event: interrupted"));
        break;
      case "session":
      case "model":
      case "title":
      case "persona":
      case "turn_start":
      case "usage":
      case "compaction":
      case "replaced":
      case "rewind":
        break; // Told by other events, or nothing to see.
      default:
        event satisfies never;
    }
  }

  #start(summary: string): void {
    this.#forgetStart();
    const timer = setTimeout(() => this.#tellStart(), START_LINE_AFTER_MS);
    this.#started = { summary, timer };
  }

  #tellStart(): void {
    const started = this.#started;
    if (started === undefined) return;
    this.#forgetStart();
    this.#line(this.#options.paint.cool(`tool: ${shown(started.summary)} …`));
  }

  #forgetStart(): void {
    clearTimeout(this.#started?.timer);
    this.#started = undefined;
  }

  #delta(channel: "text" | "thinking", text: string): void {
    const { showsText, showsThinking, paint, out } = this.#options;
    if (channel === "thinking" ? !showsThinking() : !showsText) return;
    if (this.#channel !== channel) this.#break();
    this.#channel = channel;
    this.#hasShown = true;
    const clean = visible(text);
    out.write(channel === "thinking" ? paint.dim(clean) : clean);
  }

  #output(chunk: string): void {
    const { out, paint } = this.#options;
    if (this.#channel !== "output") this.#break();
    this.#channel = "output";
    const gutter = paint.dim("  | ");
    const clean = visible(chunk);
    const start = out.isAtStart ? gutter : "";
    out.write(start + clean.replaceAll(/\n(?=.)/gs, `\n${gutter}`));
  }

  #notice(level: "info" | "warn" | "error", text: string): void {
    const { paint } = this.#options;
    const word = { info: "event", warn: "warning", error: "error" }[level];
    const color = { info: paint.dim, warn: paint.warm, error: paint.red }[level];
    this.#line(color(`${word}: ${shown(text)}`));
  }

  #line(text: string): void {
    this.#break();
    if (text !== "") this.#options.out.write(`${text}\n`);
  }

  /** End an open line of streamed text. */
  #break(): void {
    this.#options.out.break();
    this.#channel = undefined;
  }
}

function retryLine(event: Extract<Event, { type: "retry" }>): string {
  const seconds = (event.waitMs / 1000).toFixed(event.waitMs < 10_000 ? 1 : 0);
  return `event: ${shown(event.reason)}; trying again in ${seconds} s (attempt ${event.attempt})`;
}

/** Untrusted text on one line. */
function shown(text: string): string {
  return visible(text.replaceAll(/\s*\n\s*/g, " ⏎ "));
}
