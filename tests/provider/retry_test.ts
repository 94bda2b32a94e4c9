import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { NO_USAGE, ProviderError, type ProviderEvent } from "@/protocol/provider.ts";
import { FailedAttempt, type RetryAdvice } from "@/provider/failure.ts";
import { retrying, wait } from "@/provider/retry.ts";
import { collect } from "../support/wire_options.ts";

const done: ProviderEvent = { type: "done", stop: "end", usage: NO_USAGE, model: "m" };
const text = (said: string): ProviderEvent => ({ type: "delta", channel: "text", text: said });
const call = (id: string): ProviderEvent => ({ type: "tool_call", id, name: "read", input: {} });

function failure(advice: Partial<RetryAdvice> = {}, message = "it broke"): FailedAttempt {
  const error = new ProviderError("overloaded", message, {
    hint: "wait",
    status: 503,
    requestId: "r",
  });
  const facts = { at: "connection", problem: "lost", words: "" } as const;
  return new FailedAttempt(error, { again: "yes", soon: false, ...advice }, facts);
}

/** Tries in order: the events of each, and what it ends in. */
function tries(...script: (ProviderEvent | Error)[][]) {
  let at = 0;
  return async function* (): AsyncGenerator<ProviderEvent> {
    const events = script[at] ?? [];
    at += 1;
    for (const event of events) {
      await Promise.resolve();
      if (event instanceof Error) throw event;
      yield event;
    }
  };
}

function run(
  script: (ProviderEvent | Error)[][],
  more: { random?: number; retriesMax?: number } = {},
) {
  const waits: number[] = [];
  const stream = retrying(tries(...script), new AbortController().signal, {
    retriesMax: more.retriesMax ?? 3,
    random: () => more.random ?? 0,
    sleep: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { stream, waits };
}

Deno.test("retrying() passes a reply through that needs no second try", async () => {
  const { stream, waits } = run([[text("a"), call("1"), call("2"), done]]);
  equal(await collect(stream), [text("a"), call("1"), call("2"), done]);
  equal(waits, []);
});

Deno.test("retrying() says what was void and delivers each call once", async () => {
  const { stream } = run([[text("a"), call("1"), failure()], [failure()], [
    text("b"),
    call("1"),
    done,
  ]]);
  const retry = (attempt: number, waitMs: number, discarded: boolean): ProviderEvent => ({
    type: "retry",
    reason: "it broke",
    attempt,
    waitMs,
    discarded,
  });
  equal(await collect(stream), [
    text("a"),
    retry(1, 500, true),
    retry(2, 1_000, false),
    text("b"),
    call("1"),
    done,
  ]);
});

Deno.test("retrying() keeps the order of what came after a call, but not a notice waiting", async () => {
  const notice: ProviderEvent = { type: "notice", level: "warn", text: "x" };
  const { stream } = run([[call("1"), text("after"), notice, call("2"), done]]);
  equal(await collect(stream), [notice, call("1"), text("after"), call("2"), done]);
});

Deno.test("retrying() backs off with up to 25 % less, at most 8 s, and gives up (check 38)", async () => {
  for (
    const [random, expected] of [[0, [500, 1_000, 2_000, 4_000, 8_000, 8_000]], [1, [
      375,
      750,
      1_500,
      3_000,
      6_000,
      6_000,
    ]]] as const
  ) {
    const { stream, waits } = run(Array(9).fill([failure()]), { random, retriesMax: 6 });
    await rejects(collect(stream), (error: unknown) => {
      ok(error instanceof ProviderError);
      equal([error.message, error.hint, error.kind, error.status, error.requestId], [
        "it broke (tried 7 times)",
        "wait",
        "overloaded",
        503,
        "r",
      ]);
      return true;
    });
    equal(waits, expected);
  }
});

Deno.test("retrying() waits as long as the server asks", async () => {
  const { stream, waits } = run([[failure({ afterMs: 2_000 })], [failure({ afterMs: 60_000 })], [
    done,
  ]]);
  await collect(stream);
  equal(waits, [2_000, 60_000]);
});

Deno.test("retrying() tells a person instead of waiting for more than a minute", async () => {
  const { stream, waits } = run([[failure({ afterMs: 11_520_000 })], [done]]);
  await rejects(collect(stream), (error: unknown) => {
    ok(error instanceof ProviderError);
    equal([error.kind, error.message], ["overloaded", "it broke"]);
    match(error.hint, /^The server asks to wait 3 h 12 min\. /);
    return true;
  });
  equal(waits, []);
});

Deno.test("retrying() tries a dropped stream again within 0.3 s", async () => {
  const { stream, waits } = run([[failure({ soon: true })], [failure({ soon: true })], [done]]);
  await collect(stream);
  ok((waits[0] ?? 999) <= 300);
  equal(waits[1], 1_000, "but not twice in a row");
});

Deno.test("retrying() does not try again what would fail again (check 38)", async () => {
  const { stream, waits } = run([[failure({ again: "no" })], [done]]);
  await rejects(
    collect(stream),
    (error: unknown) => error instanceof ProviderError && error.message === "it broke",
  );
  equal(waits, []);
});

Deno.test("retrying() counts what is worth one more try by itself", async () => {
  const { stream, waits } = run([[failure()], [failure({ again: "once" })], [done]]);
  equal((await collect(stream)).at(-1), done);
  equal(waits, [500, 200]);
  const twice = run([[failure({ again: "once" })], [failure()], [failure({ again: "once" })]]);
  await rejects(collect(twice.stream), /it broke \(tried 3 times\)/);
});

Deno.test("retrying() tries once more where a server may just be restarting", async () => {
  const { stream, waits } = run([[failure({ again: "once" })], [failure({ again: "once" })], [
    done,
  ]]);
  await rejects(collect(stream), /tried 2 times/);
  equal(waits, [200]);
});

Deno.test("retrying() reports what a broken try had cost", async () => {
  const broken = failure();
  broken.usage = { input: 9, output: 1, cacheRead: 0, cacheWrite: 0 };
  const { stream } = run([[broken], [done]]);
  const [retry] = await collect(stream);
  equal(retry?.type === "retry" ? retry.usage : undefined, broken.usage);
});

Deno.test("retrying() lets a fault of ours through as it is", async () => {
  const { stream } = run([[new RangeError("ours")], [done]]);
  await rejects(collect(stream), RangeError);
  await rejects(collect(run([[text("a")]]).stream), /ended without saying that it was done/);
});

Deno.test("retrying() is interrupted in its wait of 50 s", async () => {
  const interrupt = new AbortController();
  const stream = retrying(tries([failure({ afterMs: 50_000 })], [done]), interrupt.signal, {
    retriesMax: 3,
    random: () => 0,
  });
  const events: ProviderEvent[] = [];
  const reading = (async () => {
    for await (const event of stream) events.push(event);
  })();
  await new Promise((resolve) => setTimeout(resolve, 30));
  equal(events.length, 1, "the wait is told before it begins");
  const started = performance.now();
  interrupt.abort(new Error("stopped"));
  await rejects(reading, /stopped/);
  ok(performance.now() - started < 10_000);
});

Deno.test("wait() leaves neither timer nor listener", async () => {
  const { signal } = new AbortController();
  await wait(1, signal);
  await rejects(wait(60_000, AbortSignal.abort(new Error("before"))), /before/);
});
