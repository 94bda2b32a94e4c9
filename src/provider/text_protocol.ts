/**
 * Calls as text: for models that have no interface for calls, and for those that have one and still write them into
 * their answer because the server does not know their format. Either way the loop sees the same `tool_call` events.
 */
import {
  type Provider,
  ProviderError,
  type ProviderEvent,
  type ProviderToolCall,
  type Request,
} from "@/protocol/provider.ts";
import { toolPrompt } from "./prompt_tools.ts";
import { textHistory } from "./text_history.ts";
import { type Closed, type FilterOptions, type Shown, ThinkFilter } from "./think_filter.ts";
import type { ReadReply } from "./tool_text/read_calls.ts";
import type { CallReport } from "./tool_text/report.ts";

export type TextProtocolOptions = {
  /** A new id for a call; different each time. */
  newId?(): string;
};

type DoneEvent = Extract<ProviderEvent, { type: "done" }>;

const CALL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const NO_NAME = "unreadable_call";

/** A provider whose model is told of tools in the system prompt, and whose calls are read from its text. */
export function withTextProtocol(provider: Provider, options: TextProtocolOptions = {}): Provider {
  return {
    name: provider.name,
    stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
      const { tools } = request;
      const system = [request.system, toolPrompt(tools)].filter((part) => part !== "").join("\n\n");
      const { messages, places } = textHistory(request.messages, tools);
      const asText = { ...request, system, messages, tools: [] };
      const reader = new StreamReader({ tools }, options);
      return reader.read(located(provider.stream(asText, signal), places));
    },
  };
}

/** The events; an error that names a message names the one that it stems from. */
async function* located(
  events: AsyncIterable<ProviderEvent>,
  places: readonly (number | undefined)[],
): AsyncGenerator<ProviderEvent> {
  try {
    yield* events;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.messageIndex === undefined) throw error;
    throw error.with({ messageIndex: places[error.messageIndex] });
  }
}

/**
 * A provider with an interface for calls whose model may write a call into its text all the same. If a reply has no
 * other call and its text holds a certain one, that one runs; a notice says so once for each model.
 */
export function textCallsFromNative(
  provider: Provider,
  options: TextProtocolOptions = {},
): Provider {
  const told = new Set<string>();
  return {
    name: provider.name,
    stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
      const { tools, model } = request;
      const filter = { tools, isCertainOnly: true, isNative: true };
      const reader = new StreamReader(filter, options, {
        notice: () => {
          if (told.has(model)) return undefined;
          told.add(model);
          return `${model} writes its tool calls as text: the server seems to lack a tool parser for it. The calls are read from the text`;
        },
      });
      return reader.read(provider.stream(request, signal));
    },
  };
}

type NativeOptions = { notice(): string | undefined };

/** Reads one reply off a stream: its text through the filter, its calls at the end. */
class StreamReader {
  readonly #filterOptions: FilterOptions;
  readonly #newId: () => string;
  readonly #native: NativeOptions | undefined;
  #filter: ThinkFilter;
  /** Calls that came as calls: then none is looked for in the text. */
  #hasNativeCalls = false;
  #hasReasoning = false;
  #isFirstText = true;
  /** Ends of text blocks, while the filter still holds back some of the text. */
  #blockEnds: ProviderEvent[] = [];

  constructor(filter: FilterOptions, options: TextProtocolOptions, native?: NativeOptions) {
    this.#filterOptions = filter;
    this.#filter = new ThinkFilter(filter);
    this.#newId = options.newId ?? (() => `call_${crypto.randomUUID()}`);
    this.#native = native;
  }

  /** `yield*` would wait for each event of what is there already. */
  async *read(events: AsyncIterable<ProviderEvent>): AsyncGenerator<ProviderEvent> {
    for await (const event of events) {
      switch (event.type) {
        case "delta":
          if (event.channel === "text") {
            for (const one of this.#shown(this.#filter.push(event.text))) yield one;
          } else yield this.#reasoning(event);
          break;
        case "block_end":
          if (event.channel === "text" && this.#filter.isHolding) this.#blockEnds.push(event);
          else yield event;
          break;
        case "tool_call":
          for (const one of this.#nativeCall(event)) yield one;
          break;
        case "retry":
          if (event.discarded) this.#restart();
          yield event;
          break;
        case "notice":
          yield event;
          break;
        case "done":
          for (const one of this.#done(event)) yield one;
          break;
        default:
          event satisfies never;
      }
    }
  }

  *#shown({ text, thinking, isDiscarded }: Shown): Generator<ProviderEvent> {
    if (isDiscarded) {
      const reason = "what was shown was reasoning";
      yield { type: "retry", reason, attempt: 0, waitMs: 0, discarded: true };
      this.#isFirstText = true;
    }
    if (thinking !== "") {
      this.#hasReasoning = true;
      yield { type: "delta", channel: "thinking", text: thinking };
    }
    if (text === "") return;
    // Line breaks between reasoning and answer belong to neither; in the text protocol they never mean anything.
    const isBare = this.#isFirstText && (this.#native === undefined || this.#hasReasoning);
    const visible = isBare ? text.replace(/^\s*\n/, "") : text;
    this.#isFirstText = this.#isFirstText && visible === "";
    if (visible !== "") yield { type: "delta", channel: "text", text: visible };
  }

  #reasoning(event: ProviderEvent): ProviderEvent {
    this.#filter.expectNoReasoning();
    return event;
  }

  /** A call that came as one. The text before it is no call then. */
  *#nativeCall(call: ProviderToolCall): Generator<ProviderEvent> {
    this.#hasNativeCalls = true;
    yield* this.#finishText(this.#filter.close());
    this.#filter = new ThinkFilter(this.#filterOptions);
    yield call;
  }

  *#finishText(closed: Closed): Generator<ProviderEvent> {
    yield* this.#shown(closed);
    yield* this.#blockEnds.splice(0);
  }

  *#done(event: DoneEvent): Generator<ProviderEvent> {
    const { reply, ...shown } = this.#filter.close(event.stop);
    yield* this.#finishText({ reply, ...shown });
    const mayCall = !this.#hasNativeCalls && event.stop !== "abort" && event.stop !== "refusal";
    const outcomes = mayCall ? reply.outcomes : [];
    if (outcomes.length === 0) {
      const isCallless = event.stop === "tool_calls" && !this.#hasNativeCalls;
      yield isCallless ? { ...event, stop: "end" } : event;
      return;
    }
    for (const notice of this.#notices(reply)) yield notice;
    for (const outcome of outcomes) {
      yield "call" in outcome ? this.#call(outcome.call) : this.#damaged(outcome.report);
    }
    yield { ...event, stop: "tool_calls" };
  }

  *#notices({ calls, reports }: ReadReply): Generator<ProviderEvent> {
    const text = calls.length > 0 ? this.#native?.notice() : undefined;
    if (text !== undefined) yield { type: "notice", level: "info", text, about: "tool calls" };
    const [report] = reports;
    if (report === undefined) return;
    const count = reports.length > 1 ? `${reports.length} calls` : "A call";
    yield {
      type: "notice",
      level: "info",
      text: `${count} of the model could not be used and did not run (${KINDS[report.kind]})`,
      about: "tool calls",
    };
  }

  #call({ name, input, raw }: ReadReply["calls"][number]): ProviderToolCall {
    const blocks = raw.length === 0 ? {} : { raw };
    return { type: "tool_call", id: this.#newId(), name, input, ...blocks };
  }

  /** A call that must not run is an event all the same: the loop answers it, and the model can send it again. */
  #damaged({ name, input, text }: CallReport): ProviderToolCall {
    const isName = name !== undefined && CALL_NAME.test(name);
    return {
      type: "tool_call",
      id: this.#newId(),
      name: isName ? name : NO_NAME,
      input,
      damage: text,
    };
  }

  #restart(): void {
    this.#filter = new ThinkFilter(this.#filterOptions);
    this.#hasNativeCalls = false;
    this.#hasReasoning = false;
    this.#isFirstText = true;
    this.#blockEnds = [];
  }
}

const KINDS: Readonly<Record<CallReport["kind"], string>> = {
  cut: "it was cut off",
  unreadable: "it could not be read",
  unknown_tool: "there is no such tool",
  in_reasoning: "it stood in its reasoning",
  after_result: "it came after a result that the model made up",
};
