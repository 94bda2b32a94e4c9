/** Reads the Responses API's event stream into events of ours. */
import * as z from "zod";
import type { ProviderEvent, Usage } from "@/protocol/provider.ts";
import { privateItem, WIRE } from "./openai_responses_body.ts";
import { ReplyEvents, type ReplyParts, type Stops } from "./reply_events.ts";

const itemSchema = z.looseObject({
  type: z.string(),
  id: z.string().nullish(),
  call_id: z.unknown().optional(),
  name: z.unknown().optional(),
  arguments: z.unknown().optional(),
  phase: z.string().nullish(),
  content: z.unknown().optional(),
});

/** What a message says in one of its parts. */
const partSchema = z.looseObject({ text: z.string().optional(), refusal: z.string().optional() });

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
  output_index: z.number().nullish(),
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

/** Why a response that is not whole ended. */
const STOPS: Stops = { max_output_tokens: "length", content_filter: "refusal" };

/** Events that say nothing which others do not say as well. */
const SILENT =
  /^response\.(?:created|in_progress|queued|content_part\.(?:added|done)|(?:output_text|refusal|reasoning_text|function_call_arguments)\.done|reasoning_summary_(?:part|text)\.done|output_text\.annotation\.added)$/;

/** Of events that do not say where their item stands. */
const NOWHERE = -1;

/** How a reply ended: with these events, or with an error of the server. */
export type Ending = { events: ProviderEvent[] } | { error: unknown };

/** One reply as it comes in. */
export class ResponsesReply {
  readonly #events: ReplyEvents;
  /** Items that are finished. */
  readonly #seen = new Set<unknown>();
  /** How many there were: they finish in their order, so it is the place of the next where none is named. */
  #finished = 0;
  /** Places of the messages whose text came in pieces. */
  readonly #spoken = new Set<number>();
  /** Calls that have begun, by their places. */
  readonly #open = new Map<number, { item: Item; args: string }>();
  #isRefused = false;

  constructor(parts: Omit<ReplyParts, "wire">) {
    this.#events = new ReplyEvents({ ...parts, wire: WIRE });
  }

  /** The events that one event of the stream means. */
  *take(event: ResponsesEvent): Generator<ProviderEvent, void, undefined> {
    const place = event.output_index ?? NOWHERE;
    switch (event.type) {
      case "response.output_text.delta":
        this.#spoken.add(place);
        yield* this.#events.delta("text", event.delta);
        break;
      case "response.refusal.delta":
        this.#spoken.add(place);
        this.#isRefused = true;
        yield* this.#events.delta("text", event.delta);
        break;
      case "response.reasoning_summary_part.added":
        // A new paragraph of the summary.
        if ((event.summary_index ?? 0) > 0) yield* this.#events.delta("thinking", "\n\n");
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield* this.#events.delta("thinking", event.delta);
        break;
      case "response.function_call_arguments.delta":
      case "response.output_item.added":
        this.#events.content();
        this.#begun(event, place);
        break;
      case "response.output_item.done":
        this.#open.delete(place);
        if (event.item) yield* this.#item(event.item, event.output_index ?? this.#finished);
        if (event.item?.type === "message") this.#spoken.delete(NOWHERE);
        this.#finished += 1;
        break;
      default:
        if (!SILENT.test(event.type)) this.#events.unknown("event", event.type);
    }
  }

  /** What a terminal event means; undefined for an event that is none. */
  ending({ type, response }: ResponsesEvent): Ending | undefined {
    switch (type) {
      case "response.completed":
        return this.#ended(response);
      case "response.incomplete":
        return this.#ended(response, this.#incomplete(response));
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

  #incomplete(response: ResponsesEvent["response"]): "length" | "refusal" {
    const stop = this.#events.stop(response?.incomplete_details?.reason ?? "", STOPS, 0);
    return stop === "refusal" ? "refusal" : "length";
  }

  #ended(response: ResponsesEvent["response"], stop?: "length" | "refusal"): Ending {
    // Items whose own event never came are in the whole response; reasoning would come too late for its block.
    const late = (stop === undefined ? response?.output ?? [] : []).flatMap((item, place) =>
      item.type === "reasoning" ? [] : [...this.#item(item, place)]
    );
    const cut = stop === "length"
      ? [...this.#open.values()].map(({ item, args }) =>
        this.#events.call({ id: item.call_id, name: item.name, args, isCut: true })
      )
      : [];
    const events = [...late, ...cut];
    if (stop === undefined && this.#isRefused) stop = "refusal";
    this.#events.answeredBy(response?.model);
    this.#events.count(usageOf(response));
    return { events: [...events, this.#events.done(stop ?? this.#events.stop("", STOPS))] };
  }

  #begun({ item, delta }: ResponsesEvent, place: number): void {
    const open = this.#open.get(place);
    if (item?.type === "function_call") this.#open.set(place, { item, args: "" });
    else if (open !== undefined && typeof delta === "string") open.args += delta;
  }

  /** A finished item is the truth; what its first event said may have been a part. */
  *#item(item: Item, place: number): Generator<ProviderEvent> {
    const key = item.id ?? item.call_id ?? place;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    switch (item.type) {
      case "function_call":
        yield this.#events.call({ id: item.call_id, name: item.name, args: item.arguments });
        break;
      case "reasoning": {
        const kept = privateItem.safeParse(item);
        if (kept.success) yield this.#events.sealed("thinking", kept.data);
        break;
      }
      case "message":
        if (!this.#spoken.has(place) && !this.#spoken.has(NOWHERE)) yield* this.#said(item);
        if (item.phase) yield this.#events.sealed("text", { phase: item.phase });
        break;
      default:
        this.#events.unknown("item", item.type);
    }
  }

  /** A message that came as a whole. */
  *#said({ content }: Item): Generator<ProviderEvent> {
    for (const part of Array.isArray(content) ? content : []) {
      const read = partSchema.safeParse(part);
      if (!read.success) continue;
      const { text, refusal } = read.data;
      if (refusal !== undefined) this.#isRefused = true;
      yield* this.#events.delta("text", text ?? refusal);
    }
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
