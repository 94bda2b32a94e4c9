/**
 * Tries a request again while that makes sense, and says so: one stream of events out of as many tries as it takes.
 * What a broken try has shown is reported as void; its calls are never handed on.
 */
import type { ProviderError, ProviderEvent } from "@/protocol/provider.ts";
import { duration } from "./error_words.ts";
import { FailedAttempt, type RetryAdvice } from "./failure.ts";

export type RetryOptions = {
  /** How many further tries there are at most. */
  retriesMax: number;
  /** A number from 0 to below 1: the jitter. */
  random(): number;
  /** Waits; rejects with the signal's reason as soon as that fires. */
  sleep?(waitMs: number, signal: AbortSignal): Promise<void>;
};

/** Tries enough to get over a minute of trouble, few enough to admit that it is more than that. */
export const RETRIES_MAX = 8;

/** Above this a person would rather decide than wait. */
const SERVER_WAIT_MS_MAX = 60_000;

const BACK_OFF_MS = 500;
const BACK_OFF_MS_MAX = 8_000;
const JITTER_SHARE = 0.25;
const SOON_MS = 200;

/**
 * Run `attempt` until it ends well. Throws ProviderError, or the signal's reason. Deltas go through at once; from the
 * first call on everything is held back until the try has ended well, so that no call is delivered twice or from a
 * reply that broke.
 */
export async function* retrying(
  attempt: () => AsyncIterable<ProviderEvent>,
  signal: AbortSignal,
  options: RetryOptions,
): AsyncGenerator<ProviderEvent, void, undefined> {
  const { retriesMax, sleep = wait } = options;
  let doubtful = 0;
  for (let tries = 1;; tries += 1) {
    const shown = { any: false };
    try {
      yield* holdingCalls(attempt(), shown);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FailedAttempt)) throw error;
      if (error.advice.again === "once") doubtful += 1;
      if (!mayRetry(error.advice, { tries, doubtful, retriesMax })) {
        throw gaveUp(error.error, tries);
      }
      const waitMs = delayMs(error.advice, tries, options.random);
      if (waitMs > SERVER_WAIT_MS_MAX) throw tooLong(error.error, waitMs);
      yield {
        type: "retry",
        reason: error.message,
        attempt: tries,
        waitMs,
        discarded: shown.any,
        ...(error.usage === undefined ? {} : { usage: error.usage }),
      };
      await sleep(waitMs, signal);
    }
  }
}

/** Wait; rejects with the signal's reason as soon as that fires. */
export async function wait(waitMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal.reason);
  const timer = setTimeout(resolve, waitMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function* holdingCalls(
  events: AsyncIterable<ProviderEvent>,
  shown: { any: boolean },
): AsyncGenerator<ProviderEvent, void, undefined> {
  const held: ProviderEvent[] = [];
  for await (const event of events) {
    if (event.type === "tool_call" || (held.length > 0 && event.type !== "notice")) {
      held.push(event);
      if (event.type !== "done") continue;
      // An interrupted reply ends with what was said; its calls are nobody's business any more.
      yield* event.stop === "abort" ? held.filter(({ type }) => type !== "tool_call") : held;
      return;
    }
    if (event.type === "delta" || event.type === "block_end") shown.any = true;
    yield event;
    if (event.type === "done") return;
  }
  throw new Error("A try ended without saying that it was done");
}

/** `doubtful`: how often it failed in a way that is worth one more try; what came before or between does not count. */
function mayRetry(
  { again }: RetryAdvice,
  { tries, doubtful, retriesMax }: { tries: number; doubtful: number; retriesMax: number },
): boolean {
  if (again === "no" || tries > retriesMax) return false;
  return again === "yes" || doubtful === 1;
}

function delayMs(
  { afterMs, again, soon }: RetryAdvice,
  tries: number,
  random: () => number,
): number {
  if (afterMs !== undefined) return afterMs;
  if (again === "once" || (tries === 1 && soon)) return SOON_MS;
  const backOff = Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** (tries - 1));
  return Math.round(backOff * (1 - JITTER_SHARE * random()));
}

/** The error as it was, saying how often it was tried. */
function gaveUp(error: ProviderError, tries: number): ProviderError {
  return tries === 1 ? error : error.with({ message: `${error.message} (tried ${tries} times)` });
}

function tooLong(error: ProviderError, waitMs: number): ProviderError {
  const asks = `The server asks to wait ${duration(waitMs)}`;
  return error.with({ hint: `${asks}. Try again then, or use another model` });
}
