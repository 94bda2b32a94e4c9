import { deepStrictEqual as equal } from "node:assert/strict";
import { missText } from "@/compose/miss_text.ts";

Deno.test("missText() says how long ago the request before was, unless the clock was set back since", () => {
  const said = (pauseMs: number, cacheWrite = 9_000) => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite };
    const request = {
      ...{ turn: 1, at: 0, provider: "anthropic", model: "m", purpose: "turn" as const, usage },
    };
    const text = missText({ request, lostTokens: 9_000, pauseMs }, { lifetimeMs: 300_000 });
    return text.slice(text.indexOf(": ") + 2);
  };
  equal([said(400_000), said(60_000), said(-3_600_000)], [
    "7 min passed since the request before, and the cache is kept for 5 min (CACHE_LIFETIME)",
    "the prompt begins as before, so anthropic has dropped it after 60 s",
    "the prompt begins as before, so anthropic has dropped it",
  ]);
});
