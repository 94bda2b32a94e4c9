/** Ollama's native API: NDJSON over `/api/chat`. Its OpenAI-compatible endpoint has no num_ctx and is not used. */
import * as z from "zod";
import type { ProviderEvent, Request } from "@/protocol/provider.ts";
import type { Message, StopReason } from "@/protocol/message.ts";
import { memo } from "@/lib/memo.ts";
import { messageTokens, toolTokens } from "@/lib/message_tokens.ts";
import { rawTokens } from "@/lib/tokens.ts";
import { openAdapting } from "./adapt.ts";
import { withoutImages } from "./images.ts";
import type { ModelInfo } from "./model_source.ts";
import { readNdjson } from "./ndjson.ts";
import { ollamaBody, WIRE } from "./ollama_body.ts";
import { OLLAMA_ROWS } from "./ollama_errors.ts";
import { OllamaModels, readTags } from "./ollama_models.ts";
import { ReplyEvents, type ReplyParts, type Stops } from "./reply_events.ts";
import { Server } from "./server.ts";
import { ToolNames } from "./tool_names.ts";
import type { Try, WireOptions, WireProvider } from "./wire.ts";

export type OllamaOptions = WireOptions & {
  /** The window to ask for, in tokens; 0 leaves the choice to the server. */
  numCtx(): number;
};

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

/** "load" and "unload" answer an empty conversation. */
const STOPS: Stops = { stop: "end", load: "end", unload: "end", length: "length" };

/** A server of Ollama's native API. */
export function ollamaProvider(options: OllamaOptions): WireProvider {
  return new Ollama(options);
}

class Ollama implements WireProvider {
  readonly name = "ollama";
  readonly #numCtx: () => number;
  readonly #server: Server;
  readonly #models: OllamaModels;

  constructor({ numCtx, ...options }: OllamaOptions) {
    this.#numCtx = numCtx;
    this.#server = new Server(options, {
      accept: "application/x-ndjson, application/json",
      rows: OLLAMA_ROWS,
    });
    this.#models = new OllamaModels(this.#server);
  }

  stream(request: Request, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    return this.#server.stream(request, signal, (one) => this.#attempt(request, one));
  }

  models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.#server.list("/api/tags", signal, readTags);
  }

  async model(name: string, signal: AbortSignal): Promise<ModelInfo> {
    const info = await this.#models.ask(name, signal);
    if (info === undefined) return { name };
    const window = this.#window(info);
    return this.#server.corrected(window === undefined ? info : { ...info, windowTokens: window });
  }

  async protocolOf(model: string, signal: AbortSignal): Promise<"native" | "text"> {
    return (await this.#models.ask(model, signal))?.takesTools === true ? "native" : "text";
  }

  async *#attempt(request: Request, one: Try): AsyncGenerator<ProviderEvent, void, undefined> {
    const { model } = request;
    const server = this.#server;
    const { baseUrl } = server;
    const info = await this.#models.ask(model, one.signal) ?? { name: model };
    const takesImages = info.takesImages ?? true;
    const names = ToolNames.of(request.tools);
    const numCtx = this.#window(info);
    const stream = await openAdapting(server, {
      model,
      optional: { think: /\bthink/i },
      build: (facts) => {
        const body = ollamaBody({
          request,
          baseUrl,
          names,
          takesImages,
          facts,
          info,
          ...asked(numCtx),
        });
        return server.post("/api/chat", body);
      },
    }, one);
    yield* server.tellUnseen(request, takesImages);
    const reply = new Reply({ request, options: server.options, names, one });
    for await (const line of readNdjson(stream, one.signal)) {
      if ("garbage" in line) throw server.garbled(model, line.garbage);
      const chunk = this.#chunk(line.value, request.model);
      for (const event of reply.take(chunk)) yield event;
      if (chunk.done !== true) continue;
      const last = reply.done(chunk);
      if (reply.isSilentOverflow) throw server.overflowed(model);
      yield* this.#cutNotice({ chunk, numCtx, request, takesImages }, one.signal);
      yield last;
      return;
    }
    throw server.cutOff(model);
  }

  #chunk(value: unknown, model: string): Chunk {
    const parsed = chunkSchema.safeParse(value);
    if (!parsed.success) throw this.#server.garbled(model, JSON.stringify(value));
    if ((parsed.data.error ?? undefined) !== undefined) {
      throw this.#server.streamError(model, value);
    }
    return parsed.data;
  }

  /** The window that is asked for: never more than the model was trained for, since the server gives no more. */
  #window(info: ModelInfo): number | undefined {
    const numCtx = this.#numCtx();
    if (numCtx === 0) return info.windowTokens;
    return Math.min(numCtx, info.windowTokens ?? numCtx);
  }

  /**
   * Servers that know no `truncate: false` cut the prompt without a word; the count that they report gives it away.
   * Told once a model.
   */
  async *#cutNotice(
    { chunk, numCtx, request, takesImages }: CutCheck,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderEvent> {
    const reported = chunk.prompt_eval_count ?? 0;
    const estimated = Math.round(promptTokens(request, takesImages));
    if (reported <= 0 || estimated < CUT_TOKENS_MIN || reported >= estimated * CUT_SHARE) return;
    const { model } = request;
    if (this.#server.facts(model).told.has("cut")) return;
    const loaded = await this.#models.loadedWindow(model, signal);
    const asked = numCtx === undefined ? "" : `, where ${numCtx} were asked for`;
    const window = loaded === undefined
      ? "Its context window may be smaller than NUM_CTX"
      : `Its context window is ${loaded} tokens${asked}`;
    const text =
      `Ollama read only ${reported} prompt tokens of about ${estimated}: it has cut the prompt. ${window}; ` +
      "update Ollama, or lower NUM_CTX so that the conversation is shortened here and not there";
    yield* this.#server.tellOnce(model, { text, about: "cut", level: "warn" });
  }
}

type CutCheck = {
  chunk: Chunk;
  numCtx: number | undefined;
  request: Request;
  takesImages: boolean;
};

/** Turns chunks into events. */
class Reply {
  readonly #events: ReplyEvents;
  #stop: StopReason = "end";

  constructor(parts: Omit<ReplyParts, "wire">) {
    this.#events = new ReplyEvents({ ...parts, wire: WIRE });
  }

  get isSilentOverflow(): boolean {
    return this.#stop === "length" && this.#events.isUnspoken;
  }

  *take({ message }: Chunk): Generator<ProviderEvent, void, undefined> {
    const { thinking, content, tool_calls: calls } = message ?? {};
    yield* this.#events.delta("thinking", thinking);
    yield* this.#events.delta("text", content);
    for (const call of calls ?? []) yield this.#call(call);
  }

  done({ model, done_reason: reason, ...counts }: Chunk): ProviderEvent {
    this.#events.answeredBy(model);
    this.#events.count({
      input: Math.max(0, counts.prompt_eval_count ?? 0),
      output: Math.max(0, counts.eval_count ?? 0),
      cacheRead: 0,
      cacheWrite: 0,
    });
    const stop = this.#events.stop(reason ?? "", STOPS);
    this.#stop = stop;
    // Both limits have one name: a reply shorter than the cap has reached the other.
    const isWhole = stop !== "length" || !counts.eval_count ||
      counts.eval_count >= this.#events.request.outputTokensMax;
    return this.#events.done(stop, { cut: isWhole ? undefined : this.#events.windowFull });
  }

  #call(value: unknown): ProviderEvent {
    const parsed = callSchema.safeParse(value);
    if (!parsed.success) {
      return this.#events.call({ id: undefined, name: "", args: JSON.stringify(value) });
    }
    const { id, function: { name, arguments: args } } = parsed.data;
    return this.#events.call({ id, name, args });
  }
}

/** Estimate of everything that is sent, in tokens. */
function promptTokens({ system, messages, tools }: Request, takesImages: boolean): number {
  const fixed = rawTokens(system) + toolTokens(tools);
  const tokens = takesImages ? sentTokens : blindTokens;
  return messages.reduce((sum, message) => sum + tokens(message), fixed);
}

/** Tokens of what is sent of a message: reasoning is not, nor what belongs to other servers. */
const sentTokens = memo((message: Message) => {
  if (message.role !== "assistant") return messageTokens(message);
  const content = message.content.filter(({ type }) => type !== "thinking")
    .map(({ private: _, ...block }) => block);
  return messageTokens({ ...message, content });
});

/** The same for a model that images are not sent to. */
const blindTokens = memo((message: Message) => {
  if (message.role === "assistant") return sentTokens(message);
  return messageTokens(withoutImages(message));
});

function asked(numCtx: number | undefined): { numCtx?: number } {
  return numCtx === undefined ? {} : { numCtx };
}
