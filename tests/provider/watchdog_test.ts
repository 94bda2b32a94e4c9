import { deepStrictEqual as equal } from "node:assert/strict";
import { Watchdog } from "@/provider/watchdog.ts";

const limits = { firstTokenMs: 60, idleMs: 30 };

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

Deno.test("Watchdog ends a reply that never begins", async () => {
  using watchdog = new Watchdog(limits, new AbortController().signal);
  await aborted(watchdog.signal);
  equal(watchdog.silence, { afterMs: 60, hadContent: false });
});

Deno.test("Watchdog ends a reply that falls silent, and content puts that off", async () => {
  using watchdog = new Watchdog(limits, new AbortController().signal);
  for (let times = 0; times < 6; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 12));
    watchdog.content();
  }
  equal(watchdog.silence, undefined, "72 ms of content are longer than both limits");
  await aborted(watchdog.signal);
  equal(watchdog.silence, { afterMs: 30, hadContent: true });
});

Deno.test("Watchdog passes the caller's interrupt on with its reason", async () => {
  const caller = new AbortController();
  using watchdog = new Watchdog(limits, caller.signal);
  caller.abort("stop");
  await aborted(watchdog.signal);
  equal([watchdog.signal.reason, watchdog.silence], ["stop", undefined]);
});

Deno.test("Watchdog leaves no timer behind", () => {
  // The test runner fails a test that leaves one.
  using watchdog = new Watchdog(
    { firstTokenMs: 60_000, idleMs: 60_000 },
    new AbortController().signal,
  );
  watchdog.content();
});
