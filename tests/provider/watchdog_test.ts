import { deepStrictEqual as equal } from "node:assert/strict";
import { Watchdog } from "@/provider/watchdog.ts";

const limits = { firstTokenMs: 200, idleMs: 100 };

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

Deno.test("Watchdog ends a reply that never begins", async () => {
  using watchdog = new Watchdog(limits, new AbortController().signal);
  await aborted(watchdog.signal);
  equal(watchdog.silence, { afterMs: 200, hadContent: false });
});

Deno.test("Watchdog ends a reply that falls silent, and content puts that off", async () => {
  using watchdog = new Watchdog(limits, new AbortController().signal);
  for (let times = 0; times < 12; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    watchdog.content();
  }
  equal(watchdog.silence, undefined, "240 ms of content are longer than both limits");
  await aborted(watchdog.signal);
  equal(watchdog.silence, { afterMs: 100, hadContent: true });
});

Deno.test("Watchdog first hears what came while the program was stopped", async () => {
  using watchdog = new Watchdog(limits, new AbortController().signal);
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    const started = performance.now();
    // As Ctrl+Z does: nothing of ours runs, and the reply comes meanwhile.
    while (performance.now() - started < limits.firstTokenMs + 50);
    return new Response("content");
  });
  const reply = await fetch(`http://127.0.0.1:${server.addr.port}`);
  await reply.text();
  watchdog.content();
  equal(watchdog.silence, undefined);
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
