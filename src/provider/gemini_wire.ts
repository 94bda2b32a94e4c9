/** Google's Gemini API. */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { parsedJson } from "@/lib/json.ts";
import { learnSignatures, openAdapting } from "./adapt.ts";
import type { Connection } from "./connection.ts";
import { geminiBody, signaturesIn } from "./gemini_body.ts";
import { modelPath, readModel, readModelPage } from "./gemini_models.ts";
import { GeminiReply, responseSchema } from "./gemini_stream.ts";
import type { ModelInfo } from "./model_source.ts";
import { CONTINUATIONS_MAX } from "./reply_events.ts";
import { Server } from "./server.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import type { Try, WireOptions, WireProvider } from "./wire.ts";

const MODEL_MS_MAX = 3_000;

const PARAMETERS = { illegal: /[^a-zA-Z0-9_]/g, isWord: true };

const SIGNATURES =
  /(?:corrupted|invalid) thought.?signature|thought.?signature is (?:not valid|invalid)/i;

const OPTIONAL = { generationConfig: /thinking|includeThoughts/i };

/** A server of the Gemini API. */
export function geminiProvider(options: WireOptions): WireProvider {
  return new Gemini(options);
}

class Gemini implements WireProvider {
  readonly name = "gemini";
  readonly #server: Server;
  readonly #known = new Map<string, ModelInfo>();

  constructor(options: WireOptions) {
    this.#server = new Server(options, { headers });
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    return this.#server.stream(request, signal, (one) => this.#attempt(request, one));
  }

  models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#server.list("/v1beta/models?pageSize=200", signal, readModelPage);
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    const known = this.#known.get(name);
    if (known !== undefined) return this.#server.corrected(known);
    const request = this.#server.get(`/v1beta/${modelPath(name)}`);
    const reply = await this.#server.ask(request, { signal, timeoutMs: MODEL_MS_MAX });
    const read = reply?.status === 200 ? readModel(parsedJson(reply.text)) : undefined;
    if (read === undefined) return { name };
    const info = { ...read, name };
    this.#known.set(name, info);
    return this.#server.corrected(info);
  }

  protocolOf(): Promise<"native"> {
    return Promise.resolve("native");
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const { options } = this.#server;
    const names = ToolNames.of(request.tools, PARAMETERS);
    const reply = new GeminiReply({ request, options, names, one });
    for (let parts = 0; parts <= CONTINUATIONS_MAX; parts += 1) {
      yield* this.#part({ request, names, reply }, one);
      if (reply.continuation === undefined) break;
      // The same request again goes on where the server has stopped.
      if (parts < CONTINUATIONS_MAX) reply.goOn();
    }
    if (reply.fault !== undefined) throw this.#server.modelFault(model, reply.fault);
    // There is no end mark: the body ends after a chunk that says why.
    if (!reply.isFinished) throw this.#server.cutOff(model);
    yield* reply.done();
  }

  async *#part({ request, names, reply }: Part, one: Try): AsyncGenerator<ProviderEvent> {
    const server = this.#server;
    const { model } = request;
    const { baseUrl } = server;
    const takesImages = this.#known.get(model)?.takesImages ?? true;
    const stream = await openAdapting(server, {
      model,
      optional: OPTIONAL,
      build: (facts) => {
        const body = geminiBody({ request, baseUrl, names, takesImages, facts });
        const { continuationToken } = reply;
        return server.post(
          `/v1beta/${modelPath(model)}:streamGenerateContent?alt=sse`,
          continuationToken === undefined ? body : { ...body, continuationToken },
        );
      },
      learn: (failure, facts) =>
        learnSignatures(failure, facts, { says: SIGNATURES, sent: signaturesIn(request.messages) }),
    }, one);
    yield* server.tellUnseen(request, takesImages);
    for await (const { data } of readSse(stream, one.signal)) {
      const value = parsedJson(data);
      const chunk = responseSchema.safeParse(Array.isArray(value) ? value[0] : value);
      if (!chunk.success) throw server.garbled(model, data);
      if ((chunk.data.error ?? undefined) !== undefined) throw server.streamError(model, value);
      yield* reply.take(chunk.data);
    }
  }
}

type Part = { request: Request; names: ToolNames; reply: GeminiReply };

/** The key goes in a header: in the address it would stand in every log on the way. */
function headers({ key }: Connection): Record<string, string> {
  return key === undefined ? {} : { "x-goog-api-key": key.reveal() };
}
