import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import type { Event } from "@/protocol/event.ts";
import { textWidth } from "@/lib/width.ts";
import { NO_INKS } from "../../support/ink.ts";
import { railCount, railRows } from "@/terminal/full/rail.ts";
import { cacheLeft, type StatusFacts, StatusFold, statusLine } from "@/terminal/full/status.ts";

const NOW = 1_000_000;
const FACTS: StatusFacts = {
  model: "local/gemma-8b",
  protocol: "native",
  windowTokens: 65_536,
  cost: 0.12,
  cacheMs: 300_000,
  mode: "ask",
  sandbox: "sandboxed",
  right: "harness-2 here · /help",
};
const COUNTS = { contextTokens: 27_000, tokensPerSecond: 38.4, cachedAt: NOW - 48_000 };

const at = (columns: number, facts: StatusFacts = FACTS) =>
  statusLine(facts, COUNTS, { columns, ink: NO_INKS, now: NOW });

Deno.test("statusLine() says everything where there is room, the program's side on the right", () => {
  equal(
    at(140),
    " local/gemma-8b · native · ctx 41% ▰▰▰▱▱▱▱▱ 27k/64k · 38 tok/s · $0.12 · cache 4:12 · ask · sandboxed" +
      "                harness-2 here · /help",
  );
});

Deno.test("statusLine() gives up the right side first, then one fact after the other, the cost last", () => {
  equal(
    [100, 80, 60, 40, 30, 20, 8].map((columns) => at(columns)),
    [
      " local/gemma-8b · native · ctx 41% · 38 tok/s · $0.12 · cache 4:12 · ask · sandboxed",
      " local/gemma-8b · ctx 41% · 38 tok/s · $0.12 · cache 4:12 · ask · sandboxed",
      " gemma-8b · ctx 41% · 38 tok/s · $0.12 · cache 4:12 · ask",
      " gemma-8b · ctx 41% · 38 tok/s · $0.12",
      " gemma-8b · ctx 41% · $0.12",
      " ctx 41% · $0.12",
      " $0.12",
    ].map((line, index) => [100, 80, 60, 40, 24, 12, 8][index] === undefined ? "" : line),
  );
});

Deno.test("statusLine() cuts the right side before it drops it", () => {
  ok(at(118).endsWith("  harness-2 her…"), at(118));
});

Deno.test("statusLine() makes auto stand out, and nothing else", () => {
  const bold = (mode: "ask" | "auto" | "plan") => {
    const line = statusLine({ ...FACTS, mode }, COUNTS, {
      columns: 140,
      ink: { ...NO_INKS, bold: (text) => `<${text}>` },
      now: NOW,
    });
    return line.match(/<.*>/)?.[0];
  };
  equal([bold("ask"), bold("auto"), bold("plan")], [undefined, "<auto>", undefined]);
});

Deno.test("statusLine() keeps saying that nothing is asked", () => {
  ok(at(50, { ...FACTS, mode: "auto" }).includes("auto"));
  ok(at(50, { ...FACTS, mode: "plan" }).includes("plan"));
});

Deno.test("statusLine() shows nothing that is not known", () => {
  equal(
    statusLine({}, { contextTokens: undefined, tokensPerSecond: undefined, cachedAt: undefined }, {
      columns: 80,
      ink: NO_INKS,
      now: NOW,
    }),
    "",
  );
  ok(!at(140, { model: "demo/tour" }).includes("$"));
});

Deno.test("statusLine() is always narrower than the window, and draws what it is given visibly", () => {
  fc.assert(fc.property(
    fc.integer({ min: 4, max: 200 }),
    fc.string({ unit: "binary", maxLength: 30 }),
    (columns, model) => {
      const line = at(columns, { ...FACTS, model });
      ok(textWidth(line) < columns, `${columns}: ${line}`);
      ok(!/[\x00-\x1f\x7f-\x9f]/.test(line));
    },
  ));
});

Deno.test("StatusFold counts what the next request holds, and how fast a reply comes", () => {
  let now = 0;
  const fold = new StatusFold(() => now);
  const usage: Event = {
    type: "usage",
    purpose: "turn",
    model: "m",
    usage: { input: 100, output: 50, cacheRead: 20, cacheWrite: 5 },
  };
  const counts = () => {
    const { contextTokens, tokensPerSecond } = fold.counts;
    return { contextTokens, tokensPerSecond };
  };
  equal(counts(), { contextTokens: undefined, tokensPerSecond: undefined });
  fold.sink({ type: "delta", channel: "text", text: "x".repeat(40) });
  now = 1_000;
  fold.sink({ type: "delta", channel: "text", text: "x".repeat(40) });
  equal(counts().tokensPerSecond, 20);
  fold.sink(usage);
  equal(counts(), { contextTokens: 175, tokensPerSecond: 50 });
  fold.sink({ ...usage, purpose: "title" });
  equal(counts().contextTokens, 175);
  for (
    const shortened of [
      { type: "compaction", summary: "s", keepFrom: 0 },
      { type: "rewind", toTurn: 0 },
    ] as const
  ) {
    fold.sink(usage);
    fold.sink(shortened);
    equal(counts().contextTokens, undefined);
  }
});

Deno.test("cacheLeft() counts down, and says nothing once the time is over or the clock was set back", () => {
  const left = (now: number) => cacheLeft({ cacheMs: 300_000 }, { ...COUNTS, cachedAt: NOW }, now);
  equal([NOW, NOW + 299_000, NOW + 300_000, NOW + 9e9, NOW - 1, NOW - 9e9].map(left), [
    ...[300_000, 1_000, 0, 0, 0, 0],
  ]);
  equal(cacheLeft({}, COUNTS, NOW), 0);
});

Deno.test("StatusFold infers since when the prompt is cached, from what the provider reports", () => {
  const fold = new StatusFold(() => 0);
  const used = (cacheRead: number, cacheWrite: number, model = "m"): Event => {
    const usage = { input: 100, output: 50, cacheRead, cacheWrite };
    return { type: "usage", purpose: "turn", model, usage };
  };
  const after = (event: Event, at: number) => {
    fold.take(event, at);
    return fold.counts.cachedAt;
  };
  equal([
    // Reads alone: a provider that caches unasked, for a time that nobody knows.
    after(used(900, 0), 1_000),
    after(used(0, 900), 2_000),
    after(used(1_000, 0), 3_000),
    after({ ...used(0, 0), purpose: "title" } as Event, 4_000),
    after(used(0, 0), 5_000),
    after(used(0, 500), 6_000),
    after(used(500, 0, "another"), 7_000),
  ], [undefined, 2_000, 3_000, 3_000, undefined, 6_000, undefined]);
});

const ALIVE = [
  { name: "scout-1", detail: "reads the tests" },
  { name: "s1", detail: "npm run dev" },
  { name: "scout-2", detail: "is done", needs: true },
];

Deno.test("railRows() is one row in a wide window, with what needs the person first", () => {
  equal(railRows(ALIVE, { columns: 120, isOpen: false, ink: NO_INKS }), [
    "    ◆ scout-2 is done  · scout-1 reads the tests  · s1 npm run dev",
  ]);
  equal(railRows([], { columns: 120, isOpen: true, ink: NO_INKS }), []);
});

Deno.test("railRows() is closed in a narrow window until it is opened", () => {
  equal(railRows(ALIVE, { columns: 80, isOpen: false, ink: NO_INKS }), []);
  equal(railRows(ALIVE, { columns: 80, isOpen: true, ink: NO_INKS }), [
    "    ◆ scout-2 is done",
    "    · scout-1 reads the tests",
    "    · s1 npm run dev",
  ]);
  equal([railCount(ALIVE), railCount(ALIVE.slice(0, 2)), railCount([])], [
    "◆ 1 waiting",
    "2 alive",
    "",
  ]);
});

Deno.test("railRows() says how many did not fit", () => {
  const many = Array.from({ length: 30 }, (_, n) => ({ name: `agent-${n}`, detail: "works" }));
  const [row = ""] = railRows(many, { columns: 100, isOpen: false, ink: NO_INKS });
  ok(textWidth(row) < 100);
  ok(/… \d+ more \(ctrl\+t\)$/.test(row), row);
  equal(railRows(many, { columns: 100, isOpen: true, ink: NO_INKS }).length, 9);
});
