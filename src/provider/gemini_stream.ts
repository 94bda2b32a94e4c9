/** Reads Gemini's stream into events of ours. */
import * as z from "zod";
import type { ProviderPrivate, StopReason } from "@/protocol/message.ts";
import type { ProviderEvent, Request, Usage } from "@/protocol/provider.ts";
import { readArguments } from "@/lib/json_args.ts";
import type { CallIds } from "./call_ids.ts";
import { WIRE } from "./gemini_body.ts";
import type { ToolNames } from "./tool_names.ts";
import type { Try } from "./wire.ts";

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
const LENGTHS: ReadonlySet<string> = new Set(["MAX_TOKENS", "CONTINUATION"]);
const ENDS: ReadonlySet<string> = new Set(["STOP", "FINISH_REASON_UNSPECIFIED", "OTHER"]);
const REFUSALS =
  /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE|^IMAGE_|MODEL_ARMOR|ESCALATION|PUP_LIMITED/;

export type GeminiStreamParts = {
  request: Request;
  baseUrl: string;
  ids: CallIds;
  names: ToolNames;
  one: Try;
};

/** One reply as it comes in. */
export class GeminiReply {
  readonly #parts: GeminiStreamParts;
  readonly #seen = new Set<string>();
  #model: string;
  #calls = 0;
  #finish: string | undefined;
  #message = "";
  #isBlocked = false;
  #usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

  constructor(parts: GeminiStreamParts) {
    this.#parts = parts;
    this.#model = parts.request.model;
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

  /** The events that one chunk means. */
  *take(response: GeminiResponse): Generator<ProviderEvent, void, undefined> {
    this.#model = response.modelVersion || this.#model;
    this.#count(response.usageMetadata);
    if (response.promptFeedback?.blockReason) {
      this.#isBlocked = true;
      this.#message = response.promptFeedback.blockReason;
    }
    const candidate = response.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) yield* this.#part(part);
    this.#finish = candidate?.finishReason || this.#finish;
    this.#message = candidate?.finishMessage || this.#message;
  }

  /** What ends the reply. */
  *done(): Generator<ProviderEvent, void, undefined> {
    const stop = this.#stop();
    if (stop === "refusal") {
      const why = [this.#finish, this.#message].filter(Boolean).join(": ");
      yield { type: "notice", level: "warn", text: `The model declined (${why})` };
    }
    yield { type: "done", stop, usage: this.#usage, model: this.#model };
  }

  *#part(part: Part): Generator<ProviderEvent> {
    const { text, thought, thoughtSignature: signature, functionCall } = part;
    if (functionCall) {
      yield* this.#call(functionCall, signature ?? undefined);
      return;
    }
    const channel = thought === true ? "thinking" : "text";
    if (text) {
      this.#parts.one.content();
      yield { type: "delta", channel, text };
    }
    // Signatures stay at their part: also at one without text, and never merged with the next.
    if (signature && channel === "text") {
      yield {
        type: "block_end",
        channel,
        private: this.#private({ thoughtSignature: signature, text: text ?? "" }),
      };
    }
  }

  *#call(
    called: NonNullable<Part["functionCall"]>,
    signature: string | undefined,
  ): Generator<ProviderEvent> {
    const { ids, names, one } = this.#parts;
    one.content();
    const id = called.id ?? undefined;
    // Some proxies send one call several times.
    const print = JSON.stringify([id, called.name, called.args]);
    if (id !== undefined && this.#seen.has(print)) return;
    this.#seen.add(print);
    this.#calls += 1;
    const name = names.meant(called.name);
    const { input, damage } = readArguments(called.args);
    const problem = name === "" ? "the call names no tool" : damage;
    const kept = {
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
      ...(id === undefined ? {} : { id }),
    };
    yield {
      type: "tool_call",
      id: ids.unique(id),
      name: name === "" ? "unnamed" : name,
      input,
      ...(problem === undefined ? {} : { damage: problem }),
      ...(Object.keys(kept).length === 0 ? {} : { private: this.#private(kept) }),
    };
  }

  #stop(): StopReason {
    const finish = this.#finish ?? "";
    if (this.#isBlocked && this.#calls === 0) return "refusal";
    if (LENGTHS.has(finish)) return "length";
    if (!ENDS.has(finish) && REFUSALS.test(finish)) return "refusal";
    return this.#calls > 0 ? "tool_calls" : "end";
  }

  /** Repeated and growing: overwritten. Thoughts stand outside of the candidates' count, cached ones inside the prompt's. */
  #count(usage: GeminiResponse["usageMetadata"]): void {
    if (!usage) return;
    const cacheRead = usage.cachedContentTokenCount ?? 0;
    const prompt = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
    this.#usage = {
      input: Math.max(0, prompt - cacheRead),
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      cacheRead,
      cacheWrite: 0,
    };
    this.#parts.one.spent(this.#usage);
  }

  #private(data: unknown): ProviderPrivate {
    const { baseUrl, request } = this.#parts;
    return { wire: WIRE, baseUrl, model: request.model, data };
  }
}
