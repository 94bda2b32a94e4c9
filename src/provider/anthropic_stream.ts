/** Reads Anthropic's event stream into events of ours. */
import * as z from "zod";
import { parsedJson } from "@/lib/json.ts";
import { addUsage, NO_USAGE, type ProviderEvent, type Usage } from "@/protocol/provider.ts";
import type { Sent } from "./body.ts";
import { declined, ReplyEvents, type ReplyParts, type Stops } from "./reply_events.ts";

const count = z.number().nullish();

const usageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish(),
});

/** Events that matter; all others are skipped, as the API's versioning rules ask for. */
export const eventSchema = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  message: z.looseObject({ model: z.string().nullish(), usage: usageSchema.nullish() }).nullish(),
  content_block: z.looseObject({
    type: z.string(),
    text: z.string().nullish(),
    thinking: z.string().nullish(),
    signature: z.string().nullish(),
    data: z.string().nullish(),
    id: z.unknown().optional(),
    name: z.unknown().optional(),
    input: z.unknown().optional(),
  }).nullish(),
  delta: z.looseObject({
    type: z.string().nullish(),
    text: z.string().nullish(),
    thinking: z.string().nullish(),
    signature: z.string().nullish(),
    partial_json: z.string().nullish(),
    citation: z.unknown().optional(),
    stop_reason: z.string().nullish(),
    stop_details: z.looseObject({
      category: z.string().nullish(),
      explanation: z.string().nullish(),
    })
      .nullish(),
  }).nullish(),
  usage: usageSchema.nullish(),
});

export type AnthropicEvent = z.infer<typeof eventSchema>;

type OpenBlock = {
  /** As it began, with the members that are not read here. */
  began: Sent;
  type: string;
  text: string;
  citations: unknown[];
  id: unknown;
  name: unknown;
  input: unknown;
  json: string;
  thinking: string;
  signature: string;
  data: string;
};

/** Not the end: with what was said until now as its last message, the same request goes on. */
const PAUSED = "pause_turn";

const WINDOW_FULL = "model_context_window_exceeded";

const STOPS: Stops = {
  end_turn: "end",
  stop_sequence: "end",
  tool_use: "end",
  [PAUSED]: "end",
  max_tokens: "length",
  [WINDOW_FULL]: "length",
  refusal: "refusal",
  sensitive: "refusal", // Z.ai's compatible endpoint.
};

const BLOCKS: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);
const DELTAS: ReadonlySet<string> = new Set([
  "text_delta",
  "thinking_delta",
  "signature_delta",
  "input_json_delta",
  "citations_delta",
]);

/** One reply as it comes in, over as many streams as the server makes of it. */
export class AnthropicReply {
  readonly #events: ReplyEvents;
  readonly #blocks = new Map<number, OpenBlock>();
  /** The blocks that are complete, as the server made them. */
  readonly #said: Sent[] = [];
  /** What the streams before this one have cost. */
  #before: Usage = NO_USAGE;
  #usage: Usage = NO_USAGE;
  #stop: string | undefined;
  #details:
    | { category?: string | null | undefined; explanation?: string | null | undefined }
    | undefined;

  constructor(parts: ReplyParts) {
    this.#events = new ReplyEvents(parts);
  }

  /** Whether the reply has said why it stops. */
  get isFinished(): boolean {
    return this.#stop !== undefined;
  }

  /** Whether the server wants to be asked to go on. Calls of ours are answered instead. */
  get isPaused(): boolean {
    return this.#stop === PAUSED && this.#events.calls === 0;
  }

  /** What was said in the streams before this one, to go back unchanged. */
  get said(): readonly Sent[] {
    return this.#said;
  }

  /** Another stream of the same reply follows. */
  goOn(): void {
    this.#stop = undefined;
    this.#blocks.clear();
    this.#before = this.#events.usage;
    this.#usage = NO_USAGE;
  }

  /** The events that one event of the stream means. */
  *take(event: AnthropicEvent): Generator<ProviderEvent, void, undefined> {
    switch (event.type) {
      case "message_start":
        this.#events.answeredBy(event.message?.model);
        this.#count(event.message?.usage);
        break;
      case "content_block_start":
        yield* this.#begin(event);
        break;
      case "content_block_delta":
        yield* this.#continue(event);
        break;
      case "content_block_stop":
        yield* this.#end(event.index ?? 0);
        break;
      case "message_delta":
        this.#stop = event.delta?.stop_reason ?? this.#stop;
        this.#details = event.delta?.stop_details ?? this.#details;
        this.#count(event.usage);
        break;
      case "ping":
        break;
      default:
        this.#events.unknown("event", event.type);
    }
  }

  /** What ends a reply that has said why it stops. */
  *done(): Generator<ProviderEvent, void, undefined> {
    // A block that was never closed was cut: its call is reported, never run.
    for (const index of this.#blocks.keys()) yield* this.#end(index, true);
    // As often as a pause was gone on with, it is not the end.
    const stop = this.isPaused ? "length" : this.#events.stop(this.#stop ?? "", STOPS);
    if (stop === "refusal") yield* declined([this.#details?.category, this.#details?.explanation]);
    const { windowFull, interrupted } = this.#events;
    const cut = this.isPaused ? interrupted : this.#stop === WINDOW_FULL ? windowFull : undefined;
    yield this.#events.done(stop, { cut });
  }

  *#begin({ index = 0, content_block: block }: AnthropicEvent): Generator<ProviderEvent> {
    if (!block) return;
    const { type, id, name, input } = block;
    const open: OpenBlock = {
      ...{ began: { ...block }, type, id, name, input, json: "", citations: [] },
      text: block.text ?? "",
      thinking: block.thinking ?? "",
      signature: block.signature ?? "",
      data: block.data ?? "",
    };
    this.#blocks.set(index, open);
    if (!BLOCKS.has(type)) this.#events.unknown("block", type);
    if (type !== "text" && type !== "thinking") this.#events.content();
    yield* this.#events.delta("text", block.text);
    yield* this.#events.delta("thinking", block.thinking);
  }

  *#continue({ index = 0, delta }: AnthropicEvent): Generator<ProviderEvent> {
    const open = this.#blocks.get(index);
    if (open === undefined || !delta) return;
    const { type, text, thinking, signature, partial_json: json } = delta;
    if (type && !DELTAS.has(type)) this.#events.unknown("delta", type);
    yield* this.#events.delta("text", text);
    yield* this.#events.delta("thinking", thinking);
    open.text += text ?? "";
    if (delta.citation !== undefined) open.citations.push(delta.citation);
    open.thinking += thinking ?? "";
    open.signature += signature ?? "";
    open.json += json ?? "";
    if (signature || json) this.#events.content();
  }

  *#end(index: number, isCut = false): Generator<ProviderEvent> {
    const open = this.#blocks.get(index);
    if (open === undefined) return;
    this.#blocks.delete(index);
    const { type, id, name, input, json, thinking, signature, data } = open;
    if (!isCut && mayGoBack(open)) this.#said.push(asMade(open));
    if (type === "tool_use") {
      yield this.#events.call({ id, name, args: json === "" ? input : json, isCut });
    }
    // Unsigned reasoning comes from compatible servers; it may not be sent back, so nothing of it is kept.
    if (type === "thinking" && signature !== "") {
      yield this.#events.sealed("thinking", { type, thinking, signature });
    }
    if (type === "redacted_thinking") yield this.#events.sealed("thinking", { type, data });
  }

  /** Counts are cumulative: a number that comes replaces the one before, one that does not come leaves it. */
  #count(usage: z.infer<typeof usageSchema> | null | undefined): void {
    if (!usage) return;
    const { input, output, cacheRead, cacheWrite, cacheWrite1h } = this.#usage;
    const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? cacheWrite1h ?? 0;
    this.#usage = {
      input: usage.input_tokens ?? input,
      output: usage.output_tokens ?? output,
      cacheRead: usage.cache_read_input_tokens ?? cacheRead,
      cacheWrite: usage.cache_creation_input_tokens ?? cacheWrite,
      ...(hour === 0 ? {} : { cacheWrite1h: hour }),
    };
    this.#events.count(addUsage(this.#before, this.#usage));
  }
}

/** Empty texts and unsigned reasoning are refused, also where the server made them. */
function mayGoBack({ type, text, signature }: OpenBlock): boolean {
  if (type === "text") return text.trim() !== "";
  return type !== "thinking" || signature !== "";
}

/** A block as the server has put it together. */
function asMade({ began, ...block }: OpenBlock): Sent {
  const { type, text, citations, thinking, signature, json, input } = block;
  return {
    ...began,
    ...(type === "text" && { text }),
    ...(type === "thinking" && { thinking, signature }),
    ...(citations.length > 0 && { citations }),
    ...(json !== "" && { input: parsedJson(json) ?? input }),
  };
}
