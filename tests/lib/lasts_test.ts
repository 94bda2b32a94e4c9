import { deepStrictEqual as equal } from "node:assert/strict";
import { lasts } from "@/lib/lasts.ts";

Deno.test("lasts() is true from the beginning to just before the end, and not before a clock that was set back", () => {
  const at = (now: number) => lasts(1_000, { ms: 300, now });
  equal([at(1_000), at(1_299), at(1_300), at(999_999), at(999)], [true, true, false, false, false]);
});
