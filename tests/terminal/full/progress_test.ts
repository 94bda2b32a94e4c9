import { deepStrictEqual as equal } from "node:assert/strict";
import { Progress } from "@/terminal/full/progress.ts";

Deno.test("Progress.retryMs counts down to the next try, and ends with it or with the turn", () => {
  let now = 1_000;
  const progress = new Progress(() => now);
  const retry = { type: "retry", reason: "slow", attempt: 1, waitMs: 8_000 } as const;
  equal(progress.retryMs, undefined);
  progress.take(retry);
  equal(progress.retryMs, 8_000);
  now += 7_500;
  equal(progress.retryMs, 500);
  now += 500;
  equal(progress.retryMs, undefined);
  progress.take(retry);
  progress.take({ type: "turn_end", turn: 1, stop: "abort" });
  equal(progress.retryMs, undefined);
});
