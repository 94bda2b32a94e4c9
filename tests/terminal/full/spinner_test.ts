import { deepStrictEqual as equal } from "node:assert/strict";
import { TICK_MS } from "@/terminal/full/painter.ts";
import { spinner } from "@/terminal/full/spinner.ts";

Deno.test("spinner() is another one with each tick of the screen, round and round", () => {
  const at = [0, TICK_MS - 1, TICK_MS, 10 * TICK_MS - 1, 10 * TICK_MS];
  equal(at.map(spinner), ["⠋", "⠋", "⠙", "⠏", "⠋"]);
});
