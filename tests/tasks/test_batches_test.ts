/** The test task's own arithmetic: no file is left out, no failure is lost. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { batches, countsOf, summary } from "../../tasks/test_batches.ts";

Deno.test("batches() holds each file once, long ones first, a few in each", () => {
  const files = Array.from({ length: 30 }, (_, at) => `tests/lib/${at}_test.ts`);
  const long = Array.from({ length: 9 }, (_, at) => `tests/e2e/${at}_test.ts`);
  const all = batches([...files, ...long]);
  equal(all.flat().sort(), [...files, ...long].sort());
  equal(all.slice(0, 3).flat(), long);
  ok(all.every((batch) => batch.length > 0 && batch.length <= 12));
  equal(batches([]), []);
});

Deno.test("countsOf() reads deno test's last line, in colour too", () => {
  const line =
    "\x1b[0m\x1b[32mok\x1b[0m | 12 passed (3 steps) | 0 failed | 2 ignored \x1b[0m(5s)\n";
  equal(countsOf(`ok | 1 passed | 0 failed (1s)\nmore\n\n${line}`, { code: 0, isTests: true }), {
    passed: 12,
    failed: 0,
    ignored: 2,
  });
});

Deno.test("countsOf() counts a process that ended badly as a failure, whatever it printed", () => {
  const passed = "ok | 12 passed | 0 failed (5s)\n";
  equal(countsOf(passed, { code: 1, isTests: true }).failed, 1);
  equal(countsOf("", { code: 139, isTests: true }).failed, 1);
  equal(countsOf("", { code: 0, isTests: true }).failed, 1);
  equal(countsOf("", { code: 1, isTests: false }).failed, 1);
  equal(countsOf("", { code: 0, isTests: false }).failed, 0);
  equal(countsOf("FAILED | 3 passed | 2 failed (5s)\n", { code: 1, isTests: true }).failed, 2);
});

Deno.test("summary() adds up, and says FAILED for one failure among many", () => {
  const good = { passed: 5, failed: 0, ignored: 1 };
  equal(summary([good, good], 61_400), "ok | 10 passed | 0 failed | 2 ignored (1m1s)");
  equal(
    summary([good, { passed: 0, failed: 1, ignored: 0 }], 900),
    "FAILED | 5 passed | 1 failed | 1 ignored (1s)",
  );
});
