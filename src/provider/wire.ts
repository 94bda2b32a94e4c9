/** What all wires share: one try under a watchdog, tries in a row, and every failure as an error a person can act on. */
import type { Provider, ProviderEvent, Usage } from "@/protocol/provider.ts";
import type { Connection } from "./connection.ts";
import { readErrorText, readErrorValue } from "./error_body.ts";
import { statusOf } from "./error_signs.ts";
import { failedAttempt } from "./errors.ts";
import { FailedAttempt, type Failure, type Target } from "./failure.ts";
import {
  asFailure,
  ConnectionFailure,
  type Http,
  type HttpRequest,
  readText,
  type TextReply,
} from "./http.ts";
import { TooLongError } from "./lines.ts";
import type { ModelInfo, ModelSource } from "./model_source.ts";
import { isObject } from "@/lib/json.ts";
import { parsedJson } from "@/lib/json.ts";
import { readOverflow } from "./overflow.ts";
import { retrying, type RetryOptions } from "./retry.ts";
import type { ServerMemory } from "./server_memory.ts";
import { type SilenceLimits, Watchdog } from "./watchdog.ts";

/** What every wire is made with. */
export type WireOptions = {
  connection: Connection;
  http: Http;
  memory: ServerMemory;
  limits: SilenceLimits;
  retry: RetryOptions;
  /** The time in milliseconds. */
  now(): number;
  /** An id for a call that came without one: letters, digits, `_` and `-`, at most 40. */
  newId(): string;
};

/** A provider that can also be asked about its models. */
export type WireProvider = Provider & ModelSource;

/** One try: the signal to pass on, and where to report that content came and what the try has cost so far. */
export type Try = { signal: AbortSignal; content(): void; spent(usage: Usage): void };

/** What a wire that reads events asks for. */
export const EVENTS = "text/event-stream";

const ERROR_BODY_MS_MAX = 5_000;

/** The events of a request, over as many tries as it takes. Throws ProviderError, or the signal's reason. */
export function streamOf(
  options: WireOptions,
  { model, signal }: { model: string; signal: AbortSignal },
  attempt: (one: Try) => AsyncIterable<ProviderEvent>,
): AsyncIterable<ProviderEvent> {
  const target = { connection: options.connection, model };
  return retrying(() => watched(options, target, { signal, attempt }), signal, options.retry);
}

/** What is known of a model, corrected by what an overflow has taught. */
export function corrected(options: WireOptions, info: ModelInfo): ModelInfo {
  const { windowTokens } = options.memory.of(options.connection.baseUrl, info.name);
  if (windowTokens === undefined || windowTokens >= (info.windowTokens ?? Infinity)) return info;
  return { ...info, windowTokens };
}

/** Run something that is not a stream (a list of models): its failures as ProviderError. */
export async function asking<T>(
  options: WireOptions,
  { model, signal }: { model?: string; signal: AbortSignal },
  ask: () => Promise<T>,
): Promise<T> {
  const target = { connection: options.connection, ...(model === undefined ? {} : { model }) };
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    const failed = asFailedAttempt(error, { options, target });
    throw failed instanceof FailedAttempt ? failed.error : failed;
  }
}

/** Send a request whose reply is a stream. Throws FailedAttempt for every status but 2xx. */
export async function open(
  options: WireOptions,
  { request, model }: { request: HttpRequest; model: string },
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await options.http.send(request, signal);
  const { status, headers, body } = response;
  const type = headers.get("content-type") ?? "";
  const isPage = /\bhtml\b/i.test(type);
  const isWhole = request.headers.accept === EVENTS && /\bapplication\/json\b/i.test(type);
  if (response.ok && isWhole) throw await notStreamed(options, { response, model }, signal);
  if (response.ok && body !== null && !isPage) return body;
  const text = await errorText(response, signal);
  const failure: Failure = {
    at: "reply",
    status,
    headers,
    body: readErrorText(text),
    inStream: false,
  };
  if (isPage) failure.body.isPage = true;
  throw refused(options, model, failure);
}

/** A 200 that holds one JSON value where events were asked for: an error mostly. */
async function notStreamed(
  options: WireOptions,
  { response, model }: { response: Response; model: string },
  signal: AbortSignal,
): Promise<FailedAttempt> {
  const text = await errorText(response, signal);
  const value = parsedJson(text);
  const outer: unknown = Array.isArray(value) ? value[0] : value;
  const isError = isObject(outer) && (outer.error ?? undefined) !== undefined;
  return isError ? streamError(options, model, value) : garbled(options, model, text);
}

/** A small reply that is not what was asked for: the error that its status and text mean. */
export function unexpected(options: WireOptions, reply: TextReply, model?: string): FailedAttempt {
  const { status, headers, text } = reply;
  const body = readErrorText(text);
  if (/\bhtml\b/i.test(headers.get("content-type") ?? "")) body.isPage = true;
  const target = { connection: options.connection, ...(model === undefined ? {} : { model }) };
  return failedAttempt(
    target,
    { at: "reply", status, headers, body, inStream: false },
    options.now(),
  );
}

/** An error that came in the middle of a 200 stream. */
export function streamError(options: WireOptions, model: string, value: unknown): FailedAttempt {
  const body = readErrorValue(value);
  const status = statusOf(body);
  return refused(options, model, {
    at: "reply",
    status,
    headers: new Headers(),
    body,
    inStream: true,
  });
}

/** A reply that is not what the wire speaks: `words` is what came instead. */
export function garbled(options: WireOptions, model: string, words: string): FailedAttempt {
  const shown = words.length > 200 ? `${words.slice(0, 200)}…` : words;
  const failure = { at: "connection", problem: "garbled", words: shown } as const;
  return failedAttempt({ connection: options.connection, model }, failure, options.now());
}

/** A reply whose body ended before the wire's own end mark. */
export function cutOff(options: WireOptions, model: string): FailedAttempt {
  const failure = { at: "connection", problem: "cut", words: "the stream ended early" } as const;
  return failedAttempt({ connection: options.connection, model }, failure, options.now());
}

/** A reply that the model spoilt: `words` is the server's name for it. */
export function modelFault(options: WireOptions, model: string, words: string): FailedAttempt {
  const failure = { at: "connection", problem: "model_fault", words } as const;
  return failedAttempt({ connection: options.connection, model }, failure, options.now());
}

function refused(
  options: WireOptions,
  model: string,
  failure: Extract<Failure, { at: "reply" }>,
): FailedAttempt {
  const windowTokens = readOverflow(failure.body, failure.status)?.windowTokens;
  if (windowTokens !== undefined) {
    options.memory.of(options.connection.baseUrl, model).windowTokens = windowTokens;
  }
  return failedAttempt({ connection: options.connection, model }, failure, options.now());
}

type Watched = {
  signal: AbortSignal;
  attempt(one: Try): AsyncIterable<ProviderEvent>;
};

async function* watched(
  options: WireOptions,
  target: Target,
  { signal, attempt }: Watched,
): AsyncGenerator<ProviderEvent, void, undefined> {
  using watchdog = new Watchdog(options.limits, signal);
  let usage: Usage | undefined;
  const one: Try = {
    signal: watchdog.signal,
    content: () => watchdog.content(),
    spent: (counted) => usage = counted,
  };
  try {
    yield* attempt(one);
  } catch (error) {
    if (!signal.aborted) {
      const failed = silenceOf(watchdog, { options, target }) ??
        asFailedAttempt(error, { options, target });
      if (failed instanceof FailedAttempt && usage !== undefined) failed.usage = usage;
      throw failed;
    }
    // What was begun is paid for: an interrupt that knows the count says it.
    if (usage === undefined) throw signal.reason;
    yield { type: "done", stop: "abort", usage, model: target.model ?? "" };
  }
}

type At = { options: WireOptions; target: Target };

function silenceOf({ silence }: Watchdog, { options, target }: At): FailedAttempt | undefined {
  if (silence === undefined) return undefined;
  const problem = silence.hadContent ? "silent_after" : "silent_before";
  const failure = {
    at: "connection",
    problem,
    words: "silence",
    afterMs: silence.afterMs,
  } as const;
  return failedAttempt(target, failure, options.now());
}

function asFailedAttempt(error: unknown, { options, target }: At): unknown {
  if (error instanceof TooLongError) {
    const failure = { at: "connection", problem: "garbled", words: error.message } as const;
    return failedAttempt(target, failure, options.now());
  }
  const failure = asFailure(error);
  if (!(failure instanceof ConnectionFailure)) return error;
  const { problem, message: words, variable } = failure;
  const facts = { at: "connection", problem, words } as const;
  const named = variable === undefined ? facts : { ...facts, variable };
  return failedAttempt(target, named, options.now());
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
