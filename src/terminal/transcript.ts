/**
 * Events as lines for a plain terminal or a log: one word says which register a line belongs to, so that it reads
 * the same without colour, through a pipe and through a screen reader. Knows events, never tools by name.
 */
import { committedText } from "./committed_text.ts";
import type { Event, Sink } from "@/protocol/event.ts";
import type { Decision } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { duration, pause } from "@/lib/spoken_time.ts";
import { causeOf, spokenCall } from "./call_text.ts";
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

/** What events say of a call before the one that ends it. */
type CallFacts = { name?: string; result?: ToolResult; decision?: Decision };

/** A call that is over sooner is told in one line, its result. */
const START_LINE_AFTER_MS = 400;

class Lines {
  readonly #options: TranscriptOptions;
  /** The call that has started and is not told yet. */
  #started: { text: string; timer: ReturnType<typeof setTimeout> } | undefined;
  #channel: "text" | "thinking" | "output" | undefined;
  /** Whether anything of the reply that is coming was shown. */
  #hasShown = false;
  /** What calls came to that are not told yet. */
  readonly #calls = new Map<string, CallFacts>();

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
        this.#start(event);
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
        this.#end(event);
        break;
      case "notice":
        this.#notice(event.level, event.text);
        break;
      case "decision":
        this.#note(event.callId, { decision: event.decision });
        break;
      case "message":
        if (event.message.role === "assistant") this.#hasShown = false;
        if (event.message.role === "tool") {
          const { callId, name, result } = event.message;
          this.#note(callId, { name, result });
        }
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
        this.#over(event);
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

  #over({ stop }: Extract<Event, { type: "turn_end" }>): void {
    const { paint, showsText } = this.#options;
    this.#line("");
    if (stop === "abort") this.#line(paint.warm("event: interrupted"));
    // Without a terminal it is the error that the run ends with.
    if (stop === "refusal" && showsText) {
      this.#line(paint.red("error: The model refused to answer"));
    }
  }

  #start({ name, summary }: Extract<Event, { type: "tool_start" }>): void {
    this.#forgetStart();
    const timer = setTimeout(() => this.#tellStart(), START_LINE_AFTER_MS);
    this.#started = { text: callText({ name, summary }), timer };
  }

  #note(callId: string, facts: CallFacts): void {
    this.#calls.set(callId, { ...this.#calls.get(callId), ...facts });
  }

  #end({ callId, summary, ms, shown: printed = "" }: Extract<Event, { type: "tool_end" }>): void {
    const { name = "", result, decision } = this.#calls.get(callId) ?? {};
    this.#calls.delete(callId);
    const { paint } = this.#options;
    const what = callText({ name, summary });
    const cause = causeOf(result, decision, shown);
    // What it printed says why, and stands above.
    if (cause === undefined || printed !== "") {
      this.#line(paint.cool(`tool: ${what}, ${duration(ms, " ")}`));
    } else this.#line(paint.red(`error: ${what}: ${cause.text}`));
  }

  #tellStart(): void {
    const started = this.#started;
    if (started === undefined) return;
    this.#forgetStart();
    this.#line(this.#options.paint.cool(`tool: ${started.text} …`));
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
  const wait = pause(event.waitMs);
  return `event: ${shown(event.reason)}; trying again in ${wait} (attempt ${event.attempt})`;
}

/** Its tool and its sentence, parted by what a reader makes a pause at. */
function callText(call: { name: string; summary: string }): string {
  const { name, sentence } = spokenCall(call, shown);
  return [name, sentence].filter((text) => text !== "").join(", ");
}

/** Untrusted text on one line. */
function shown(text: string): string {
  return visible(text.replaceAll(/(?<!\s)\s*\n\s*/g, " ⏎ "));
}
