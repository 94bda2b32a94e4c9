/**
 * OpenAI, and every server that speaks Chat Completions. OpenAI's newer models take tools only over the Responses API:
 * which of the two is spoken is decided by server and model, and learnt where a server says so.
 */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { parsedJson } from "@/lib/json.ts";
import { openAdapting } from "./adapt.ts";
import { authorization } from "./authorization.ts";
import type { BodyParts } from "./body.ts";
import type { Connection } from "./connection.ts";
import { FailedAttempt, type Failure } from "./failure.ts";
import { isLoopback } from "@/lib/loopback.ts";
import type { ModelInfo } from "./model_source.ts";
import { chatBody, TOOLS_MAX } from "./openai_chat_body.ts";
import { ChatReply, chunkSchema } from "./openai_chat_stream.ts";
import { readModelList, readSlotWindow } from "./openai_models.ts";
import { responsesBody } from "./openai_responses_body.ts";
import { eventSchema, ResponsesReply } from "./openai_responses_stream.ts";
import { isOpenAi, quirksOf } from "./quirks.ts";
import { Server } from "./server.ts";
import type { LearntFacts } from "./server_memory.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import type { Try, WireOptions, WireProvider } from "./wire.ts";

const LIST = "/models";
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
  prompt_cache_key: /prompt_cache_key/i,
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
  readonly #server: Server;
  readonly #known = new Map<string, ModelInfo>();
  #isListed = false;
  /** The window of a slot; 0 where the server has none, absent before it was asked. */
  #slot: number | undefined;

  constructor(options: WireOptions) {
    this.#server = new Server(options, { headers: proof });
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    return this.#server.stream(request, signal, (one) => this.#attempt(request, one));
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#keep(await this.#server.list(LIST, signal, readModelList));
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    if (!this.#isListed) {
      const limits = { signal, timeoutMs: MODEL_MS_MAX };
      const reply = await this.#server.ask(this.#server.get(LIST), limits);
      const page = reply?.status === 200 ? readModelList(parsedJson(reply.text)) : undefined;
      // Not worth more than its absence: the reply itself will say what is wrong.
      if (page === undefined) return { name };
      this.#keep(page.models);
    }
    this.#slot ??= await this.#slotWindow(signal);
    const info = this.#known.get(name) ?? { name };
    return this.#server.corrected(this.#slot ? { ...info, windowTokens: this.#slot } : info);
  }

  /** Native, unless the list says that the model takes no tools: few lists say anything. */
  async protocolOf(model: string, signal: AbortSignal): Promise<"native" | "text"> {
    if (isOpenAi(this.#baseUrl)) return "native";
    return (await this.model(model, signal)).takesTools === false ? "text" : "native";
  }

  get #baseUrl(): string {
    return this.#server.baseUrl;
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const facts = this.#server.facts(request.model);
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
    const server = this.#server;
    const quirks = quirksOf(server.baseUrl, model);
    const parts = this.#bodyParts(request);
    const { names } = parts;
    const stream = await openAdapting(server, {
      model,
      optional: OPTIONAL,
      build: (facts) => server.post("/chat/completions", chatBody({ ...parts, quirks, facts })),
      learn: (failure, facts) => learnCapField(failure, facts, quirks.capField),
    }, one);
    yield* this.#tooManyTools(request);
    yield* server.tellUnseen(request, parts.takesImages);
    const reply = new ChatReply({ request, options: server.options, quirks, names, one });
    let isOver = false;
    for await (const { data } of readSse(stream, one.signal)) {
      if (data.trim() === "[DONE]") {
        isOver = true;
        break;
      }
      if (data.trim() === "") continue; // Kept alive with nothing.
      const value = parsedJson(data);
      const chunk = chunkSchema.safeParse(value);
      if (!chunk.success) throw server.garbled(model, data);
      if (chunk.data.error !== undefined && chunk.data.error !== null) {
        throw server.streamError(model, value);
      }
      yield* reply.take(chunk.data);
    }
    if (reply.failure !== undefined) {
      throw server.streamError(model, { error: { message: reply.failure } });
    }
    // Some servers send no [DONE], others no reason: one of the two says that the reply is whole.
    if (!isOver && !reply.isFinished) throw server.cutOff(model);
    if (reply.isSilentOverflow) throw server.overflowed(model);
    yield* reply.done();
  }

  async *#responses(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const server = this.#server;
    const parts = this.#bodyParts(request);
    const { names } = parts;
    const stream = await openAdapting(server, {
      model,
      optional: OPTIONAL,
      build: (facts) => server.post("/responses", responsesBody({ ...parts, facts })),
    }, one);
    yield* server.tellUnseen(request, parts.takesImages);
    const reply = new ResponsesReply({ request, options: server.options, names, one });
    for await (const { data } of readSse(stream, one.signal)) {
      const value = parsedJson(data);
      const event = eventSchema.safeParse(value);
      if (!event.success) {
        if (/^\s*(?:\[DONE\]\s*)?$/.test(data)) continue; // Kept alive with nothing, or ended as Chat does.
        throw server.garbled(model, data);
      }
      if (event.data.type === "error") throw server.streamError(model, value);
      const ending = reply.ending(event.data);
      if (ending === undefined) {
        yield* reply.take(event.data);
        continue;
      }
      if ("error" in ending) throw server.streamError(model, ending.error);
      yield* ending.events;
      return;
    }
    throw server.cutOff(model);
  }

  #bodyParts(request: Request): Omit<BodyParts, "facts"> {
    return {
      request,
      baseUrl: this.#baseUrl,
      names: ToolNames.of(request.tools),
      takesImages: this.#known.get(request.model)?.takesImages ?? true,
    };
  }

  *#tooManyTools({ tools, model }: Request): Generator<ProviderEvent> {
    if (tools.length <= TOOLS_MAX) return;
    const text =
      `Only the first ${TOOLS_MAX} of ${tools.length} tools were offered to ${model}: the API takes no more`;
    yield* this.#server.tellOnce(model, { text, about: "tools", level: "warn" });
  }

  #keep(models: readonly ModelInfo[]): readonly ModelInfo[] {
    for (const info of models) this.#known.set(info.name, info);
    this.#isListed = true;
    return models;
  }

  /** llama.cpp lists the window that the model was trained for; what a request really gets stands in `/props`. */
  async #slotWindow(signal: AbortSignal): Promise<number> {
    const base = this.#baseUrl;
    if (!isLoopback(new URL(base).hostname)) return 0;
    const request = this.#server.get("/props", base.replace(/\/v\d+$/, ""));
    const reply = await this.#server.ask(request, { signal, timeoutMs: MODEL_MS_MAX });
    return (reply?.status === 200 ? readSlotWindow(parsedJson(reply.text)) : undefined) ?? 0;
  }
}

/** Azure knows the key by another header. */
function proof(connection: Connection): Record<string, string> {
  const { key, baseUrl } = connection;
  const isAzure = new URL(baseUrl).hostname.endsWith(".azure.com");
  return isAzure && key !== undefined ? { "api-key": key.reveal() } : authorization(connection);
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
