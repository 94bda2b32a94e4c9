/**
 * OpenAI, and every server that speaks Chat Completions. OpenAI's newer models take tools only over the Responses API:
 * which of the two is spoken is decided by server and model, and learnt where a server says so.
 */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { openAdapting } from "./adapt.ts";
import { authorization } from "./authorization.ts";
import { CallIds } from "./call_ids.ts";
import { FailedAttempt, type Failure } from "./failure.ts";
import { ConnectionFailure, type HttpRequest } from "./http.ts";
import { jsonBody } from "./json_body.ts";
import { isLoopback } from "./loopback.ts";
import type { ModelInfo } from "./model_source.ts";
import { chatBody, TOOLS_MAX } from "./openai_chat_body.ts";
import { ChatReply, chunkSchema } from "./openai_chat_stream.ts";
import { readModelList, readSlotWindow } from "./openai_models.ts";
import { responsesBody } from "./openai_responses_body.ts";
import { eventSchema, ResponsesReply } from "./openai_responses_stream.ts";
import { parsedJson } from "@/lib/json.ts";
import { isOpenAi, quirksOf } from "./quirks.ts";
import type { LearntFacts } from "./server_memory.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import {
  asking,
  corrected,
  cutOff,
  EVENTS,
  garbled,
  streamError,
  streamOf,
  type Try,
  unexpected,
  type WireOptions,
  type WireProvider,
} from "./wire.ts";

const LIST_MS_MAX = 10_000;
const MODEL_MS_MAX = 3_000;

/** Optional fields of either body, and how a refusal speaks of each. */
const OPTIONAL = {
  stream_options: /stream_options/i,
  reasoning_effort: /reasoning_effort/i,
  reasoning: /\breasoning\b(?!_)/i,
  thinking: /\bthinking\b/i,
  reasoning_split: /reasoning_split/i,
  include: /\binclude\b|encrypted content/i,
  store: /\bstore\b/i,
};

/** Models of OpenAI that Chat Completions refuses, with tools or at all. */
const RESPONSES_MODELS = /^(?:o\d|gpt-5\.[4-9]|gpt-[6-9]|gpt-\d\d)|codex|-pro\b|deep-research/;
const SAYS_RESPONSES = /\/v1\/responses|only supported in v1\/responses/i;

/** A server at a base URL that ends in its version (`…/v1`). */
export function openAiProvider(options: WireOptions): WireProvider {
  return new OpenAi(options);
}

class OpenAi implements WireProvider {
  readonly name = "openai";
  readonly #options: WireOptions;
  readonly #known = new Map<string, ModelInfo>();
  #isListed = false;
  /** The window of a slot; 0 where the server has none, absent before it was asked. */
  #slot: number | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    const { model } = request;
    return streamOf(this.#options, { model, signal }, (one) => this.#attempt(request, one));
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return await asking(this.#options, { signal }, () => this.#list(signal, LIST_MS_MAX));
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    try {
      if (!this.#isListed) await this.#list(signal, MODEL_MS_MAX);
      const info = this.#known.get(name) ?? { name };
      this.#slot ??= await this.#slotWindow(signal);
      return corrected(
        this.#options,
        this.#slot === 0 ? info : { ...info, windowTokens: this.#slot },
      );
    } catch (error) {
      signal.throwIfAborted();
      // Not worth more than its absence: the reply itself will say what is wrong.
      if (error instanceof ConnectionFailure || error instanceof FailedAttempt) return { name };
      throw error;
    }
  }

  /** Native, unless the list says that the model takes no tools: few lists say anything. */
  async protocolOf(model: string, signal: AbortSignal): Promise<"native" | "text"> {
    if (isOpenAi(this.#baseUrl)) return "native";
    return (await this.model(model, signal)).takesTools === false ? "text" : "native";
  }

  get #baseUrl(): string {
    return this.#options.connection.baseUrl;
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const facts = this.#options.memory.of(this.#baseUrl, request.model);
    const isKnown = isOpenAi(this.#baseUrl) && RESPONSES_MODELS.test(request.model);
    if (facts.speaksResponses !== true && !isKnown) {
      try {
        yield* this.#chat(request, one);
        return;
      } catch (error) {
        if (!saysResponses(error)) throw error;
        facts.speaksResponses = true;
      }
    }
    yield* this.#responses(request, one);
  }

  async *#chat(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const baseUrl = this.#baseUrl;
    const quirks = quirksOf(baseUrl, model);
    const names = ToolNames.of(request.tools);
    const takesImages = this.#known.get(model)?.takesImages ?? true;
    const stream = await openAdapting(this.#options, {
      model,
      optional: OPTIONAL,
      build: (facts) =>
        this.#post(
          "/chat/completions",
          chatBody({ request, baseUrl, quirks, names, takesImages, facts }),
        ),
      learn: (failure, facts) => learnCapField(failure, facts, quirks.capField),
    }, one);
    yield* this.#tooManyTools(request);
    const ids = new CallIds(request.messages, this.#options.newId);
    const reply = new ChatReply({ request, baseUrl, quirks, ids, names, one });
    let isOver = false;
    for await (const { data } of readSse(stream, one.signal)) {
      if (data.trim() === "[DONE]") {
        isOver = true;
        break;
      }
      if (data.trim() === "") continue; // Kept alive with nothing.
      const value = parsedJson(data);
      const chunk = chunkSchema.safeParse(value);
      if (!chunk.success) throw garbled(this.#options, model, data);
      if (chunk.data.error !== undefined && chunk.data.error !== null) {
        throw streamError(this.#options, model, value);
      }
      yield* reply.take(chunk.data);
    }
    if (reply.failure !== undefined) {
      throw streamError(this.#options, model, { error: { message: reply.failure } });
    }
    // Some servers send no [DONE], others no reason: one of the two says that the reply is whole.
    if (!isOver && !reply.isFinished) throw cutOff(this.#options, model);
    yield* reply.done();
  }

  async *#responses(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const baseUrl = this.#baseUrl;
    const names = ToolNames.of(request.tools);
    const takesImages = this.#known.get(model)?.takesImages ?? true;
    const stream = await openAdapting(this.#options, {
      model,
      optional: OPTIONAL,
      build: (facts) =>
        this.#post("/responses", responsesBody({ request, baseUrl, names, takesImages, facts })),
    }, one);
    const ids = new CallIds(request.messages, this.#options.newId);
    const reply = new ResponsesReply({ request, baseUrl, ids, names, one });
    for await (const { data } of readSse(stream, one.signal)) {
      const value = parsedJson(data);
      const event = eventSchema.safeParse(value);
      if (!event.success) {
        if (data.trim() === "[DONE]") continue;
        throw garbled(this.#options, model, data);
      }
      if (event.data.type === "error") throw streamError(this.#options, model, value);
      const ending = reply.ending(event.data);
      if (ending === undefined) {
        yield* reply.take(event.data);
        continue;
      }
      if ("error" in ending) throw streamError(this.#options, model, ending.error);
      yield* ending.events;
      return;
    }
    throw cutOff(this.#options, model);
  }

  *#tooManyTools({ tools, model }: Request): Generator<ProviderEvent> {
    const { told } = this.#options.memory.of(this.#baseUrl, model);
    if (tools.length <= TOOLS_MAX || told.has("tools")) return;
    told.add("tools");
    const text =
      `Only the first ${TOOLS_MAX} of ${tools.length} tools were offered to ${model}: the API takes no more`;
    yield { type: "notice", level: "warn", text, about: model };
  }

  async #list(signal: AbortSignal, timeoutMs: number): Promise<ModelInfo[]> {
    const reply = await this.#options.http.text(this.#get(`${this.#baseUrl}/models`), {
      signal,
      timeoutMs,
    });
    const models = reply.status === 200 ? readModelList(parsedJson(reply.text)) : undefined;
    if (models === undefined) throw unexpected(this.#options, reply);
    for (const info of models) this.#known.set(info.name, info);
    this.#isListed = true;
    return models;
  }

  /** llama.cpp lists the window that the model was trained for; what a request really gets stands in `/props`. */
  async #slotWindow(signal: AbortSignal): Promise<number> {
    const base = new URL(this.#baseUrl);
    if (!isLoopback(base.hostname)) return 0;
    const url = `${this.#baseUrl.replace(/\/v\d+$/, "")}/props`;
    const { status, text } = await this.#options.http.text(this.#get(url), {
      signal,
      timeoutMs: MODEL_MS_MAX,
    });
    return (status === 200 ? readSlotWindow(parsedJson(text)) : undefined) ?? 0;
  }

  #get(url: string): HttpRequest {
    return { url, headers: this.#proof() };
  }

  #post(path: string, body: unknown): HttpRequest {
    const headers = {
      ...this.#proof(),
      accept: EVENTS,
      "content-type": "application/json",
    };
    return { url: `${this.#baseUrl}${path}`, headers, body: jsonBody(body) };
  }

  /** Azure knows the key by another header. */
  #proof(): Record<string, string> {
    const { key } = this.#options.connection;
    const isAzure = new URL(this.#baseUrl).hostname.endsWith(".azure.com");
    return isAzure && key !== undefined
      ? { "api-key": key.reveal() }
      : authorization(this.#options.connection);
  }
}

function saysResponses(error: unknown): boolean {
  if (!(error instanceof FailedAttempt)) return false;
  const { failure } = error;
  return failure.at === "reply" && failure.status >= 400 && failure.status < 500 &&
    SAYS_RESPONSES.test(failure.body.message);
}

/** The cap goes by two names; a server that refuses one is given the other. */
function learnCapField(
  failure: Failure,
  facts: LearntFacts,
  used: "max_completion_tokens" | "max_tokens",
): boolean {
  if (failure.at !== "reply" || facts.capField !== undefined) return false;
  const { message, param, code } = failure.body;
  const isAbout = param === used || new RegExp(`\\b${used}\\b`).test(message);
  const isUnknown = code === "unsupported_parameter" ||
    /unsupported|unknown|unrecognized|not supported|extra|unexpected|not permitted|use '?max/i.test(
      message,
    );
  if (!isAbout || !isUnknown) return false;
  facts.capField = used === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return true;
}
