/** Anthropic's Messages API, and the servers that speak it. */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { type AnthropicBody, anthropicBody, type MadeBody } from "./anthropic_body.ts";
import { type ClaudeFacts, guessed, readModel, readModelPage } from "./anthropic_models.ts";
import { AnthropicReply, eventSchema } from "./anthropic_stream.ts";
import { openAdapting } from "./adapt.ts";
import { authorization } from "./authorization.ts";
import { CallIds } from "./call_ids.ts";
import { failedAttempt } from "./errors.ts";
import { FailedAttempt } from "./failure.ts";
import { ConnectionFailure, type HttpRequest } from "./http.ts";
import { jsonBody } from "./json_body.ts";
import type { ModelInfo } from "./model_source.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import { parsedJson } from "@/lib/json.ts";
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

/** The version that compatible servers know too; nothing that the newer one brings is used. */
const VERSION = "2023-06-01";
const TOKEN_VARIABLE = "ANTHROPIC_AUTH_TOKEN";
const LIST_MS_MAX = 10_000;
const MODEL_MS_MAX = 3_000;
const PAGES_MAX = 20;

/** Optional fields, and how a refusal speaks of each. */
const OPTIONAL = {
  thinking: /\bthinking\b/i,
  output_config: /\boutput_config\b|\beffort\b/i,
  cache_control: /\bcache_control\b/i,
};

/** A server of the Messages API. */
export function anthropicProvider(options: WireOptions): WireProvider {
  return new Anthropic(options);
}

class Anthropic implements WireProvider {
  readonly name = "anthropic";
  readonly #options: WireOptions;
  readonly #known = new Map<string, ClaudeFacts>();

  constructor(options: WireOptions) {
    this.#options = options;
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    const { model } = request;
    return streamOf(this.#options, { model, signal }, (one) => this.#attempt(request, one));
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return await asking(this.#options, { signal }, async () => {
      const found: ModelInfo[] = [];
      let after = "";
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const path = `/v1/models?limit=100${
          after === "" ? "" : `&after_id=${encodeURIComponent(after)}`
        }`;
        const reply = await this.#options.http.text(this.#request(path), {
          signal,
          timeoutMs: LIST_MS_MAX,
        });
        const page = reply.status === 200 ? readModelPage(parsedJson(reply.text)) : undefined;
        if (page === undefined) throw unexpected(this.#options, reply);
        found.push(...page.models);
        if (page.next === undefined) break;
        after = page.next;
      }
      return found;
    });
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    return corrected(this.#options, (await this.#facts(name, signal)).info);
  }

  protocolOf(): Promise<"native"> {
    return Promise.resolve("native");
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { connection, newId } = this.#options;
    const { model, hints } = request;
    const { baseUrl } = connection;
    const names = ToolNames.of(request.tools);
    // The server is asked only where the answer changes the request.
    const hasWishes = hints.thinking !== undefined || hints.effort !== undefined;
    const facts = hasWishes
      ? await this.#facts(model, one.signal)
      : this.#known.get(model) ?? guessed(model);
    let made: MadeBody | undefined;
    const opening = openAdapting(this.#options, {
      model,
      optional: OPTIONAL,
      build: ({ refusedFields, outputTokensMax: learnt = Infinity }) => {
        const own = facts.info.outputTokensMax ?? Infinity;
        const outputTokensMax = Math.min(request.outputTokensMax, learnt, own);
        const options = { request, baseUrl, facts, names, refusedFields, outputTokensMax };
        made = anthropicBody(options);
        return this.#request("/v1/messages", made.body);
      },
    }, one);
    const stream = await opening.catch((error: unknown) => {
      throw this.#located(error, { made, model });
    });
    yield* this.#notices(made?.changes ?? [], model);
    const reply = new AnthropicReply({
      request,
      baseUrl,
      ids: new CallIds(request.messages, newId),
      names,
      one,
    });
    for await (const { data } of readSse(stream, one.signal)) {
      if (data === "[DONE]") continue; // Some compatible servers end as the other API does.
      const value = parsedJson(data);
      const event = eventSchema.safeParse(value);
      if (!event.success) throw garbled(this.#options, model, data);
      if (event.data.type === "error") throw streamError(this.#options, model, value);
      if (event.data.type === "message_stop") {
        if (yield* reply.done()) return;
        break;
      }
      yield* reply.take(event.data);
    }
    throw cutOff(this.#options, model);
  }

  /** A refusal that names a block, with the message that the block stems from. */
  #located(
    error: unknown,
    { made, model }: { made: MadeBody | undefined; model: string },
  ): unknown {
    if (!(error instanceof FailedAttempt) || error.failure.at !== "reply") return error;
    const named = /\bmessages\.(\d+)\.content\.(\d+)/.exec(error.failure.body.message);
    const messageIndex = made?.places[Number(named?.[1])]?.[Number(named?.[2])];
    if (messageIndex === undefined) return error;
    const { connection, now } = this.#options;
    return failedAttempt({ connection, model }, { ...error.failure, messageIndex }, now());
  }

  /** What had to be changed of the person's wishes, said once a model. */
  *#notices(changes: readonly string[], model: string): Generator<ProviderEvent> {
    const { told } = this.#options.memory.of(this.#options.connection.baseUrl, model);
    for (const text of changes) {
      if (told.has(text)) continue;
      told.add(text);
      yield { type: "notice", level: "info", text, about: model };
    }
  }

  /** What the server says of a model, asked once; what its name says where the server does not. */
  async #facts(name: string, signal: AbortSignal): Promise<ClaudeFacts> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    let facts: ClaudeFacts | undefined;
    try {
      const request = this.#request(`/v1/models/${encodeURIComponent(name)}`);
      const { status, text } = await this.#options.http.text(request, {
        signal,
        timeoutMs: MODEL_MS_MAX,
      });
      facts = status === 200 ? readModel(parsedJson(text)) : guessed(name);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ConnectionFailure)) throw error;
    }
    if (facts !== undefined) this.#known.set(name, facts);
    return facts ?? guessed(name);
  }

  #request(path: string, sent?: AnthropicBody): HttpRequest {
    const { connection } = this.#options;
    const headers = { ...this.#proof(), "anthropic-version": VERSION };
    const url = `${connection.baseUrl}${path}`;
    if (sent === undefined) return { url, headers };
    return {
      url,
      headers: { ...headers, accept: EVENTS, "content-type": "application/json" },
      body: jsonBody(sent),
    };
  }

  #proof(): Record<string, string> {
    const { connection } = this.#options;
    const { key, keyFrom } = connection;
    if (key === undefined) return authorization(connection);
    const isToken = keyFrom?.kind === "variable" && keyFrom.name === TOKEN_VARIABLE;
    return isToken ? { authorization: `Bearer ${key.reveal()}` } : { "x-api-key": key.reveal() };
  }
}
