/** Google's Gemini API. */
import * as z from "zod";
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { openAdapting } from "./adapt.ts";
import { CallIds } from "./call_ids.ts";
import { FailedAttempt } from "./failure.ts";
import { geminiBody } from "./gemini_body.ts";
import { GeminiReply, responseSchema } from "./gemini_stream.ts";
import { ConnectionFailure, type HttpRequest } from "./http.ts";
import { jsonBody } from "./json_body.ts";
import type { ModelInfo } from "./model_source.ts";
import { parsedJson } from "@/lib/json.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import {
  asking,
  corrected,
  cutOff,
  EVENTS,
  garbled,
  modelFault,
  streamError,
  streamOf,
  type Try,
  unexpected,
  type WireOptions,
  type WireProvider,
} from "./wire.ts";

const LIST_MS_MAX = 10_000;
const MODEL_MS_MAX = 3_000;
const PAGES_MAX = 20;

const OPTIONAL = { generationConfig: /thinking|includeThoughts/i };

const modelSchema = z.looseObject({
  name: z.string(),
  inputTokenLimit: z.number().nullish(),
  outputTokenLimit: z.number().nullish(),
  supportedGenerationMethods: z.array(z.string()).nullish(),
  thinking: z.boolean().nullish(),
});

const listSchema = z.looseObject({
  models: z.array(modelSchema).nullish(),
  nextPageToken: z.string().nullish(),
});

/** A server of the Gemini API. */
export function geminiProvider(options: WireOptions): WireProvider {
  return new Gemini(options);
}

class Gemini implements WireProvider {
  readonly name = "gemini";
  readonly #options: WireOptions;
  readonly #known = new Map<string, ModelInfo>();

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
      let token = "";
      for (let pages = 0; pages < PAGES_MAX; pages += 1) {
        const path = `/v1beta/models?pageSize=200${
          token === "" ? "" : `&pageToken=${encodeURIComponent(token)}`
        }`;
        const reply = await this.#options.http.text(this.#request(path), {
          signal,
          timeoutMs: LIST_MS_MAX,
        });
        const page = listSchema.safeParse(
          reply.status === 200 ? parsedJson(reply.text) : undefined,
        );
        if (!page.success) throw unexpected(this.#options, reply);
        const usable = (page.data.models ?? []).filter(generatesContent);
        found.push(...usable.map(infoOf));
        if (!page.data.nextPageToken) break;
        token = page.data.nextPageToken;
      }
      return found;
    });
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    const known = this.#known.get(name);
    if (known !== undefined) return corrected(this.#options, known);
    try {
      const reply = await this.#options.http.text(this.#request(`/v1beta/${path(name)}`), {
        signal,
        timeoutMs: MODEL_MS_MAX,
      });
      const read = modelSchema.safeParse(reply.status === 200 ? parsedJson(reply.text) : undefined);
      if (!read.success) return { name };
      const info = { ...infoOf(read.data), name };
      this.#known.set(name, info);
      return corrected(this.#options, info);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConnectionFailure || error instanceof FailedAttempt) return { name };
      throw error;
    }
  }

  protocolOf(): Promise<"native"> {
    return Promise.resolve("native");
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const { baseUrl } = this.#options.connection;
    const names = ToolNames.of(request.tools);
    const takesImages = this.#known.get(model)?.takesImages ?? true;
    const stream = await openAdapting(this.#options, {
      model,
      optional: OPTIONAL,
      build: (facts) => {
        const body = geminiBody({ request, baseUrl, names, takesImages, facts });
        return this.#request(`/v1beta/${path(model)}:streamGenerateContent?alt=sse`, body);
      },
    }, one);
    const ids = new CallIds(request.messages, this.#options.newId);
    const reply = new GeminiReply({ request, baseUrl, ids, names, one });
    for await (const { data } of readSse(stream, one.signal)) {
      const value = parsedJson(data);
      const chunk = responseSchema.safeParse(Array.isArray(value) ? value[0] : value);
      if (!chunk.success) throw garbled(this.#options, model, data);
      if (chunk.data.error !== undefined && chunk.data.error !== null) {
        throw streamError(this.#options, model, value);
      }
      yield* reply.take(chunk.data);
    }
    if (reply.fault !== undefined) throw modelFault(this.#options, model, reply.fault);
    // There is no end mark: the body ends after a chunk that says why.
    if (!reply.isFinished) throw cutOff(this.#options, model);
    yield* reply.done();
  }

  #request(path: string, body?: unknown): HttpRequest {
    const { connection } = this.#options;
    // In a header: a key in the address would stand in every log on the way.
    const headers: Record<string, string> = connection.key === undefined
      ? {}
      : { "x-goog-api-key": connection.key.reveal() };
    const url = `${connection.baseUrl}${path}`;
    if (body === undefined) return { url, headers };
    return {
      url,
      headers: { ...headers, accept: EVENTS, "content-type": "application/json" },
      body: jsonBody(body),
    };
  }
}

/** `models/gemini-3-pro`; tuned models bring their own first part. */
function path(model: string): string {
  const full = model.includes("/") ? model : `models/${model}`;
  return full.split("/").map(encodeURIComponent).join("/");
}

function generatesContent(
  { supportedGenerationMethods: methods }: z.infer<typeof modelSchema>,
): boolean {
  return methods === null || methods === undefined || methods.includes("generateContent");
}

function infoOf(model: z.infer<typeof modelSchema>): ModelInfo {
  return {
    name: model.name.replace(/^models\//, ""),
    takesTools: true,
    ...(model.inputTokenLimit ? { windowTokens: model.inputTokenLimit } : {}),
    ...(model.outputTokenLimit ? { outputTokensMax: model.outputTokenLimit } : {}),
    ...(model.thinking === null || model.thinking === undefined ? {} : { thinks: model.thinking }),
  };
}
