import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { LineRegex, PatternTooSlow } from "@/workers/line_regex.ts";

const FOREVER = { source: "^(a+)+$", flags: "u" };
const QUICK = { source: "b", flags: "u" };

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

Deno.test("LineRegex answers pieces in order, each with the hits of its own", async () => {
  const regex = new LineRegex(QUICK, 5_000);
  const found = await Promise.all(
    ["a\nb\n", "", "bb\nb"].map((text) => regex.match(bytes(text), 1)),
  );
  regex.close();
  equal(found.map(({ matched, newlines }) => [matched, newlines]), [[1, 2], [0, 0], [2, 1]]);
  equal(found[2]?.hits, [{ line: 0, lineStart: 0, start: 0, more: 1 }]);
});

Deno.test("LineRegex counts no time while its worker starts", async () => {
  const pieceMs = 1_000;
  const regex = new LineRegex(QUICK, pieceMs);
  const found = regex.match(bytes("b"), 1);
  // Nothing can be heard of the worker meanwhile, as if it took that long to start.
  for (const start = performance.now(); performance.now() - start < pieceMs + 200;);
  equal((await found).matched, 1);
  regex.close();
});

Deno.test("LineRegex gives up on a pattern that takes for ever, and on all that waits for it", async () => {
  const regex = new LineRegex(FOREVER, 100);
  const slow = regex.match(bytes(`${"a".repeat(40)}!`), 1);
  const behind = regex.match(bytes("a"), 1);
  await rejects(slow, PatternTooSlow);
  await rejects(behind, PatternTooSlow);
  await rejects(regex.match(bytes("a"), 1), PatternTooSlow);
  regex.close();
});

Deno.test("LineRegex says so when its worker does not start", async () => {
  const regex = new LineRegex(QUICK, 5_000, 0);
  await rejects(regex.match(bytes("b"), 1), /its worker did not start in 0 s/);
  regex.close();
});

Deno.test("close() ends what waits, also while the worker starts", async () => {
  const regex = new LineRegex(QUICK, 5_000);
  const waiting = regex.match(bytes("b"), 1);
  regex.close();
  await rejects(waiting, /The search was ended/);
});
