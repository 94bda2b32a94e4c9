/** Ollama's native API: NDJSON over `/api/chat`. Its OpenAI-compatible endpoint has no num_ctx and is not used. */
import * as z from "zod";
import type { ProviderEvent, Request, Usage } from "@/protocol/provider.ts";
import type { Message, StopReason } from "@/protocol/message.ts";
import { readArguments } from "@/lib/json_args.ts";
import { memo } from "@/lib/memo.ts";
import { messageTokens, toolTokens } from "@/lib/message_tokens.ts";
import { rawTokens } from "@/lib/tokens.ts";
import { openAdapting } from "./adapt.ts";
import { CallIds } from "./call_ids.ts";
import type { HttpRequest } from "./http.ts";
import { jsonBody } from "./json_body.ts";
import type { ModelInfo } from "./model_source.ts";
import { readNdjson } from "./ndjson.ts";
import { ollamaBody } from "./ollama_body.ts";
import { OllamaModels, readTags } from "./ollama_models.ts";
import { ToolNames } from "./tool_names.ts";
import {
  asking,
  corrected,
  cutOff,
  garbled,
  streamError,
  streamOf,
  type Try,
  unexpected,
  type WireOptions,
  type WireProvider,
} from "./wire.ts";
import { authorization } from "./authorization.ts";

export type OllamaOptions = WireOptions & {
  /** The window to ask for, in tokens; 0 leaves the choice to the server. */
  numCtx(): number;
};

const LIST_MS_MAX = 10_000;

/** Prompt tokens below this share of the estimate mean that the server has cut the prompt. */
const CUT_SHARE = 0.5;
const CUT_TOKENS_MIN = 400;

const chunkSchema = z.looseObject({
  model: z.string().nullish(),
  message: z.looseObject({
    content: z.string().nullish(),
    thinking: z.string().nullish(),
    tool_calls: z.array(z.unknown()).nullish(),
  }).nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.unknown().optional(),
});

const callSchema = z.looseObject({
  id: z.unknown().optional(),
  function: z.looseObject({ name: z.unknown().optional(), arguments: z.unknown().optional() }),
});

type Chunk = z.infer<typeof chunkSchema>;

/** A server of Ollama's native API. */
export function ollamaProvider(options: OllamaOptions): WireProvider {
  return new Ollama(options);
}

class Ollama implements WireProvider {
  readonly name = "ollama";
  readonly #options: OllamaOptions;
  readonly #models: OllamaModels;

  constructor(options: OllamaOptions) {
    this.#options = options;
    this.#models = new OllamaModels(options.http, (path, body) => this.#request(path, body));
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    const { model } = request;
    return streamOf(this.#options, { model, signal }, (one) => this.#attempt(request, one));
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return await asking(this.#options, { signal }, async () => {
      const limits = { signal, timeoutMs: LIST_MS_MAX };
      const reply = await this.#options.http.text(this.#request("/api/tags"), limits);
      const models = reply.status === 200 ? readTags(reply.text) : undefined;
      if (models === undefined) throw unexpected(this.#options, reply);
      return models;
    });
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    const info = await this.#models.ask(name, signal);
    if (info === undefined) return { name };
    const window = this.#window(info);
    return corrected(
      this.#options,
      window === undefined ? info : { ...info, windowTokens: window },
    );
  }

  async protocolOf(model: string, signal: AbortSignal): Promise<"native" | "text"> {
    return (await this.#models.ask(model, signal))?.takesTools === true ? "native" : "text";
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const { baseUrl } = this.#options.connection;
    const info = await this.#models.ask(model, one.signal) ?? { name: model };
    const numCtx = this.#window(info);
    const stream = await openAdapting(this.#options, {
      model,
      optional: { think: /\bthink/i },
      build: ({ refusedFields }) => {
        const body = ollamaBody({ request, baseUrl, info, refusedFields, ...asked(numCtx) });
        return this.#request("/api/chat", body);
      },
    }, one);
    const reply = new Reply(request, this.#options, one);
    for await (const line of readNdjson(stream, one.signal)) {
      if ("garbage" in line) throw garbled(this.#options, request.model, line.garbage);
      const chunk = this.#chunk(line.value, request.model);
      yield* reply.take(chunk);
      if (chunk.done !== true) continue;
      yield* await this.#cutNotice({ chunk, numCtx, request }, one.signal);
      yield reply.done(chunk);
      return;
    }
    throw cutOff(this.#options, request.model);
  }

  #chunk(value: unknown, model: string): Chunk {
    const parsed = chunkSchema.safeParse(value);
    if (!parsed.success) throw garbled(this.#options, model, JSON.stringify(value));
    if ((parsed.data.error ?? undefined) !== undefined) {
      throw streamError(this.#options, model, value);
    }
    return parsed.data;
  }

  #request(path: string, body?: unknown): HttpRequest {
    const { connection } = this.#options;
    const headers = {
      ...authorization(connection),
      accept: "application/x-ndjson, application/json",
    };
    const url = `${connection.baseUrl}${path}`;
    if (body === undefined) return { url, headers };
    return {
      url,
      headers: { ...headers, "content-type": "application/json" },
      body: jsonBody(body),
    };
  }

  /** The window that is asked for: never more than the model was trained for, since the server gives no more. */
  #window(info: ModelInfo): number | undefined {
    const numCtx = this.#options.numCtx();
    if (numCtx === 0) return info.windowTokens;
    return Math.min(numCtx, info.windowTokens ?? numCtx);
  }

  /**
   * Servers that know no `truncate: false` cut the prompt without a word; the count that they report gives it away.
   * Told once a model.
   */
  async #cutNotice(
    { chunk, numCtx, request }: CutCheck,
    signal: AbortSignal,
  ): Promise<ProviderEvent[]> {
    const reported = chunk.prompt_eval_count ?? 0;
    const estimated = Math.round(promptTokens(request));
    if (reported <= 0 || estimated < CUT_TOKENS_MIN || reported >= estimated * CUT_SHARE) return [];
    const { told } = this.#options.memory.of(this.#options.connection.baseUrl, request.model);
    if (told.has("cut")) return [];
    told.add("cut");
    const loaded = await this.#models.loadedWindow(request.model, signal);
    const asked = numCtx === undefined ? "" : `, where ${numCtx} were asked for`;
    const window = loaded === undefined
      ? "Its context window may be smaller than NUM_CTX"
      : `Its context window is ${loaded} tokens${asked}`;
    return [{
      type: "notice",
      level: "warn",
      about: request.model,
      text:
        `Ollama read only ${reported} prompt tokens of about ${estimated}: it has cut the prompt. ${window}; ` +
        "update Ollama, or lower NUM_CTX so that the conversation is shortened here and not there",
    }];
  }
}

type CutCheck = {
  chunk: Chunk;
  numCtx: number | undefined;
  request: Request;
};

/** Turns chunks into events. */
class Reply {
  readonly #ids: CallIds;
  readonly #names: ToolNames;
  readonly #request: Request;
  readonly #one: Try;
  #calls = 0;

  constructor(request: Request, { newId }: WireOptions, one: Try) {
    this.#ids = new CallIds(request.messages, newId);
    this.#names = ToolNames.of(request.tools);
    this.#request = request;
    this.#one = one;
  }

  *take({ message }: Chunk): Generator<ProviderEvent, void, undefined> {
    const { thinking, content, tool_calls: calls } = message ?? {};
    if (thinking) yield this.#delta("thinking", thinking);
    if (content) yield this.#delta("text", content);
    for (const call of calls ?? []) yield this.#call(call);
  }

  done(chunk: Chunk): ProviderEvent {
    return {
      type: "done",
      stop: stopOf(chunk.done_reason, this.#calls),
      usage: usageOf(chunk),
      model: chunk.model || this.#request.model,
    };
  }

  #delta(channel: "text" | "thinking", text: string): ProviderEvent {
    this.#one.content();
    return { type: "delta", channel, text };
  }

  #call(value: unknown): ProviderEvent {
    this.#one.content();
    this.#calls += 1;
    const parsed = callSchema.safeParse(value);
    const { id, function: called } = parsed.success
      ? parsed.data
      : { id: undefined, function: { name: "", arguments: JSON.stringify(value) } };
    const name = this.#names.meant(called.name);
    const { input, damage } = readArguments(called.arguments);
    const problem = name === "" ? "the call names no tool" : damage;
    return {
      type: "tool_call",
      id: this.#ids.unique(id),
      name: name === "" ? "unnamed" : name,
      input,
      ...(problem === undefined ? {} : { damage: problem }),
    };
  }
}

/** `done_reason` stays "stop" when calls came; "load" and "unload" answer an empty conversation. */
function stopOf(reason: string | null | undefined, calls: number): StopReason {
  if (reason === "length") return "length";
  return calls > 0 ? "tool_calls" : "end";
}

function usageOf({ prompt_eval_count: input, eval_count: output }: Chunk): Usage {
  return {
    input: Math.max(0, input ?? 0),
    output: Math.max(0, output ?? 0),
    cacheRead: 0,
    cacheWrite: 0,
  };
}

/** Estimate of everything that is sent, in tokens. */
function promptTokens({ system, messages, tools }: Request): number {
  const fixed = rawTokens(system) + toolTokens(tools);
  return messages.reduce((sum, message) => sum + sentTokens(message), fixed);
}

/** Tokens of what is sent of a message: reasoning is not. */
const sentTokens = memo((message: Message) => {
  if (message.role !== "assistant") return messageTokens(message);
  const content = message.content.filter(({ type }) => type !== "thinking");
  return messageTokens({ ...message, content });
});

function asked(numCtx: number | undefined): { numCtx?: number } {
  return numCtx === undefined ? {} : { numCtx };
}
