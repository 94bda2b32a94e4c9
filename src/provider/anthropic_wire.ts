/** Anthropic's Messages API, and the servers that speak it. */
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import { parsedJson } from "@/lib/json.ts";
import { type AnthropicBody, anthropicBody, type MadeBody, proofsIn } from "./anthropic_body.ts";
import { type ClaudeFacts, guessed, readModel, readModelPage } from "./anthropic_models.ts";
import { AnthropicReply, eventSchema } from "./anthropic_stream.ts";
import { learnSignatures, openAdapting } from "./adapt.ts";
import { authorization } from "./authorization.ts";
import type { Connection } from "./connection.ts";
import type { Sent } from "./body.ts";
import { FailedAttempt } from "./failure.ts";
import type { ModelInfo } from "./model_source.ts";
import type { HttpRequest } from "./http.ts";
import { CONTINUATIONS_MAX } from "./reply_events.ts";
import { Server } from "./server.ts";
import { readSse } from "./sse.ts";
import { ToolNames } from "./tool_names.ts";
import type { Try, WireOptions, WireProvider } from "./wire.ts";

/** The version that compatible servers know too; nothing that the newer one brings is used. */
const VERSION = "2023-06-01";
const TOKEN_VARIABLE = "ANTHROPIC_AUTH_TOKEN";
const MODEL_MS_MAX = 3_000;

/** How servers of one kind are asked what all of them answer alike. */
export type ClaudeDoor = {
  /** The provider's, and the one by which private data names its wire. */
  name: string;
  server: Server;
  post(body: AnthropicBody): HttpRequest;
  /** The values of a reply's events. Throws FailedAttempt for what is none of them. */
  events(
    reply: ReadableStream<Uint8Array>,
    model: string,
    signal: AbortSignal,
  ): AsyncIterable<unknown>;
  models(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Where a server says what one model takes; absent where none does. */
  modelPath?(name: string): string;
};

/** One tool with another name of a parameter, and every request is refused. */
const PARAMETERS = { illegal: /[^a-zA-Z0-9_.-]/g };

/** How reasoning is refused that is not the server's own, or stands in a changed history. */
const SIGNATURES =
  /invalid `?signature`? in `?thinking|`?(?:redacted_)?thinking`?[^.]* blocks?[^.]* cannot be modified/i;

/** Optional fields, and how a refusal speaks of each. */
const OPTIONAL = {
  thinking: /\bthinking\b/i,
  output_config: /\boutput_config\b|\beffort\b/i,
  cache_control: /\bcache_control\b/i,
};

/** A server of the Messages API. */
export function anthropicProvider(options: WireOptions): WireProvider {
  const server = new Server(options, { headers });
  return claudeProvider({
    name: "anthropic",
    server,
    post: (body) => server.post("/v1/messages", body),
    events: (reply, model, signal) => sseValues(reply, { server, model, signal }),
    models: (signal) => server.list("/v1/models?limit=100", signal, readModelPage),
    modelPath: (name) => `/v1/models/${encodeURIComponent(name)}`,
  });
}

/** Anthropic's models behind a door. */
export function claudeProvider(door: ClaudeDoor): WireProvider {
  return new Claude(door);
}

class Claude implements WireProvider {
  readonly name: string;
  readonly #door: ClaudeDoor;
  readonly #server: Server;
  readonly #known = new Map<string, ClaudeFacts>();

  constructor(door: ClaudeDoor) {
    this.name = door.name;
    this.#door = door;
    this.#server = door.server;
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    return this.#server.stream(request, signal, (one) => this.#attempt(request, one));
  }

  models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#door.models(signal);
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    return this.#server.corrected((await this.#facts(name, signal)).info);
  }

  protocolOf(): Promise<"native"> {
    return Promise.resolve("native");
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model, hints } = request;
    const { options } = this.#server;
    const names = ToolNames.of(request.tools, PARAMETERS);
    // The server is asked only where the answer changes the request.
    const hasWishes = hints.thinking !== undefined || hints.effort !== undefined;
    const claude = hasWishes
      ? await this.#facts(model, one.signal)
      : this.#known.get(model) ?? guessed(model);
    const reply = new AnthropicReply({ wire: this.name, request, options, names, one });
    yield* this.#part({ request, names, claude, reply }, one);
    for (let more = 0; reply.isPaused && more < CONTINUATIONS_MAX; more += 1) {
      reply.goOn();
      yield* this.#part({ request, names, claude, reply }, one);
    }
    yield* reply.done();
  }

  async *#part({ request, names, claude, reply }: Part, one: Try): AsyncGenerator<ProviderEvent> {
    const server = this.#server;
    const { baseUrl } = server;
    const { model } = request;
    const takesImages = claude.info.takesImages ?? true;
    const same = { wire: this.name, request, baseUrl, names, takesImages, claude };
    let made: MadeBody | undefined;
    const opening = openAdapting(server, {
      model,
      optional: OPTIONAL,
      build: (facts) => {
        made = anthropicBody({ ...same, facts });
        return this.#door.post(goingOn(made.body, reply.said));
      },
      learn: (failure, facts) =>
        learnSignatures(failure, facts, { says: SIGNATURES, sent: proofsIn(request.messages) }),
    }, one);
    const stream = await opening.catch((error: unknown) => {
      throw this.#located(error, { made, model });
    });
    yield* server.tellUnseen(request, takesImages);
    for (const text of made?.changes ?? []) yield* server.tellOnce(model, { text });
    for await (const value of this.#door.events(stream, model, one.signal)) {
      const event = eventSchema.safeParse(value);
      if (!event.success) throw server.garbled(model, JSON.stringify(value) ?? "");
      if (event.data.type === "error") throw server.streamError(model, value);
      if (event.data.type === "message_stop") {
        if (reply.isFinished) return;
        break;
      }
      yield* reply.take(event.data);
    }
    throw server.cutOff(model);
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
    return this.#server.failed(model, { ...error.failure, messageIndex });
  }

  /** What the server says of a model, asked once; what its name says where the server does not. */
  async #facts(name: string, signal: AbortSignal): Promise<ClaudeFacts> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const path = this.#door.modelPath?.(name);
    if (path === undefined) return guessed(name);
    const request = this.#server.get(path);
    const reply = await this.#server.ask(request, { signal, timeoutMs: MODEL_MS_MAX });
    const facts = reply?.status === 200 ? readModel(parsedJson(reply.text)) : undefined;
    if (reply !== undefined && (facts !== undefined || reply.status !== 200)) {
      this.#known.set(name, facts ?? guessed(name));
    }
    return facts ?? guessed(name);
  }
}

type Part = { request: Request; names: ToolNames; claude: ClaudeFacts; reply: AnthropicReply };

/** The same body with what was said before the server paused. */
function goingOn(body: AnthropicBody, said: readonly Sent[]): AnthropicBody {
  if (said.length === 0) return body;
  return { ...body, messages: [...body.messages, { role: "assistant", content: [...said] }] };
}

async function* sseValues(
  reply: ReadableStream<Uint8Array>,
  { server, model, signal }: { server: Server; model: string; signal: AbortSignal },
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of readSse(reply, signal)) {
    if (data === "[DONE]") continue; // Some compatible servers end as the other API does.
    const value = parsedJson(data);
    if (value === undefined) throw server.garbled(model, data);
    yield value;
  }
}

function headers(connection: Connection): Record<string, string> {
  return { ...proof(connection), "anthropic-version": VERSION };
}

function proof(connection: Connection): Record<string, string> {
  const { key, keyFrom } = connection;
  if (key === undefined) return authorization(connection);
  const isToken = keyFrom?.kind === "variable" && keyFrom.name === TOKEN_VARIABLE;
  return isToken ? { authorization: `Bearer ${key.reveal()}` } : { "x-api-key": key.reveal() };
}
