/**
 * Shows a reply while it comes: its text, but nothing of its reasoning, of the calls in it, or of a marker that may still
 * become one of these. What cannot be told yet is held back, and the complete reply decides in the end: what was shown
 * is always the start of what the reader of whole replies calls the text.
 */
import type { StopReason } from "@/protocol/message.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { closingLine, type Fence, readFence } from "./tool_text/fence.ts";
import { headlessAt, MESSAGE_END } from "./tool_text/harmony.ts";
import { KnownTools } from "./tool_text/known_tools.ts";
import { PendingText } from "./tool_text/pending_text.ts";
import { type Mark, nextMark } from "./tool_text/prose.ts";
import { readCalls, readerOf, type ReadReply } from "./tool_text/read_calls.ts";
import { ReasoningStream } from "./tool_text/reasoning_stream.ts";
import type { Reader } from "./tool_text/reader.ts";
import { mayBeHeader, mayBeWhole } from "./tool_text/whole_reply.ts";

/** What a piece of the stream adds. `isDiscarded`: what was shown before it was reasoning, and is void. */
export type Shown = { text: string; thinking: string; isDiscarded: boolean };

/** What the end of the stream adds, and the whole reply. */
export type Closed = Shown & { reply: ReadReply };

export type FilterOptions = {
  tools: readonly ToolDefinition[];
  /** Hide and read certain calls only: those with a marker, or in a fence that is labelled as a call. */
  isCertainOnly?: boolean;
  /** Whether the model has an interface for calls, so that it is sent there. */
  isNative?: boolean;
};

type Mode =
  | { kind: "prose" }
  | { kind: "think"; stream: ReasoningStream }
  | { kind: "sample"; fence: Fence }
  /** A fence that is a call if the reply ends with it. */
  | { kind: "maybe"; fence: Fence; bodyStart: number; linesLeft: number }
  | { kind: "behind_maybe" }
  /** Nothing more is shown before the end. */
  | { kind: "quiet" };

const LINE_CHARS_MAX = 200;
/** How many lines of a fence that look like its end are looked at twice. */
const CLOSING_LINES_MAX = 50;

/** One reply's filter: `push` every piece in order, then `close` once. */
export class ThinkFilter {
  readonly #tools: KnownTools;
  readonly #options: FilterOptions;
  readonly #all: string[] = [];
  #cameChars = 0;
  readonly #state = { inHarmony: false };
  readonly #pending = new PendingText();
  #mode: Mode = { kind: "prose" };
  /** Whether nothing was shown yet, so that the reply may be a call as a whole. */
  #isAtStart = true;
  /** Whether earlier pieces of the stream were shown. */
  #hasShown = false;
  #hasOwnReasoning = false;
  /** Blanks before the first text. */
  #lead: string[] = [];
  /** Fences that are held back, in pieces. */
  #held: string[] = [];
  #text: string[] = [];
  #thinking: string[] = [];
  #out: Shown = nothing();

  constructor(options: FilterOptions) {
    this.#options = options;
    this.#tools = KnownTools.of(options.tools);
  }

  /** Whether some of what came is not shown yet. */
  get isHolding(): boolean {
    return this.#mode.kind === "quiet" || this.#pending.text !== "" || this.#held.length > 0;
  }

  /** The reasoning of this reply comes apart from its text: a closer without an opener is only noise. */
  expectNoReasoning(): void {
    this.#hasOwnReasoning = true;
  }

  /** Take the next piece of the stream. */
  push(chunk: string): Shown {
    this.#all.push(chunk);
    this.#cameChars += chunk.length;
    this.#out = nothing();
    if (this.#mode.kind !== "quiet") {
      this.#pending.add(chunk);
      while (this.#step());
    }
    if (this.#out.text !== "") this.#hasShown = true;
    return this.#out;
  }

  /** The stream has ended. */
  close(stop: StopReason = "end"): Closed {
    const { isCertainOnly = false, isNative = false } = this.#options;
    const text = this.#all.join("");
    const hasOwnReasoning = this.#hasOwnReasoning;
    const options = { stop, isCertainOnly, isNative, hasOwnReasoning };
    const reply = readCalls(text, { tools: this.#tools, ...options });
    const shown = this.#text.join("");
    if (!reply.prose.startsWith(shown)) {
      return { text: reply.prose, thinking: reply.reasoning, isDiscarded: true, reply };
    }
    const thought = this.#thinking.join("");
    const isMore = reply.reasoning.startsWith(thought);
    return {
      text: reply.prose.slice(shown.length),
      thinking: isMore ? reply.reasoning.slice(thought.length) : "",
      isDiscarded: false,
      reply,
    };
  }

  /** Do one thing with the pending text; false when more of it is needed. */
  #step(): boolean {
    if (this.#pending.text === "") return false;
    const mode = this.#mode;
    switch (mode.kind) {
      case "prose":
        return this.#prose();
      case "think":
        return this.#think(mode.stream);
      case "sample":
        return this.#sample(mode.fence);
      case "maybe":
        return this.#maybe(mode);
      case "behind_maybe":
        return this.#behindMaybe();
      case "quiet":
        return false;
      default:
        return mode satisfies never;
    }
  }

  #prose(): boolean {
    if (this.#isAtStart && this.#pending.text.trim() === "") {
      this.#lead.push(this.#pending.take(this.#pending.text.length));
      return false;
    }
    const reader = this.#pending.reader(this.#tools);
    if (this.#isAtStart) {
      const header = this.#isFirst() ? headlessAt(reader) : undefined;
      if (header !== undefined) {
        this.#lead = []; // Blanks before such a header are a part of it.
        return this.#take({ kind: "header", at: 0, end: header.end, header }, reader);
      }
      const whole = this.#options.isCertainOnly ? false : mayBeWhole(reader);
      const start = mayBeHeader(reader) || whole;
      if (start !== false) return start === true && this.#quiet();
    }
    const mark = nextMark(reader, 0, this.#state);
    if (mark.kind === "more") {
      this.#show(mark.shown);
      this.#pending.take(mark.at);
      return false;
    }
    this.#show(mark.at);
    if (mark.kind !== "end") return this.#take(mark, reader);
    this.#pending.take(mark.at);
    return false;
  }

  /** Whether nothing but blanks came before the pending text. */
  #isFirst(): boolean {
    return this.#lead.join("").length + this.#pending.text.length === this.#cameChars;
  }

  /** Act on a mark that is complete. */
  #take(mark: Exclude<Mark, { kind: "end" | "more" }>, reader: Reader): boolean {
    switch (mark.kind) {
      case "code":
      case "result":
        this.#show(mark.end);
        break;
      case "noise":
        break;
      case "think":
        this.#reason(mark.closers);
        break;
      case "unthink":
        if (!this.#hasOwnReasoning) this.#discard();
        break;
      case "fence":
        return this.#fence(mark.fence, reader);
      case "header":
        this.#state.inHarmony = true;
        if (mark.header.recipient !== undefined) return this.#quiet();
        if (mark.header.channel === "analysis") this.#reason(MESSAGE_END);
        break;
      case "envelope":
      case "bare":
      case "lost":
      case "cut_header":
        return this.#quiet();
      default:
        return mark satisfies never;
    }
    this.#pending.take(mark.end);
    return true;
  }

  #fence(fence: Fence, reader: Reader): boolean {
    if (fence.kind === "call") return this.#quiet();
    const mayCall = fence.kind === "maybe" && !this.#options.isCertainOnly;
    const starts = mayCall ? reader.startsPayload(fence.bodyStart) : false;
    if (starts === "more") {
      this.#pending.take(fence.start);
      return false;
    }
    if (starts === true) return this.#holdFence(fence, reader);
    this.#show(fence.bodyStart);
    this.#pending.take(fence.bodyStart);
    this.#mode = { kind: "sample", fence };
    return true;
  }

  #holdFence(fence: Fence, reader: Reader): boolean {
    const payload = reader.source.skipBlanks(fence.bodyStart);
    // Where a marker's call ends cannot be told by lines.
    if (reader.token(payload)?.role.kind === "open") return this.#quiet();
    // What stands before the first fence is shown; blanks between two of them are held with them.
    const shown = this.#held.length === 0 ? fence.start : 0;
    this.#pending.take(shown);
    this.#held.push(this.#pending.take(fence.bodyStart - shown));
    const bodyStart = this.#held.join("").length;
    this.#mode = { kind: "maybe", fence, bodyStart, linesLeft: CLOSING_LINES_MAX };
    return true;
  }

  /** In a sample everything is shown; only the line that closes it has to be found. */
  #sample(fence: Fence): boolean {
    const { text } = this.#pending;
    const end = text.indexOf("\n");
    if (end === -1) {
      this.#show(text.length);
      // A line this long closes nothing; what is kept of it only says so.
      if (text.length > LINE_CHARS_MAX) this.#pending.take(text.length - LINE_CHARS_MAX);
      return false;
    }
    this.#show(end + 1);
    const line = this.#pending.take(end + 1);
    if (closingLine(fence).test(line.trimEnd())) this.#mode = { kind: "prose" };
    return true;
  }

  #maybe({ fence, bodyStart, linesLeft }: Mode & { kind: "maybe" }): boolean {
    const end = this.#pending.text.indexOf("\n");
    if (end === -1) return false;
    const line = this.#pending.take(end + 1);
    this.#held.push(line);
    if (!closingLine(fence).test(line.trimEnd())) return true;
    this.#mode = { kind: "maybe", fence, bodyStart, linesLeft: linesLeft - 1 };
    // Such a line may also stand inside a payload: a file with code in it, whose line breaks were not escaped.
    const text = this.#held.slice(0, -1).join("");
    const reader = readerOf(text, this.#tools, { isFinal: true });
    const { items } = readFence(reader, { ...fence, start: 0, bodyStart });
    if (linesLeft === 0 || items.at(-1)?.problem?.kind !== "cut") {
      this.#mode = { kind: "behind_maybe" };
    }
    return true;
  }

  /** Behind such a fence only blanks, more such fences or raw blocks leave it a call. */
  #behindMaybe(): boolean {
    const reader = this.#pending.reader(this.#tools);
    const at = reader.source.skipBlanks(0);
    const rest = reader.text.slice(at);
    if (rest === "" || /^<[\w-]*$/.test(rest)) return false;
    const block = /^<([\w-]+)\s*>/.exec(rest)?.[1];
    if (
      block !== undefined && this.#tools.names.some((tool) => this.#tools.isBlockName(tool, block))
    ) {
      return this.#quiet();
    }
    const mark = nextMark(reader, at, this.#state);
    if (mark.kind === "more" && mark.at === at) return false;
    if (mark.kind !== "fence" || mark.at !== at || mark.fence.kind !== "maybe") {
      return this.#release();
    }
    const starts = reader.startsPayload(mark.fence.bodyStart);
    if (starts === "more") return false;
    return starts === true ? this.#holdFence(mark.fence, reader) : this.#release();
  }

  /** The first of the fences that are held is a sample after all. */
  #release(): boolean {
    this.#pending.putBack(this.#held.join(""), true);
    this.#held = [];
    const mark = nextMark(this.#pending.reader(this.#tools), 0, this.#state);
    if (mark.kind !== "fence") return this.#quiet();
    this.#show(mark.fence.bodyStart);
    this.#pending.take(mark.fence.bodyStart);
    this.#mode = { kind: "sample", fence: mark.fence };
    return true;
  }

  #reason(closers: readonly string[]): void {
    this.#mode = { kind: "think", stream: new ReasoningStream(closers, this.#tools) };
  }

  #think(stream: ReasoningStream): boolean {
    const text = this.#pending.take(this.#pending.text.length);
    const { thinking, rest } = stream.push(text);
    this.#thinking.push(thinking);
    this.#out.thinking += thinking;
    if (rest === undefined) return false;
    this.#pending.putBack(rest, rest === text || this.#isAtStart);
    this.#mode = { kind: "prose" };
    return true;
  }

  /** A closer of reasoning that nothing opened: everything before it was reasoning. */
  #discard(): void {
    const thinking = [...this.#thinking, ...this.#text].join("");
    const isDiscarded = this.#hasShown || this.#out.isDiscarded;
    this.#out = { text: "", thinking, isDiscarded };
    this.#thinking = [thinking];
    this.#text = [];
    this.#lead = [];
    this.#hasShown = false;
    this.#isAtStart = true;
  }

  #quiet(): boolean {
    this.#mode = { kind: "quiet" };
    return false;
  }

  #show(to: number): void {
    const text = this.#pending.show(to);
    if (text === "") return;
    const shown = this.#lead.join("") + text;
    this.#lead = [];
    this.#text.push(shown);
    this.#out.text += shown;
    this.#isAtStart = false;
  }
}

function nothing(): Shown {
  return { text: "", thinking: "", isDiscarded: false };
}
