import { deepStrictEqual as equal } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import { byTurn, UsageRequests } from "@/session/usage_fold.ts";
import { usageTable } from "@/terminal/usage_table.ts";

const used = (
  input: number,
  output: number,
  purpose: "turn" | "subagent" = "turn",
  model = "m-1",
): Extract<Event, { type: "usage" }> => ({
  type: "usage",
  purpose,
  model,
  usage: { input, output, cacheRead: 0, cacheWrite: 0 },
});

Deno.test("UsageRequests says of each request which turn and model it was for, and what it was for", () => {
  const fold = new UsageRequests();
  const events: readonly Event[] = [
    { type: "model", provider: "anthropic", model: "m" },
    { type: "turn_start", turn: 1 },
    used(10, 1),
    used(20, 2),
    { ...used(5, 5, "subagent", "small"), provider: "openai" },
    { type: "turn_start", turn: 2 },
    { type: "model", provider: "openai", model: "n" },
    used(40, 4),
  ];
  events.forEach((event, at) => fold.take(event, at));
  const told = fold.all.map((
    { turn, at, provider, model, purpose, usage },
  ) => [turn, at, `${provider}/${model}`, purpose, usage.input]);
  equal(told, [
    [1, 2, "anthropic/m", "turn", 10],
    [1, 3, "anthropic/m", "turn", 20],
    [1, 4, "openai/small", "subagent", 5],
    [2, 7, "openai/n", "turn", 40],
  ]);
  equal(byTurn(fold.all).map((group) => group.length), [3, 1]);
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
