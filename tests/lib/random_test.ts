import { deepStrictEqual as equal, notStrictEqual } from "node:assert/strict";
import { randomHex } from "@/lib/random.ts";

Deno.test("randomHex() gives two digits a byte and never the same", () => {
  equal(/^[0-9a-f]{24}$/.test(randomHex(12)), true);
  notStrictEqual(randomHex(12), randomHex(12));
});
