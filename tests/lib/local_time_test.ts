import { deepStrictEqual as equal } from "node:assert/strict";
import { localClock, localMinute } from "@/lib/local_time.ts";

Deno.test("localMinute() and localClock() show what the person's clock shows", () => {
  const at = new Date(2026, 2, 4, 5, 6, 7);
  equal(localMinute(at), "2026-03-04 05:06");
  equal(localMinute(at.toISOString()), "2026-03-04 05:06");
  equal(localClock(at), "05:06");
  equal(localMinute("once"), "once");
});
