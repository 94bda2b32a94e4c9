import { deepStrictEqual as equal, notDeepStrictEqual as different } from "node:assert/strict";
import { failureKey, shownTail } from "@/verify/failure.ts";
import { FailureLoop } from "@/verify/failure_loop.ts";

const SAME: readonly [string, string, string][] = [
  ["a duration", "1 failed, 2 passed in 0.07s", "1 failed, 2 passed in 12.31s"],
  ["a duration with a blank", "Time: 1.234 s, estimated 2 s", "Time: 0.9 s, estimated 2 s"],
  ["minutes", "FAIL in 1m 3s", "FAIL in 2m 40s"],
  ["a duration of TAP", "  duration_ms: 12.42", "  duration_ms: 9"],
  ["minutes where there were none", "BUILD FAILED in 54s", "BUILD FAILED in 1m 3s"],
  [
    "time and memory of PHPUnit",
    "Time: 00:00.016, Memory: 6.00 MB",
    "Time: 01:12.409, Memory: 12.50 MB",
  ],
  [
    "what Minitest reached",
    "Finished in 0.003076s, 325.1143 runs/s, 650.2 assertions/s.",
    "Finished in 0.012s, 81.02 runs/s, 162.04 assertions/s.",
  ],
  [
    "what Gradle had to do",
    ":compileJava UP-TO-DATE\n3 actionable tasks: 1 executed, 2 up-to-date",
    ":compileJava\n3 actionable tasks: 3 executed",
  ],
  ["Go", "FAIL\texample.com/a\t0.003s", "FAIL\texample.com/a\t1.2s"],
  ["Go's cache", "ok  \texample.com/b\t0.012s", "ok  \texample.com/b\t(cached)"],
  ["an address", "<Foo object at 0x7f3a2b1c>", "<Foo object at 0x7ffe01a0>"],
  ["a goroutine", "goroutine 12 [running]:", "goroutine 7 [running]:"],
  ["a thread of Rust", "thread 'tests::a' (1234) panicked", "thread 'tests::a' (99) panicked"],
  [
    "a temporary file",
    "open '/tmp/pytest-of-me/pytest-12/x0/a.txt'",
    "open '/tmp/pytest-of-me/pytest-13/x0/a.txt'",
  ],
  [
    "a temporary place of macOS",
    "/private/var/folders/a1/b2c/T/tmpabcd1234/f",
    "/var/folders/a1/b2c/T/tmpzzzz9999/f",
  ],
  ["a time", "2026-11-30T01:02:03.123Z error", "2026-11-30 04:05:06 error"],
  ["a port", "connect 127.0.0.1:34567", "connect 127.0.0.1:40001"],
  ["a process", "(node:1234) Warning", "(node:99) Warning"],
  ["an id", "id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174000"],
  ["a line that moved", "a.py:12: AssertionError", "a.py:15: AssertionError"],
  ["a place with a column", "src/a.ts:3:9 - error", "src/a.ts:8:1 - error"],
  ["colours", "\x1b[31mFAIL\x1b[0m a", "FAIL a"],
  ["the order of tests", "a failed\nb failed", "b failed\na failed"],
  [
    "the code around a failure of pytest",
    "def f():\n>   return x + 2\nE   assert 3 == 4\nFAILED a.py::t - assert 3 == 4",
    "def f():\n    y = 1\n>   return x + 1 + 1\nE   assert 3 == 4\nFAILED a.py::t - assert 3 == 4",
  ],
];

for (const [what, one, other] of SAME) {
  Deno.test(`failureKey() makes nothing of ${what}`, () =>
    equal(failureKey(one), failureKey(other)));
}

const DIFFERENT: readonly [string, string, string][] = [
  ["another value", "assert 3 == 4", "assert 3 == 5"],
  ["another test", "FAILED a.py::one - x", "FAILED a.py::two - x"],
  ["fewer failures", "2 failed, 1 passed in 1s", "1 failed, 2 passed in 1s"],
  ["another file", "a.py:12: Error", "b.py:12: Error"],
  ["one line more", "a failed", "a failed\nb failed"],
  ["the same line once more", "a\na", "a"],
];

for (const [what, one, other] of DIFFERENT) {
  Deno.test(`failureKey() sees ${what}`, () => different(failureKey(one), failureKey(other)));
}

Deno.test("failureKey() is quick about what a hostile script prints", () => {
  const long = `${"9".repeat(50_000)}\n${"/tmp/".repeat(20_000)}\n${"a:1".repeat(30_000)}`;
  const started = performance.now();
  failureKey(long.repeat(2));
  equal(performance.now() - started < 60_000, true);
});

Deno.test("shownTail() keeps the end, at least 200 characters, and no half characters", () => {
  equal(shownTail(`${"x".repeat(5_000)}\n`, 2_000), "x".repeat(2_000));
  equal(shownTail("y".repeat(900), 10), "y".repeat(200));
  equal(shownTail(`${"😀".repeat(300)}`, 201).isWellFormed(), true);
  equal(shownTail("\x1b[1mshort\x1b[0m\n\n", 2_000), "short");
});

Deno.test("FailureLoop gives up at the limit of the same failure in a row, and starts over with another", () => {
  const loop = new FailureLoop(() => 3);
  const said = ["A in 1s", "A in 2s", "B", "A in 1s", "A in 3s", "A in 2s"].map((output) =>
    loop.failed(output)
  );
  equal(said, ["feed", "feed", "feed", "feed", "feed", "give_up"]);
});

Deno.test("FailureLoop says once that it works again, and counts anew", () => {
  const loop = new FailureLoop(() => 2);
  equal(loop.passed(), "fine");
  equal(loop.failed("A"), "feed");
  equal([loop.passed(), loop.passed()], ["recovered", "fine"]);
  equal([loop.failed("A"), loop.failed("A")], ["feed", "give_up"]);
});
