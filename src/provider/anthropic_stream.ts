/** Reads Anthropic's event stream into events of ours. */
import * as z from "zod";
import type { ProviderPrivate, StopReason } from "@/protocol/message.ts";
import type { ProviderEvent, Request, Usage } from "@/protocol/provider.ts";
import { readArguments } from "@/lib/json_args.ts";
import { WIRE } from "./anthropic_body.ts";
import type { CallIds } from "./call_ids.ts";
import type { ToolNames } from "./tool_names.ts";
import type { Try } from "./wire.ts";

const count = z.number().nullish();

const usageSchema = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
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
  type: string;
  id: unknown;
  name: unknown;
  input: unknown;
  json: string;
  thinking: string;
  signature: string;
  data: string;
};

export type StreamParts = {
  request: Request;
  baseUrl: string;
  ids: CallIds;
  names: ToolNames;
  one: Try;
};

/** One reply as it comes in. */
export class AnthropicReply {
  readonly #parts: StreamParts;
  readonly #blocks = new Map<number, OpenBlock>();
  #usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  #model: string;
  #stop: string | undefined;
  #calls = 0;
  #said:
    | { category?: string | null | undefined; explanation?: string | null | undefined }
    | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#model = parts.request.model;
  }

  /** The events that one event of the stream means. */
  *take(event: AnthropicEvent): Generator<ProviderEvent, void, undefined> {
    switch (event.type) {
      case "message_start":
        this.#model = event.message?.model || this.#model;
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
        this.#said = event.delta?.stop_details ?? this.#said;
        this.#count(event.usage);
        break;
    }
  }

  /** What ends the reply; undefined when the stream ended before it had said why it stops. */
  *done(): Generator<ProviderEvent, boolean, undefined> {
    if (this.#stop === undefined) return false;
    // A block that was never closed was cut: its call is reported, never run.
    for (const index of this.#blocks.keys()) yield* this.#end(index, true);
    const stop = stopOf(this.#stop, this.#calls);
    if (stop === "refusal") yield* this.#refusal();
    yield { type: "done", stop, usage: this.#usage, model: this.#model };
    return true;
  }

  *#begin({ index = 0, content_block: block }: AnthropicEvent): Generator<ProviderEvent> {
    if (!block) return;
    const open: OpenBlock = {
      type: block.type,
      id: block.id,
      name: block.name,
      input: block.input,
      json: "",
      thinking: block.thinking ?? "",
      signature: block.signature ?? "",
      data: block.data ?? "",
    };
    this.#blocks.set(index, open);
    if (block.type !== "text" && block.type !== "thinking") this.#parts.one.content();
    if (block.text) yield this.#delta("text", block.text);
    if (block.thinking) yield this.#delta("thinking", block.thinking);
  }

  *#continue({ index = 0, delta }: AnthropicEvent): Generator<ProviderEvent> {
    const open = this.#blocks.get(index);
    if (open === undefined || !delta) return;
    if (delta.text) yield this.#delta("text", delta.text);
    if (delta.thinking) {
      open.thinking += delta.thinking;
      yield this.#delta("thinking", delta.thinking);
    }
    if (delta.signature) {
      open.signature += delta.signature;
      this.#parts.one.content();
    }
    if (delta.partial_json) {
      open.json += delta.partial_json;
      this.#parts.one.content();
    }
  }

  *#end(index: number, isCut = false): Generator<ProviderEvent> {
    const open = this.#blocks.get(index);
    if (open === undefined) return;
    this.#blocks.delete(index);
    const { type, thinking, signature, data } = open;
    if (type === "tool_use") yield this.#call(open, isCut);
    // Unsigned reasoning comes from compatible servers; it may not be sent back, so nothing of it is kept.
    if (type === "thinking" && signature !== "") yield this.#sealed({ type, thinking, signature });
    if (type === "redacted_thinking") yield this.#sealed({ type, data });
  }

  #sealed(data: unknown): ProviderEvent {
    const { baseUrl, request } = this.#parts;
    const kept: ProviderPrivate = { wire: WIRE, baseUrl, model: request.model, data };
    return { type: "block_end", channel: "thinking", private: kept };
  }

  #call({ id, name: written, input: whole, json }: OpenBlock, isCut: boolean): ProviderEvent {
    const { ids, names, one } = this.#parts;
    one.content();
    this.#calls += 1;
    const name = names.meant(written);
    const { input, damage } = readArguments(json === "" ? whole : json);
    const problem = name === ""
      ? "the call names no tool"
      : isCut
      ? "the reply ended before the call was complete"
      : damage;
    return {
      type: "tool_call",
      id: ids.unique(id),
      name: name === "" ? "unnamed" : name,
      input,
      ...(problem === undefined ? {} : { damage: problem }),
    };
  }

  #delta(channel: "text" | "thinking", text: string): ProviderEvent {
    this.#parts.one.content();
    return { type: "delta", channel, text };
  }

  /** Counts are cumulative: a number that comes replaces the one before, one that does not come leaves it. */
  #count(usage: z.infer<typeof usageSchema> | null | undefined): void {
    if (!usage) return;
    const { input, output, cacheRead, cacheWrite } = this.#usage;
    this.#usage = {
      input: usage.input_tokens ?? input,
      output: usage.output_tokens ?? output,
      cacheRead: usage.cache_read_input_tokens ?? cacheRead,
      cacheWrite: usage.cache_creation_input_tokens ?? cacheWrite,
    };
    this.#parts.one.spent(this.#usage);
  }

  *#refusal(): Generator<ProviderEvent> {
    const { category, explanation } = this.#said ?? {};
    const why = [category, explanation].filter(Boolean).join(": ");
    if (why !== "") yield { type: "notice", level: "warn", text: `The model declined (${why})` };
  }
}

function stopOf(reason: string, calls: number): StopReason {
  switch (reason) {
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
    case "sensitive": // Z.ai's compatible endpoint.
      return "refusal";
    default: // end_turn, stop_sequence, tool_use, pause_turn, and whatever comes to be added.
      return calls > 0 ? "tool_calls" : "end";
  }
}
