import { deepStrictEqual as assertEquals } from "node:assert";
import { interleave, median, table } from "../../bench/measure.ts";

Deno.test("median() takes the middle value, or the mean of the two in the middle", () => {
  assertEquals(median([3, 1, 2]), 2);
  assertEquals(median([4, 1, 3, 2]), 2.5);
  assertEquals(median([7]), 7);
});

Deno.test("interleave() runs the variants in turn and leaves the first turn out", async () => {
  const order: string[] = [];
  const variant = (name: string) => () => Promise.resolve(order.push(name));
  assertEquals(await interleave({ a: variant("a"), b: variant("b") }, 2), { a: [3, 5], b: [4, 6] });
  assertEquals(order, ["a", "b", "a", "b", "a", "b"]);
});

Deno.test("table() gives median, ratio to the first row, and whether the goal is met", () => {
  const rows = table([
    { name: "empty", unit: "ms", values: [20, 10, 30] },
    { name: "ours", unit: "ms", values: [50], goal: { kind: "ratio", atMost: 2 } },
    { name: "rate", unit: "MB/s", values: [5], goal: { kind: "median", atLeast: 5 } },
  ]);
  assertEquals(rows, [
    "  empty  median 20.0 ms, min 10.0 ms, ratio 1.00 (3 runs)",
    "  ours   median 50.0 ms, min 50.0 ms, ratio 2.50 (1 runs), goal ≤ 2×: MISSED",
    "  rate   median 5.00 MB/s, min 5.00 MB/s, ratio 0.25 (1 runs), goal ≥ 5 MB/s: met",
  ]);
});
