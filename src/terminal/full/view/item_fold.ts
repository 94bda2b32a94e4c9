/** Events as items. Knows calls by what events say of them, never tools by name. */
import type { DurableEvent, Event } from "@/protocol/event.ts";
import type { AssistantMessage, Message, Part, UserMessage } from "@/protocol/message.ts";
import { pause } from "@/lib/spoken_time.ts";
import { endedCallsText } from "@/terminal/call_text.ts";
import { committedText } from "@/terminal/committed_text.ts";
import { LiveOutput } from "./live_output.ts";
import type { Call, Item } from "./item.ts";

/** What a fold tells of; each item once, when it is whole. */
export type FoldTarget = {
  add(item: Item): void;
  /** A piece of a reply that is still arriving. */
  delta(channel: "text" | "thinking", text: string): void;
  /** The reply that is arriving is whole, or void. Whether there was one. */
  endReply(): boolean;
  discardReply(): void;
  /** Turns after this one are no part of the conversation any more. */
  rewind(toTurn: number): void;
};

/** A call that has begun. */
export type LiveCall = { call: Call; startedAt: number };

export class ItemFold {
  readonly #target: FoldTarget;
  readonly #now: () => number;
  /** Calls that were asked for and have not ended. */
  readonly #calls = new Map<string, Call>();
  readonly #live = new Map<string, LiveCall>();
  #turn = 0;
  #model = "";
  /** What the notice was about that came just before. */
  #about: string | undefined;

  constructor(target: FoldTarget, now: () => number) {
    this.#target = target;
    this.#now = now;
  }

  get turn(): number {
    return this.#turn;
  }

  /** Calls that run, in the order in which they began, and those that wait for one before them. */
  get live(): Iterable<LiveCall> {
    return this.#live.values();
  }

  get isRunning(): boolean {
    return this.#live.size > 0;
  }

  /** Nothing more comes of the calls that were asked for: the program was ended in the middle of them. */
  endCalls(): void {
    this.#addEnded({ waits: false });
    const text = endedCallsText([...this.#calls.values()].map(({ name }) => name));
    this.#calls.clear();
    if (text !== "") this.#event(text);
  }

  /** Take an event. `at` is when it happened, where that is known. */
  take(event: Event, at?: Date): void {
    switch (event.type) {
      case "delta":
        this.#target.delta(event.channel, event.text);
        break;
      case "reply_discarded":
        this.#target.discardReply();
        this.#event(`what was shown of this reply is void: ${event.reason}`);
        break;
      case "retry":
        this.#event(
          `${event.reason}; trying again in ${pause(event.waitMs)} (attempt ${event.attempt})`,
        );
        break;
      case "tool_start":
        this.#start(event);
        break;
      case "tool_say":
        this.#live.get(event.callId)?.call.says.push(event.line);
        break;
      case "tool_output":
        (this.#callOf(event.callId, "").output ??= new LiveOutput()).push(event.chunk);
        break;
      default:
        this.#takeDurable(event, at);
    }
  }

  #takeDurable(event: DurableEvent, at: Date | undefined): void {
    this.#fold(event, at);
    this.#about = event.type === "notice" ? event.about : undefined;
  }

  #fold(event: DurableEvent, at: Date | undefined): void {
    switch (event.type) {
      case "turn_start":
        this.endCalls();
        this.#turn = event.turn;
        break;
      case "message":
        this.#message(event.message, at);
        break;
      case "decision": {
        const { decision, asked } = event;
        this.#callOf(event.callId, "").decision = { decision, asked };
        break;
      }
      case "tool_end":
        this.#end(event);
        break;
      case "notice":
        if (event.level === "error") this.#add({ kind: "error", text: event.text });
        else this.#event(event.text, event.level === "warn");
        break;
      case "model": {
        const name = `${event.provider}/${event.model}`;
        if (this.#model !== "" && this.#model !== name) this.#event(`the model is now ${name}`);
        this.#model = name;
        break;
      }
      case "compaction":
        this.#event("what is above was summarised for the model");
        break;
      case "edit":
        if (event.commit !== undefined) this.#event(committedText(event.commit));
        break;
      case "rewind":
        this.#turn = event.toTurn;
        this.#target.rewind(event.toTurn);
        break;
      case "turn_end":
        this.#target.endReply();
        this.#turnEnd(event.stop);
        break;
      case "session":
      case "title":
      case "persona":
      case "usage":
      case "replaced":
        break; // Told by other events, or nothing to see.
      default:
        event satisfies never;
    }
  }

  #message(message: Message, at: Date | undefined): void {
    switch (message.role) {
      case "user":
        this.#user(message, at);
        break;
      case "assistant":
        this.#assistant(message);
        break;
      case "tool":
        this.#callOf(message.callId, message.name).result = message.result;
        break;
      default:
        message satisfies never;
    }
  }

  #user({ content, origin }: UserMessage, at: Date | undefined): void {
    const [first = "", ...more] = content.map(textOf);
    const text = [first, ...more].join("\n");
    switch (origin) {
      case "person":
        this.#add({
          kind: "you",
          text: first,
          // An image comes after the text that names it.
          attached: content.slice(1).flatMap((part) =>
            part.type === "text" ? [part.text.trim().split("\n", 1)[0] ?? ""] : []
          ),
          ...(at === undefined ? {} : { at }),
        });
        break;
      case "shell":
        // What showed it while it ran.
        this.#live.delete("shell");
        this.#calls.delete("shell");
        this.#add({ kind: "printed", text, isClipped: true });
        break;
      case "hook":
        if (isAbout(text, this.#about)) this.#add({ kind: "event", text, isTold: true });
        else this.#event(text);
        break;
      case "agent":
        this.#event(text);
        break;
      default:
        origin satisfies never;
    }
  }

  #assistant({ content }: AssistantMessage): void {
    const wasShown = this.#target.endReply();
    const joined = (type: "text" | "thinking") =>
      content.flatMap((block) => block.type === type ? [block.text] : []).join("");
    const [text, thinking] = [joined("text"), joined("thinking")];
    if (!wasShown && (text.trim() !== "" || thinking.trim() !== "")) {
      this.#add({ kind: "reply", text, thinking });
    }
    for (const block of content) {
      if (block.type !== "tool_call") continue;
      const call = this.#callOf(block.id, block.name);
      call.name = block.name;
      call.input = block.input;
    }
  }

  #start({ callId, name, summary }: Extract<Event, { type: "tool_start" }>): void {
    const call = this.#callOf(callId, name);
    call.summary = summary;
    this.#live.set(callId, { call, startedAt: this.#now() });
  }

  #end({ callId, summary, ms, shown }: Extract<Event, { type: "tool_end" }>): void {
    const call = this.#callOf(callId, "");
    call.summary = summary;
    call.ms = ms;
    if (shown !== undefined) call.shown = shown;
    this.#addEnded({ waits: true });
  }

  /** Cards of what has ended, in the order of the calls: one waits for those before it that still run. */
  #addEnded({ waits }: { waits: boolean }): void {
    for (const [id, call] of [...this.#calls]) {
      const hasEnded = call.ms !== undefined;
      if (!hasEnded && waits && this.#live.has(id)) return;
      if (!hasEnded) continue;
      this.#live.delete(id);
      this.#calls.delete(id);
      this.#add({ kind: "card", call });
    }
  }

  #callOf(id: string, name: string): Call {
    let call = this.#calls.get(id);
    if (call === undefined) {
      call = { id, name, input: undefined, summary: name, says: [] };
      this.#calls.set(id, call);
    }
    return call;
  }

  #turnEnd(stop: Extract<Event, { type: "turn_end" }>["stop"]): void {
    this.#addEnded({ waits: false });
    // Calls that never ended are no longer running, whatever became of them.
    this.#live.clear();
    this.#calls.clear();
    switch (stop) {
      case "abort":
        this.#event("interrupted");
        break;
      case "refusal":
        this.#add({ kind: "error", text: "The model refused to answer" });
        break;
      case "end":
      case "tool_calls":
      case "length":
      case "limit":
      case "error":
        break; // The others were told by a notice.
      default:
        stop satisfies never;
    }
  }

  #event(text: string, isWarning = false): void {
    this.#add({ kind: "event", text, ...(isWarning ? { isWarning } : {}) });
  }

  #add(item: Bare<Item>): void {
    this.#target.add({ ...item, turn: this.#turn });
  }
}

/** Whether a text has a title in brackets that begins with what a notice was about. */
function isAbout(text: string, about: string | undefined): boolean {
  return about !== undefined && text.toLowerCase().startsWith(`[${about.toLowerCase()} `);
}

/** An item before it is known to which turn it belongs. */
type Bare<T> = T extends unknown ? Omit<T, "turn"> : never;

function textOf(part: Part): string {
  return part.type === "text" ? part.text : `(${part.mime}, ${part.data.length} bytes)`;
}
