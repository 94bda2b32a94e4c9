import { deepStrictEqual as equal } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import { UsageEntries } from "@/session/usage_fold.ts";
import { usageTable } from "@/terminal/usage_table.ts";

const used = (
  input: number,
  output: number,
  purpose: "turn" | "title" = "turn",
  model = "m-1",
): Event => ({
  type: "usage",
  purpose,
  model,
  usage: { input, output, cacheRead: 0, cacheWrite: 0 },
});

Deno.test("UsageEntries sums by turn and model, and keeps apart what was no turn's own", () => {
  const fold = new UsageEntries();
  const events: readonly Event[] = [
    { type: "model", provider: "anthropic", model: "m" },
    { type: "turn_start", turn: 1 },
    used(10, 1),
    used(20, 2),
    used(5, 5, "title", "small"),
    { type: "turn_start", turn: 2 },
    { type: "model", provider: "openai", model: "n" },
    used(40, 4),
  ];
  for (const event of events) fold.take(event);
  const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });
  equal(fold.entries, [
    { turn: 1, provider: "anthropic", model: "m", isOwn: true, requests: 2, usage: usage(30, 3) },
    {
      turn: 1,
      provider: "anthropic",
      model: "small",
      isOwn: false,
      requests: 1,
      usage: usage(5, 5),
    },
    { turn: 2, provider: "openai", model: "n", isOwn: true, requests: 1, usage: usage(40, 4) },
  ]);
});

Deno.test("usageTable() has a row a turn with a bar, the sums below, and says what is not known", () => {
  const row = (name: string, input: number, cost: number | null) => ({
    name,
    requests: 1,
    usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 },
    cost,
  });
  equal(
    usageTable([row("turn 1", 1_000, 0.01), row("turn 2", 4_000, 2)], [row("all", 5_000, null)]),
    [
      "        requests  input  output  cache read  cache write     cost",
      "turn 1         1  1,000       0           0            0  $0.0100  ▰▰▰▰▰",
      "turn 2         1  4,000       0           0            0    $2.00  ▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰▰",
      "all            1  5,000       0           0            0        ?",
    ].join("\n"),
  );
  const many = Array.from({ length: 25 }, (_, at) => row(`turn ${at + 1}`, 1, 0));
  const lines = usageTable(many, []).split("\n");
  equal([lines.length, lines[1]], [22, "… 5 earlier turns, counted below"]);
});
