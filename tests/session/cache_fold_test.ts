import { deepStrictEqual as equal } from "node:assert/strict";
import { CacheFold, withLifetime } from "@/session/cache_fold.ts";
import type { UsageRequest } from "@/session/usage_fold.ts";

const MINUTE = 60_000;

/** A request after so many minutes that read and wrote so many tokens. */
function request(minute: number, cacheRead: number, cacheWrite: number, model = "m"): UsageRequest {
  const usage = { input: 10, output: 5, cacheRead, cacheWrite };
  return { turn: 1, at: minute * MINUTE, provider: "anthropic", model, purpose: "turn", usage };
}

const misses = (requests: readonly UsageRequest[]) => {
  const fold = new CacheFold();
  return requests.map((one) => fold.take(one)).map((miss) =>
    miss && [miss.lostTokens, miss.pauseMs / MINUTE]
  );
};

Deno.test("CacheFold tells a request that reads back less than the one before had cached", () => {
  equal(
    misses([
      request(0, 0, 6_000),
      request(1, 6_000, 500),
      request(8, 0, 6_800),
      request(9, 6_800, 100),
    ]),
    [undefined, undefined, [6_500, 7], undefined],
  );
});

Deno.test("CacheFold takes reads by steps of some hundred tokens for no miss", () => {
  equal(misses([request(0, 6_016, 0), request(1, 5_888, 0), request(2, 1_024, 0)]), [
    undefined,
    undefined,
    [4_864, 1],
  ]);
});

Deno.test("CacheFold knows that another model has another cache", () => {
  equal(misses([request(0, 0, 6_000), request(1, 0, 6_000, "n")]), [undefined, undefined]);
});

Deno.test("withLifetime() reads back over a pause that an hour would have outlived", () => {
  const paid = [request(0, 0, 6_000), request(10, 0, 6_500), request(100, 0, 7_000)];
  const { requests, pauses } = withLifetime(paid, "1h");
  equal(pauses, 1);
  equal(requests.map(({ usage }) => [usage.cacheRead, usage.cacheWrite, usage.cacheWrite1h]), [
    [0, 6_000, 6_000],
    [6_000, 500, 500],
    [0, 7_000, 7_000],
  ]);
});

Deno.test("withLifetime() writes again after a pause that five minutes would not have outlived", () => {
  const paid = [request(0, 0, 6_000), request(10, 6_000, 500), request(11, 6_500, 10)];
  const { requests } = withLifetime(paid, "5m");
  equal(requests.map(({ usage }) => [usage.cacheRead, usage.cacheWrite]), [[0, 6_000], [0, 6_500], [
    6_500,
    10,
  ]]);
});
