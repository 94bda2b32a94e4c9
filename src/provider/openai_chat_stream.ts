/** Reads a Chat Completions stream, with what its many servers make of it, into events of ours. */
import * as z from "zod";
import type { ProviderPrivate, StopReason } from "@/protocol/message.ts";
import type { ProviderEvent } from "@/protocol/provider.ts";
import { isObject } from "@/lib/json.ts";
import { CallFragments } from "./call_fragments.ts";
import { type PrivateReasoning, WIRE } from "./openai_chat_body.ts";
import type { Quirks } from "./quirks.ts";
import { ReasoningDetails } from "./reasoning_details.ts";
import { ReplyEvents, type ReplyParts, type Stops } from "./reply_events.ts";

const count = z.number().nullish();

const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count, cache_write_tokens: count })
    .nullish(),
  prompt_cache_hit_tokens: count,
  num_cached_tokens: count,
  cached_tokens: count,
});

const part = z.looseObject({
  type: z.string().nullish(),
  text: z.unknown().optional(),
  thinking: z.unknown().optional(),
});

const choiceSchema = z.looseObject({
  delta: z.looseObject({
    content: z.union([z.string(), z.array(part)]).nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    reasoning: z.string().nullish(),
    reasoning_details: z.array(z.record(z.string(), z.unknown())).nullish(),
    tool_calls: z.array(z.unknown()).nullish(),
  }).nullish(),
  finish_reason: z.string().nullish(),
  usage: usageSchema.nullish(),
});

export const chunkSchema = z.looseObject({
  model: z.string().nullish(),
  choices: z.array(choiceSchema).nullish(),
  usage: usageSchema.nullish(),
  x_groq: z.looseObject({ usage: usageSchema.nullish() }).nullish(),
  error: z.unknown().optional(),
});

export type ChatChunk = z.infer<typeof chunkSchema>;
type Delta = NonNullable<z.infer<typeof choiceSchema>["delta"]>;

/** Reasons that are no end but a failure of the server. */
const FAILURES: ReadonlySet<string> = new Set([
  "error",
  "network_error",
  "insufficient_system_resource",
]);

/** Z.ai's word for it. */
const WINDOW_FULL = "model_context_window_exceeded";

const STOPS: Stops = {
  stop: "end",
  end: "end",
  eos: "end", // Together
  tool_calls: "end",
  function_call: "end",
  length: "length",
  model_length: "length", // Mistral
  [WINDOW_FULL]: "length",
  content_filter: "refusal",
  sensitive: "refusal", // Z.ai
};

/** One reply as it comes in. */
export class ChatReply {
  readonly #quirks: Quirks;
  readonly #events: ReplyEvents;
  readonly #calls: CallFragments;
  readonly #details = new ReasoningDetails();
  readonly #chunks: Record<string, unknown>[] = [];
  #reasoning = "";
  #finish: string | undefined;
  #isRefused = false;

  constructor({ quirks, ...parts }: Omit<ReplyParts, "wire"> & { quirks: Quirks }) {
    this.#quirks = quirks;
    this.#events = new ReplyEvents({ ...parts, wire: WIRE });
    this.#calls = new CallFragments(this.#events);
  }

  /** The server's word for a failure, when it has ended with one. */
  get failure(): string | undefined {
    return this.#finish !== undefined && FAILURES.has(this.#finish) ? this.#finish : undefined;
  }

  /** Whether the reply has said why it stops. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  get isSilentOverflow(): boolean {
    return STOPS[this.#finish ?? ""] === "length" && this.#events.isUnspoken;
  }

  /** The events that one chunk means. */
  *take(chunk: ChatChunk): Generator<ProviderEvent, void, undefined> {
    this.#events.answeredBy(chunk.model);
    const choice = chunk.choices?.[0];
    for (const usage of [chunk.x_groq?.usage, choice?.usage, chunk.usage]) this.#count(usage);
    if (choice?.delta) yield* this.#delta(choice.delta);
    if (choice?.finish_reason) this.#finish = choice.finish_reason;
  }

  /** What ends the reply. */
  *done(): Generator<ProviderEvent, void, undefined> {
    const stop = this.#stop();
    yield* this.#calls.events(stop === "length");
    const cut = this.#finish === WINDOW_FULL ? this.#events.windowFull : undefined;
    yield this.#events.done(stop, { kept: this.#private(), cut });
  }

  *#delta(delta: Delta): Generator<ProviderEvent> {
    // Some servers deliver the same reasoning in two fields.
    const reasoning = delta.reasoning_content || delta.reasoning || "";
    const details = this.#details.add(delta.reasoning_details ?? []);
    yield* this.#thinking(reasoning || details);
    yield* this.#content(delta.content);
    if (delta.refusal) {
      this.#isRefused = true;
      yield* this.#events.delta("text", delta.refusal);
    }
    for (const fragment of delta.tool_calls ?? []) {
      this.#events.content();
      this.#calls.add(fragment);
    }
  }

  *#content(content: Delta["content"]): Generator<ProviderEvent> {
    if (typeof content === "string") {
      yield* this.#events.delta("text", content);
      return;
    }
    for (const piece of content ?? []) {
      if (piece.type === "thinking") {
        this.#chunks.push(piece);
        yield* this.#thinking(flatText(piece.thinking));
      } else {
        if (piece.type && piece.type !== "text") this.#events.unknown("part", piece.type);
        yield* this.#events.delta("text", flatText(piece.text));
      }
    }
  }

  *#thinking(text: string): Generator<ProviderEvent> {
    this.#reasoning += text;
    yield* this.#events.delta("thinking", text);
  }

  #stop(): StopReason {
    if (this.#isRefused) return "refusal";
    return this.#events.stop(this.#finish ?? "", STOPS, this.#calls.count);
  }

  /** Cumulative where it comes more than once: overwritten, not added. */
  #count(usage: z.infer<typeof usageSchema> | null | undefined): void {
    if (!usage) return;
    const details = usage.prompt_tokens_details;
    const cacheRead = details?.cached_tokens ?? usage.prompt_cache_hit_tokens ??
      usage.num_cached_tokens ?? usage.cached_tokens ?? 0;
    const cacheWrite = details?.cache_write_tokens ?? 0;
    this.#events.count({
      input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
      output: usage.completion_tokens ?? 0,
      cacheRead,
      cacheWrite,
    });
  }

  #private(): ProviderPrivate | undefined {
    const { reasoningBack } = this.#quirks;
    const kept: PrivateReasoning = {};
    if (reasoningBack.startsWith("content") && this.#reasoning !== "") {
      kept.reasoning_content = this.#reasoning;
    }
    if (reasoningBack === "details" && this.#details.all.length > 0) {
      kept.reasoning_details = this.#details.all;
    }
    if (reasoningBack === "chunks" && this.#chunks.length > 0) {
      kept.chunks = joinedChunks(this.#chunks);
    }
    return Object.keys(kept).length === 0 ? undefined : this.#events.kept(kept);
  }
}

/** The text of `"…"`, of `[{type: "text", text: "…"}]`, or nothing. */
function flatText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.map((inner: unknown) =>
    isObject(inner) && typeof inner.text === "string" ? inner.text : ""
  ).join("");
}

/** Chunks of one thought came in pieces: one chunk goes back. */
function joinedChunks(chunks: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const text = chunks.map(({ thinking }) => flatText(thinking)).join("");
  const rest = Object.assign({}, ...chunks);
  return [{ ...rest, thinking: [{ type: "text", text }] }];
}
