/** What reading a reply comes down to on every wire: deltas, calls, private data, a count, and why it stops. */
import type { ProviderPrivate, StopReason } from "@/protocol/message.ts";
import {
  NO_USAGE,
  type ProviderEvent,
  type ProviderToolCall,
  type Request,
  type Usage,
} from "@/protocol/provider.ts";
import { readArguments } from "@/lib/json_args.ts";
import { CallIds } from "./call_ids.ts";
import type { ToolNames } from "./tool_names.ts";
import type { Try, WireOptions } from "./wire.ts";

/** Whose reply it is. */
export type ReplyParts = {
  /** As private data names it. */
  wire: string;
  options: WireOptions;
  request: Request;
  names: ToolNames;
  one: Try;
};

/** A call as a wire has put it together. */
export type WrittenCall = {
  id: unknown;
  name: unknown;
  args: unknown;
  /** The reply ended inside of it: it must not run. */
  isCut?: boolean;
  /** Data that goes back with it. */
  data?: unknown;
};

type Channel = "text" | "thinking";

/** What a server's words for a stop mean; "end" stands for "tool_calls" too where there are calls. */
export type Stops = Readonly<Record<string, "end" | "length" | "refusal">>;

/** How often a reply that the server interrupts is gone on with. */
export const CONTINUATIONS_MAX = 5;

/** One a reply. Whatever it makes is reported as content. */
export class ReplyEvents {
  readonly request: Request;
  readonly #parts: ReplyParts;
  readonly #ids: CallIds;
  #calls = 0;
  #model: string;
  #usage: Usage = NO_USAGE;
  #hasContent = false;

  constructor(parts: ReplyParts) {
    this.request = parts.request;
    this.#parts = parts;
    this.#ids = new CallIds(parts.request.messages, parts.options.newId);
    this.#model = parts.request.model;
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#calls;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Content came that makes no event yet. */
  content(): void {
    this.#hasContent = true;
    this.#parts.one.content();
  }

  /** Something is skipped because it is not known. */
  readonly unknown: Try["unknown"] = (place, word) => this.#parts.one.unknown(place, word);

  /** The model that says it answers. */
  answeredBy(model: string | null | undefined): void {
    this.#model = model || this.#model;
  }

  /** What the reply has cost until now. */
  count(usage: Usage): void {
    this.#usage = usage;
    this.#parts.one.spent(usage);
  }

  /** A piece of text; none for nothing. */
  *delta(channel: Channel, text: unknown): Generator<ProviderEvent, void, undefined> {
    if (typeof text !== "string" || text === "") return;
    this.content();
    yield { type: "delta", channel, text };
  }

  /** The block shown so far is complete and goes back with this. */
  sealed(channel: Channel, data: unknown): ProviderEvent {
    return { type: "block_end", channel, private: this.kept(data) };
  }

  /** Data for this wire, server and model alone. */
  kept(data: unknown): ProviderPrivate {
    const { wire, options } = this.#parts;
    return { wire, baseUrl: options.connection.baseUrl, model: this.request.model, data };
  }

  /** A complete call, or what can be said of it: one that cannot be read, or was cut, is damaged. */
  call({ id, name: written, args, isCut = false, data }: WrittenCall): ProviderToolCall {
    this.content();
    this.#calls += 1;
    const name = this.#parts.names.meant(written);
    const { input: read, damage: unreadable } = readArguments(args);
    const input = unreadable === undefined ? this.#parts.names.meantInput(name, read) : read;
    const damage = name === ""
      ? "the call names no tool"
      : isCut
      ? "the reply ended before the call was complete"
      : unreadable;
    return {
      type: "tool_call",
      id: this.#ids.unique(id),
      name: name === "" ? "unnamed" : name,
      input,
      ...(damage === undefined ? {} : { damage }),
      ...(data === undefined ? {} : { private: this.kept(data) }),
    };
  }

  /** What a server's word for a stop means. One that is not known is an end, as calls or text say. */
  stop(word: string, stops: Stops, calls = this.#calls): StopReason {
    const meant = Object.hasOwn(stops, word) ? stops[word] : undefined;
    if (meant === undefined && word !== "") this.unknown("stop reason", word);
    if (meant === "length" || meant === "refusal") return meant;
    return calls > 0 ? "tool_calls" : "end";
  }

  /** The last event; `cut` is of the event. */
  done(
    stop: StopReason,
    { kept, cut }: { kept?: ProviderPrivate | undefined; cut?: string | undefined } = {},
  ): ProviderEvent {
    return {
      type: "done",
      stop,
      usage: this.#usage,
      model: this.#model,
      ...(kept === undefined ? {} : { private: [kept] }),
      ...(cut === undefined ? {} : { cut }),
    };
  }

  /** Whether nothing came of a prompt: of a reply that reached a limit, the only sign that the prompt fills the window. */
  get isUnspoken(): boolean {
    const { input, output } = this.#usage;
    return !this.#hasContent && output === 0 && input > 0;
  }

  /** What is said of a reply that ended where the window did. */
  get windowFull(): string {
    return `The reply was cut off: the context window of ${this.request.model} is full. Use /compact, or start a new session`;
  }

  /** What is said of a reply that its server would not bring to an end. */
  get interrupted(): string {
    const times = CONTINUATIONS_MAX + 1;
    return `The reply was cut off: the server interrupted it ${times} times. Say "go on" for the rest`;
  }
}

/** A notice of why a model declined; none where nobody says. */
export function* declined(
  why: readonly (string | null | undefined)[],
): Generator<ProviderEvent, void, undefined> {
  const said = why.filter(Boolean).join(": ");
  if (said !== "") yield { type: "notice", level: "warn", text: `The model declined (${said})` };
}
