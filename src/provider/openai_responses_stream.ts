/** Reads the Responses API's event stream into events of ours. */
import * as z from "zod";
import type { ProviderPrivate, StopReason } from "@/protocol/message.ts";
import type { ProviderEvent, Request, Usage } from "@/protocol/provider.ts";
import { readArguments } from "@/lib/json_args.ts";
import type { CallIds } from "./call_ids.ts";
import { privateItem, WIRE } from "./openai_responses_body.ts";
import type { ToolNames } from "./tool_names.ts";
import type { Try } from "./wire.ts";

const itemSchema = z.looseObject({
  type: z.string(),
  id: z.string().nullish(),
  call_id: z.unknown().optional(),
  name: z.unknown().optional(),
  arguments: z.unknown().optional(),
  phase: z.string().nullish(),
});

const count = z.number().nullish();

const responseSchema = z.looseObject({
  model: z.string().nullish(),
  output: z.array(itemSchema).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: z.looseObject({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count })
      .nullish(),
  }).nullish(),
});

export const eventSchema = z.looseObject({
  type: z.string(),
  delta: z.unknown().optional(),
  summary_index: z.number().nullish(),
  item: itemSchema.nullish(),
  response: responseSchema.nullish(),
});

export type ResponsesEvent = z.infer<typeof eventSchema>;
type Item = z.infer<typeof itemSchema>;

/** Failures that are the model's or the vendor's no, not the server's trouble. */
const REFUSALS: ReadonlySet<string> = new Set([
  "invalid_prompt",
  "bio_policy",
  "misalignment_policy_violation",
]);

export type ResponsesStreamParts = {
  request: Request;
  baseUrl: string;
  ids: CallIds;
  names: ToolNames;
  one: Try;
};

/** How a reply ended: with these events, or with an error of the server. */
export type Ending = { events: ProviderEvent[] } | { error: unknown };

/** One reply as it comes in. */
export class ResponsesReply {
  readonly #parts: ResponsesStreamParts;
  readonly #seen = new Set<string>();
  #calls = 0;
  #isRefused = false;

  constructor(parts: ResponsesStreamParts) {
    this.#parts = parts;
  }

  /** The events that one event of the stream means. */
  *take(event: ResponsesEvent): Generator<ProviderEvent, void, undefined> {
    switch (event.type) {
      case "response.output_text.delta":
        yield* this.#delta("text", event.delta);
        break;
      case "response.refusal.delta":
        this.#isRefused = true;
        yield* this.#delta("text", event.delta);
        break;
      case "response.reasoning_summary_part.added":
        // A new paragraph of the summary.
        if ((event.summary_index ?? 0) > 0) yield* this.#delta("thinking", "\n\n");
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield* this.#delta("thinking", event.delta);
        break;
      case "response.function_call_arguments.delta":
      case "response.output_item.added":
        this.#parts.one.content();
        break;
      case "response.output_item.done":
        if (event.item) yield* this.#item(event.item);
        break;
    }
  }

  /** What a terminal event means; undefined for an event that is none. */
  ending({ type, response }: ResponsesEvent): Ending | undefined {
    switch (type) {
      case "response.completed":
        return this.#ended(response, this.#isRefused ? "refusal" : undefined);
      case "response.incomplete":
        return this.#ended(
          response,
          response?.incomplete_details?.reason === "content_filter" ? "refusal" : "length",
        );
      case "response.failed": {
        const { error } = response ?? {};
        if (REFUSALS.has(error?.code ?? "")) return this.#ended(response, "refusal");
        return { error: { error: error ?? { message: "The response failed" } } };
      }
      case "response.cancelled":
        return { error: { error: { message: "The server cancelled the response" } } };
      default:
        return undefined;
    }
  }

  #ended(response: ResponsesEvent["response"], stop: StopReason | undefined): Ending {
    const { request } = this.#parts;
    // Items whose own event never came are in the whole response.
    const late = stop === undefined
      ? (response?.output ?? []).filter((item) => item.type === "function_call")
      : [];
    const events = late.flatMap((item) => [...this.#item(item)]);
    const done: ProviderEvent = {
      type: "done",
      stop: stop ?? (this.#calls > 0 ? "tool_calls" : "end"),
      usage: usageOf(response),
      model: response?.model || request.model,
    };
    return { events: [...events, done] };
  }

  /** A finished item is the truth; what its first event said may have been a part. */
  *#item(item: Item): Generator<ProviderEvent> {
    switch (item.type) {
      case "function_call":
        yield* this.#call(item);
        break;
      case "reasoning": {
        const kept = privateItem.safeParse(item);
        if (kept.success) {
          yield { type: "block_end", channel: "thinking", private: this.#private(kept.data) };
        }
        break;
      }
      case "message":
        if (item.phase) {
          yield {
            type: "block_end",
            channel: "text",
            private: this.#private({ phase: item.phase }),
          };
        }
        break;
    }
  }

  *#call(item: Item): Generator<ProviderEvent> {
    const { ids, names, one } = this.#parts;
    const own = item.id ?? "";
    if (own !== "" && this.#seen.has(own)) return;
    this.#seen.add(own);
    one.content();
    this.#calls += 1;
    const name = names.meant(item.name);
    const { input, damage } = readArguments(item.arguments);
    const problem = name === "" ? "the call names no tool" : damage;
    yield {
      type: "tool_call",
      id: ids.unique(item.call_id),
      name: name === "" ? "unnamed" : name,
      input,
      ...(problem === undefined ? {} : { damage: problem }),
    };
  }

  *#delta(channel: "text" | "thinking", text: unknown): Generator<ProviderEvent> {
    if (typeof text !== "string" || text === "") return;
    this.#parts.one.content();
    yield { type: "delta", channel, text };
  }

  #private(data: unknown): ProviderPrivate {
    const { baseUrl, request } = this.#parts;
    return { wire: WIRE, baseUrl, model: request.model, data };
  }
}

function usageOf(response: ResponsesEvent["response"]): Usage {
  const { input_tokens: prompt, output_tokens: output, input_tokens_details: details } =
    response?.usage ?? {};
  const cacheRead = details?.cached_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (prompt ?? 0) - cacheRead - cacheWrite),
    output: output ?? 0,
    cacheRead,
    cacheWrite,
  };
}
