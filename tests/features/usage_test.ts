import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import type { ScriptedReply, ScriptedUsage } from "../support/scripted_reply.ts";
import { withApp } from "../support/whole_app.ts";

/** Replies that took so much, one after another. */
const taking = (...usages: ScriptedUsage[]): ScriptedReply[] =>
  usages.map((usage, at) => ({ text: `answer ${at}`, usage }));

const notices = (events: readonly Event[], about?: string) =>
  events.flatMap((event) =>
    event.type === "notice" && (about === undefined || event.about === about) ? [event.text] : []
  );

Deno.test("a miss is told with what broke the prefix, and /usage sums up", async () => {
  const script = taking(
    { input: 10, output: 100, cacheWrite: 6_000 },
    { input: 10, output: 100, cacheRead: 6_000, cacheWrite: 500 },
    { input: 10, output: 100, cacheWrite: 6_600 },
  );
  await withApp(script, async ({ app, events }) => {
    await app.say("one");
    await app.say("two");
    equal(notices(events, "cache"), []);
    await app.slash("/system Speak like a pirate.");
    await app.say("three");
    const [text = "", ...more] = notices(events, "cache");
    equal(more, []);
    match(
      text,
      /^About 6,500 cached tokens were not read back.*changed at byte [\d,]+ by the instructions at "The user gave you/,
    );
    const { text: report } = await app.slash("/usage");
    match(report, /turn 3 +1 +10 +100 +0 +6,600 +\$0\.0438/);
    match(report, /all +3 /);
    match(report, /6,000 prompt tokens were read from Anthropic's cache: 31% of all input/);
    match(report, /1 time the cached prefix was not read back, 6,500 tokens in all/);
    match(
      report,
      /With CACHE_LIFETIME 1h these requests would have cost \$0\.1416 instead of \$0\.0925 \(no pause/,
    );
    match(report, /Prices are those of \d{4}-\d\d-\d\d; PRICES sets others/);
    ok(Math.abs((app.status().cost ?? 0) - 0.0925) < 0.0001, String(app.status().cost));
  }, { isClaude: true });
});

Deno.test("/usage says why nothing was read from the cache", async () => {
  const small = taking(...Array.from({ length: 3 }, () => ({ input: 600, output: 5 })));
  await withApp(small, async ({ app }) => {
    for (const text of ["one", "two", "three"]) await app.say(text);
    const { text } = await app.slash("/usage");
    match(
      text,
      /Nothing was read from Anthropic's cache in 3 requests: the longest prompt had 600 tokens/,
    );
  }, { isClaude: true });
});

Deno.test("a price that is not known is said, never zero, and PRICES gives one", async () => {
  await withApp(taking({ input: 1_000, output: 1_000 }), async ({ app }) => {
    await app.say("one");
    const { text } = await app.slash("/usage");
    match(text, /all +1 +1,000 +1,000 +0 +0 +\?/);
    match(text, /The price of ollama\/m is not known \(1 request\); PRICES sets one/);
    ok(
      !/cache/.test(text.split("\n").slice(3).join("\n")),
      "nothing is claimed of a local server's cache",
    );
    equal(app.status().cost, undefined);
  });
  await withApp(taking({ input: 1_000, output: 1_000 }), async ({ app }) => {
    await app.say("one");
    match((await app.slash("/usage")).text, /all +1 +1,000 +1,000 +0 +0 +\$0\.0050/);
    ok(Math.abs((app.status().cost ?? 0) - 0.005) < 1e-9);
  }, { run: { auto: true, set: ["PRICES=ollama/m=1/4"] } });
});
