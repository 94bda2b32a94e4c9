import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { knownModel, TABLE_DATE } from "@/provider/model_table.ts";
import { costOf } from "@/provider/price.ts";

Deno.test("knownModel() knows windows, caps and prices, and nothing of a model that is not in the table", () => {
  match(TABLE_DATE, /^\d{4}-\d\d-\d\d$/);
  equal(knownModel("anthropic", "claude-haiku-4-5"), {
    windowTokens: 200_000,
    outputTokensMax: 64_000,
    price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    tiers: [],
  });
  equal(knownModel("anthropic", "no-such-model"), undefined);
  equal(knownModel("nobody", "claude-haiku-4-5"), undefined);
});

Deno.test("costOf() adds the four counts, an hour in the cache at its own price, and takes the tier that the input falls into", () => {
  const known = knownModel("anthropic", "claude-haiku-5-5");
  ok(known !== undefined && known.tiers[0] !== undefined);
  const usage = { input: 1_000, output: 1_000, cacheRead: 1_000, cacheWrite: 1_000 };
  const { price, tiers: [{ above, price: dearer }] } = {
    price: known.price,
    tiers: [known.tiers[0]] as const,
  };
  const sum = price.input + price.output + price.cacheRead + price.cacheWrite;
  ok(Math.abs(costOf(usage, known) - sum / 1000) < 1e-12);
  const hour = costOf({ ...usage, cacheWrite1h: 400 }, known);
  const dearer1h = (400 * (2 * price.input - price.cacheWrite)) / 1e6;
  ok(Math.abs(hour - sum / 1000 - dearer1h) < 1e-12);
  const large = { ...usage, input: above };
  const expected =
    (above * dearer.input + 1000 * (dearer.output + dearer.cacheRead + dearer.cacheWrite)) / 1e6;
  ok(Math.abs(costOf(large, known) - expected) < 1e-9);
});
