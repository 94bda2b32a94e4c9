/** Reads Gemini's stream into events of ours. */
import * as z from "zod";
import type { StopReason } from "@/protocol/message.ts";
import { addUsage, NO_USAGE, type ProviderEvent, type Usage } from "@/protocol/provider.ts";
import { WIRE } from "./gemini_body.ts";
import { declined, ReplyEvents, type ReplyParts, type Stops } from "./reply_events.ts";

const count = z.number().nullish();

const partSchema = z.looseObject({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z.looseObject({
    id: z.string().nullish(),
    name: z.unknown().optional(),
    args: z.unknown().optional(),
  }).nullish(),
});

export const responseSchema = z.looseObject({
  candidates: z.array(z.looseObject({
    content: z.looseObject({ parts: z.array(partSchema).nullish() }).nullish(),
    finishReason: z.string().nullish(),
    finishMessage: z.string().nullish(),
    continuationToken: z.string().nullish(),
  })).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z.looseObject({
    promptTokenCount: count,
    cachedContentTokenCount: count,
    candidatesTokenCount: count,
    thoughtsTokenCount: count,
    toolUsePromptTokenCount: count,
  }).nullish(),
  modelVersion: z.string().nullish(),
  error: z.unknown().optional(),
});

export type GeminiResponse = z.infer<typeof responseSchema>;
type Part = z.infer<typeof partSchema>;

/** The model made something that is no reply. */
const FAULTS: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "MALFORMED_RESPONSE",
  "TOO_MANY_TOOL_CALLS",
]);

/** Not the end: the same request, with the token that came, goes on. */
const CONTINUATION = "CONTINUATION";

const STOPS: Stops = {
  STOP: "end",
  FINISH_REASON_UNSPECIFIED: "end",
  OTHER: "end",
  MAX_TOKENS: "length",
  [CONTINUATION]: "length",
  SAFETY: "refusal",
  RECITATION: "refusal",
  BLOCKLIST: "refusal",
  PROHIBITED_CONTENT: "refusal",
  SPII: "refusal",
  LANGUAGE: "refusal",
  MODEL_ARMOR: "refusal",
  ESCALATION: "refusal",
  PUP_LIMITED_DISABLED: "refusal",
};

/** One reply as it comes in, over as many streams as the server makes of it. */
export class GeminiReply {
  readonly #events: ReplyEvents;
  readonly #seen = new Set<string>();
  #finish: string | undefined;
  #message = "";
  #isBlocked = false;
  #token: string | undefined;
  /** What the streams before this one have cost. */
  #before: Usage = NO_USAGE;

  constructor(parts: Omit<ReplyParts, "wire">) {
    this.#events = new ReplyEvents({ ...parts, wire: WIRE });
  }

  /** The server's word for a reply that the model spoilt. */
  get fault(): string | undefined {
    if (this.#finish === undefined || !FAULTS.has(this.#finish)) return undefined;
    return [this.#finish, this.#message].filter(Boolean).join(": ");
  }

  /** Whether the reply has said why it stops. */
  get isFinished(): boolean {
    return this.#finish !== undefined || this.#isBlocked;
  }

  /** What the next request has to carry to go on; undefined for the first one. */
  get continuationToken(): string | undefined {
    return this.#token;
  }

  /** What the request that goes on has to carry; undefined where the reply is not to be gone on with. */
  get continuation(): string | undefined {
    return this.#finish === CONTINUATION ? this.#token : undefined;
  }

  /** Another stream of the same reply follows. */
  goOn(): void {
    this.#finish = undefined;
    this.#before = this.#events.usage;
  }

  /** The events that one chunk means. */
  *take(response: GeminiResponse): Generator<ProviderEvent, void, undefined> {
    this.#events.answeredBy(response.modelVersion);
    this.#count(response.usageMetadata);
    if (response.promptFeedback?.blockReason) {
      this.#isBlocked = true;
      this.#message = response.promptFeedback.blockReason;
    }
    const candidate = response.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) yield* this.#part(part);
    this.#token = candidate?.continuationToken || this.#token;
    this.#finish = candidate?.finishReason || this.#finish;
    this.#message = candidate?.finishMessage || this.#message;
  }

  /** What ends the reply. */
  *done(): Generator<ProviderEvent, void, undefined> {
    const stop = this.#stop();
    if (stop === "refusal") yield* declined([this.#finish, this.#message]);
    const cut = this.continuation === undefined ? undefined : this.#events.interrupted;
    yield this.#events.done(stop, { cut });
  }

  *#part(part: Part): Generator<ProviderEvent> {
    const { text, thought, thoughtSignature: signature, functionCall } = part;
    if (functionCall) {
      yield* this.#call(functionCall, signature ?? undefined);
      return;
    }
    const channel = thought === true ? "thinking" : "text";
    yield* this.#events.delta(channel, text);
    // Signatures stay at their part: also at one without text, and never merged with the next.
    if (signature && channel === "text") {
      yield this.#events.sealed(channel, { thoughtSignature: signature, text: text ?? "" });
    }
    if (typeof text !== "string" && !signature) {
      this.#events.unknown("part", Object.keys(part).filter((key) => key !== "thought").join(" "));
    }
  }

  *#call(
    { id: given, name, args }: NonNullable<Part["functionCall"]>,
    signature: string | undefined,
  ): Generator<ProviderEvent> {
    const id = given ?? undefined;
    // Some proxies send one call several times.
    const print = JSON.stringify([id, name, args]);
    if (id !== undefined && this.#seen.has(print)) {
      this.#events.content();
      return;
    }
    this.#seen.add(print);
    const kept = {
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
      ...(id === undefined ? {} : { id }),
    };
    const data = Object.keys(kept).length === 0 ? {} : { data: kept };
    yield this.#events.call({ id, name, args, ...data });
  }

  #stop(): StopReason {
    if (this.#isBlocked && this.#events.calls === 0) return "refusal";
    const finish = this.#finish ?? "";
    // Refusals to make an image come in many kinds.
    if (finish.startsWith("IMAGE_")) return "refusal";
    return this.#events.stop(finish, STOPS);
  }

  /** Repeated and growing: overwritten. Thoughts stand outside of the candidates' count, cached ones inside the prompt's. */
  #count(usage: GeminiResponse["usageMetadata"]): void {
    if (!usage) return;
    const cacheRead = usage.cachedContentTokenCount ?? 0;
    const prompt = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
    const counted = {
      input: Math.max(0, prompt - cacheRead),
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      cacheRead,
      cacheWrite: 0,
    };
    this.#events.count(addUsage(this.#before, counted));
  }
}
