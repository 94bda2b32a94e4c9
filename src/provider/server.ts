/**
 * A server as every wire speaks to it: requests with their proof, one try under a watchdog, tries in a row, and every
 * failure as an error that a person can act on.
 */
import { isObject, parsedJson } from "@/lib/json.ts";
import type { ProviderEvent, Request, Usage } from "@/protocol/provider.ts";
import { authorization } from "./authorization.ts";
import type { Connection } from "./connection.ts";
import type { Secret } from "@/lib/secret.ts";
import { orGivenUp } from "@/lib/within.ts";
import { readErrorText, readErrorValue } from "./error_body.ts";
import { statusOf } from "./error_signs.ts";
import { type ErrorRows, failedAttempt } from "./errors.ts";
import { FailedAttempt, type Failure, type Target } from "./failure.ts";
import {
  asFailure,
  ConnectionFailure,
  type HttpRequest,
  readText,
  type TextReply,
} from "./http.ts";
import { holdsImage } from "./images.ts";
import { jsonBody } from "./json_body.ts";
import { TooLongError } from "./lines.ts";
import type { ModelInfo } from "./model_source.ts";
import { readOverflow } from "./overflow.ts";
import { retrying } from "./retry.ts";
import type { LearntFacts } from "./server_memory.ts";
import { type Silence, Watchdog } from "./watchdog.ts";
import type { Try, WireOptions } from "./wire.ts";

const EVENTS = "text/event-stream";
const ERROR_BODY_MS_MAX = 5_000;
const LIST_MS_MAX = 10_000;
const PAGES_MAX = 20;
const WORD_CHARS_MAX = 80;
const UNSENDABLE = /[^\t\x20-\x7e]/;

/** How one kind of server differs from the others. */
export type ServerKind = {
  /** Headers that prove who asks, and whatever else each request carries. */
  headers?(connection: Connection): Record<string, string>;
  /** What a reply is asked for as; events by default. */
  accept?: string;
  /** Causes of failure that only this kind of server has. */
  rows?: ErrorRows;
  /** Proof that depends on the whole request and is found when it is sent. Throws ConnectionFailure where there is none. */
  sign?(request: HttpRequest): Promise<HttpRequest>;
  /** What besides the key must not be told. */
  secrets?(): readonly Secret[];
};

/** A page of a list of models, and the address of the next one. */
export type ModelPage = { models: readonly ModelInfo[]; next?: string };

type Asked = { signal: AbortSignal; timeoutMs: number };
type Sent = { request: HttpRequest; model: string };

/** One server, for one wire. */
export class Server {
  readonly options: WireOptions;
  readonly #kind: Required<Pick<ServerKind, "headers" | "accept">> & ServerKind;

  constructor(options: WireOptions, kind: ServerKind = {}) {
    this.options = options;
    this.#kind = { headers: authorization, accept: EVENTS, ...kind };
  }

  get baseUrl(): string {
    return this.options.connection.baseUrl;
  }

  /** What this server has taught about a model. */
  facts(model: string): LearntFacts {
    return this.options.memory.of(this.baseUrl, model);
  }

  /** What is known of a model, corrected by what an overflow has taught. */
  corrected(info: ModelInfo): ModelInfo {
    const { windowTokens } = this.facts(info.name);
    if (windowTokens === undefined || windowTokens >= (info.windowTokens ?? Infinity)) return info;
    return { ...info, windowTokens };
  }

  /** A request for something small. `base` replaces the base URL. */
  get(path: string, base = this.baseUrl): HttpRequest {
    return { url: `${base}${path}`, headers: this.#kind.headers(this.options.connection) };
  }

  /** A request with a body, as a rule for a reply of a model. */
  post(path: string, body: unknown): HttpRequest {
    const { url, headers } = this.get(path);
    const { accept } = this.#kind;
    return {
      url,
      headers: { ...headers, accept, "content-type": "application/json" },
      body: jsonBody(body),
    };
  }

  /** The events of a request, over as many tries as it takes. Throws ProviderError, or the signal's reason. */
  stream(
    request: Request,
    signal: AbortSignal,
    attempt: (one: Try) => AsyncIterable<ProviderEvent>,
  ): AsyncIterable<ProviderEvent> {
    return retrying(() => this.#watched(request, signal, attempt), signal, this.options.retry);
  }

  /** Ask something small that nothing depends on; undefined where there is no connection. */
  async ask(request: HttpRequest, limits: Asked): Promise<TextReply | undefined> {
    try {
      return await this.options.http.text(await this.#signed(request, limits.signal), limits);
    } catch (error) {
      limits.signal.throwIfAborted();
      if (error instanceof ConnectionFailure) return undefined;
      throw error;
    }
  }

  /** All pages of a list of models; `read` is given the JSON of each. Throws ProviderError, or the signal's reason. */
  async list(
    first: string,
    signal: AbortSignal,
    read: (value: unknown) => ModelPage | undefined,
    base = this.baseUrl,
  ): Promise<readonly ModelInfo[]> {
    const found: ModelInfo[] = [];
    let path: string | undefined = first;
    try {
      this.#assertKey();
      for (let pages = 0; path !== undefined && pages < PAGES_MAX; pages += 1) {
        const limits = { signal, timeoutMs: LIST_MS_MAX };
        const request = await this.#signed(this.get(path, base), signal);
        const reply = await this.options.http.text(request, limits);
        const page = reply.status === 200 ? read(parsedJson(reply.text)) : undefined;
        if (page === undefined) throw this.#unexpected(reply);
        found.push(...page.models);
        path = page.next;
      }
      return found;
    } catch (error) {
      signal.throwIfAborted();
      const failed = this.#asFailedAttempt(error, undefined);
      throw failed instanceof FailedAttempt ? failed.error : failed;
    }
  }

  /** Send a request whose reply is a stream, when it may leave. Throws FailedAttempt for every status but 2xx. */
  async open(
    { request, model }: Sent,
    { signal, after }: Pick<Try, "signal" | "after">,
  ): Promise<ReadableStream<Uint8Array>> {
    this.#assertKey();
    await after;
    const response = await this.options.http.send(await this.#signed(request, signal), signal);
    const { status, headers, body } = response;
    const type = headers.get("content-type") ?? "";
    const isPage = /\bhtml\b/i.test(type);
    const isWhole = request.headers.accept === EVENTS && /\bapplication\/json\b/i.test(type);
    if (response.ok && isWhole) {
      throw this.#notStreamed(model, await errorText(response, signal));
    }
    if (response.ok && body !== null && !isPage) return body;
    const text = await errorText(response, signal);
    throw this.#refused(model, { status, headers, text, inStream: false });
  }

  /** An error that came in the middle of a 200 stream. */
  streamError(model: string, value: unknown): FailedAttempt {
    const body = readErrorValue(value);
    const status = statusOf(body);
    return this.#learning(model, {
      at: "reply",
      status,
      headers: new Headers(),
      body,
      inStream: true,
    });
  }

  /** A reply that is not what the wire speaks: `words` is what came instead. */
  garbled(model: string, words: string): FailedAttempt {
    const shown = words.length > 200 ? `${words.slice(0, 200)}…` : words;
    return this.#lost(model, "garbled", shown);
  }

  /** A reply whose body ended before the wire's own end mark. */
  cutOff(model: string): FailedAttempt {
    return this.#lost(model, "cut", "the stream ended early");
  }

  /** A reply that reached its limit before it had begun. */
  overflowed(model: string): FailedAttempt {
    const message = "the reply reached its limit before its first token";
    return this.streamError(model, { error: { message, code: "context_length_exceeded" } });
  }

  /** A reply that the model spoilt: `words` is the server's name for it. */
  modelFault(model: string, words: string): FailedAttempt {
    return this.#lost(model, "model_fault", words);
  }

  /** A failure in words, with the time for waits until a date. */
  failed(model: string | undefined, failure: Failure): FailedAttempt {
    return failedAttempt(this.#target(model), failure, this.options.now());
  }

  /** A notice about a model that is given once a run. `about` tells it from others. */
  *tellOnce(
    model: string,
    { text, about = text, level = "info" }: TellOnce,
  ): Generator<ProviderEvent> {
    const { told } = this.facts(model);
    if (told.has(about)) return;
    told.add(about);
    yield { type: "notice", level, text, about: model };
  }

  /** Told where an image stays behind because the model cannot see it. */
  *tellUnseen(
    { model, messages }: Request,
    takesImages: boolean,
  ): Generator<ProviderEvent> {
    if (takesImages || !holdsImage(messages)) return;
    const text = `${model} takes no images: those of this conversation are not sent to it`;
    yield* this.tellOnce(model, { text, about: "images", level: "warn" });
  }

  /** Credentials may have to be asked for far away: nobody waits for that after an interrupt. */
  async #signed(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    this.#assertSendable();
    const signing = this.#kind.sign?.(request);
    if (signing === undefined) return request;
    const signed = await orGivenUp<HttpRequest | undefined>(signing, signal, () => undefined);
    if (signed === undefined) throw signal.reason;
    return signed;
  }

  /** A maker's own address answers nobody without a key: then the conversation stays here. A server of one's own may want none. */
  #assertKey(): void {
    const { key, baseUrlFrom, provider } = this.options.connection;
    const isFound = this.#kind.sign !== undefined || provider.isSelfHosted === true;
    if (key !== undefined || baseUrlFrom.kind !== "default" || isFound) return;
    throw new ConnectionFailure("no_key", `${provider.title} wants a key`);
  }

  /** What was copied along with a key may be nothing that a header can carry. */
  #assertSendable(): void {
    const { key, provider } = this.options.connection;
    if (key === undefined || !UNSENDABLE.test(key.reveal())) return;
    throw new ConnectionFailure("bad_key", `the key for ${provider.title} is no key`);
  }

  async *#watched(
    { model, after }: Request,
    signal: AbortSignal,
    attempt: (one: Try) => AsyncIterable<ProviderEvent>,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    using watchdog = new Watchdog(this.options.limits, signal);
    let usage: Usage | undefined;
    const one: Try = {
      signal: watchdog.signal,
      after,
      content: () => watchdog.content(),
      spent: (counted) => usage = counted,
      unknown: (place, word) => {
        const shown = word.slice(0, WORD_CHARS_MAX);
        this.options.onUnknown?.({ server: this.baseUrl, model, place, word: shown });
      },
    };
    try {
      yield* attempt(one);
    } catch (error) {
      if (!signal.aborted) {
        const { silence } = watchdog;
        const failed = silence === undefined
          ? this.#asFailedAttempt(error, model)
          : this.#silent(model, silence);
        if (failed instanceof FailedAttempt && usage !== undefined) failed.usage = usage;
        throw failed;
      }
      // What was begun is paid for: an interrupt that knows the count says it.
      if (usage === undefined) throw signal.reason;
      yield { type: "done", stop: "abort", usage, model };
    }
  }

  #target(model: string | undefined): Target {
    const { connection } = this.options;
    const { rows, secrets } = this.#kind;
    return {
      connection,
      ...(model === undefined ? {} : { model }),
      ...(rows === undefined ? {} : { rows }),
      ...(secrets === undefined ? {} : { secrets: secrets() }),
    };
  }

  /** A small reply that is not what was asked for: the error that its status and text mean. */
  #unexpected({ status, headers, text }: TextReply): FailedAttempt {
    return this.failed(undefined, refusalOf({ status, headers, text, inStream: false }));
  }

  /** A 200 that holds one JSON value where events were asked for: an error mostly. */
  #notStreamed(model: string, text: string): FailedAttempt {
    const value = parsedJson(text);
    const outer: unknown = Array.isArray(value) ? value[0] : value;
    const isError = isObject(outer) && (outer.error ?? undefined) !== undefined;
    return isError ? this.streamError(model, value) : this.garbled(model, text);
  }

  #refused(model: string, seen: Refusal): FailedAttempt {
    return this.#learning(model, refusalOf(seen));
  }

  #learning(model: string, failure: Extract<Failure, { at: "reply" }>): FailedAttempt {
    const windowTokens = readOverflow(failure.body, failure.status)?.windowTokens;
    if (windowTokens !== undefined) this.facts(model).windowTokens = windowTokens;
    return this.failed(model, failure);
  }

  #lost(model: string, problem: "garbled" | "cut" | "model_fault", words: string): FailedAttempt {
    return this.failed(model, { at: "connection", problem, words });
  }

  #silent(model: string, { hadContent, afterMs }: Silence): FailedAttempt {
    const problem = hadContent ? "silent_after" : "silent_before";
    return this.failed(model, { at: "connection", problem, words: "silence", afterMs });
  }

  #asFailedAttempt(error: unknown, model: string | undefined): unknown {
    if (error instanceof TooLongError) {
      return this.failed(model, { at: "connection", problem: "garbled", words: error.message });
    }
    const failure = asFailure(error);
    if (!(failure instanceof ConnectionFailure)) return error;
    const { problem, message: words, variable } = failure;
    const facts = { at: "connection", problem, words } as const;
    return this.failed(model, variable === undefined ? facts : { ...facts, variable });
  }
}

type TellOnce = { text: string; about?: string; level?: "info" | "warn" };
type Refusal = { status: number; headers: Headers; text: string; inStream: boolean };

function refusalOf(
  { status, headers, text, inStream }: Refusal,
): Extract<Failure, { at: "reply" }> {
  const body = readErrorText(text);
  if (/\bhtml\b/i.test(headers.get("content-type") ?? "")) body.isPage = true;
  return { at: "reply", status, headers, body, inStream };
}

/** What a refusal says. A body that does not come, or breaks off, costs its words and not the status. */
async function errorText(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await readText(response, { signal, patienceMs: ERROR_BODY_MS_MAX });
  } catch (error) {
    if (error instanceof ConnectionFailure) return "";
    throw error;
  }
}
