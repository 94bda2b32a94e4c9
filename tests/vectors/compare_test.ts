import { deepStrictEqual as assertEquals } from "node:assert";
import { differences } from "./compare.ts";

type Row = [actual: unknown, expected: Record<string, unknown>];

const MET: readonly Row[] = [
  [{ a: 1, more: 2 }, { a: 1 }],
  [{ a: { y: [1, { z: null }], x: "t" } }, { a: { x: "t", y: [1, { z: null }] } }],
  [{ a: { x: 1, y: undefined } }, { a: { x: 1 } }],
  [{ scores: [0.53087, 0] }, { scores: [0.5309, 0] }],
  [{ mentions: "exit code 3: oops" }, { mentions: ["exit code 3", "oops"] }],
  [{ mentions: ["notes.txt"] }, { mentions: ["notes.txt"] }],
  [{ message_mentions: "[Error] there is no line 0" }, { message_mentions: ["no line 0"] }],
  [{ starts_with: "[Error] x" }, { starts_with: "[Error]" }],
  [{ result_starts: "[System] x" }, { result_starts: "[System]" }],
  [{ starts: false }, { starts: false }],
  [{ ends_with: "the END" }, { ends_with: "END" }],
  [{ attached_chars_max: 40_000 }, { attached_chars_max: 40_000 }],
  [{ kept_blocks_min: 3 }, { kept_blocks_min: 2 }],
  [{ waiting_within_s: 0.4 }, { waiting_within_s: 2.5 }],
  [{ names_at_least: ["b", "a", "c"] }, { names_at_least: ["a", "b"] }],
];

const NOT_MET: readonly Row[] = [
  [undefined, { a: 1 }],
  ["text", { length: 4 }],
  [{}, { a: null }],
  [{ a: undefined }, { a: null }],
  [{ a: "1" }, { a: 1 }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: [1, 2] }, { a: [1] }],
  [{ a: { x: 1, y: 2 } }, { a: { x: 1 } }],
  [{ a: {} }, { a: [] }],
  [{ a: { b: undefined } }, { a: { c: undefined } }],
  [{ scores: [0.53] }, { scores: [0.5309] }],
  [{ n: 3.0001 }, { n: 3 }],
  [{ mentions: "oops" }, { mentions: ["exit code 3", "oops"] }],
  [{ mentions: ["notes.txt", "b"] }, { mentions: ["notes.txt"] }],
  [{ mentions: "text" }, { mentions: "text, not a list of words" }],
  [{ starts_with: "x [Error]" }, { starts_with: "[Error]" }],
  [{ starts: true }, { starts: false }],
  [{ ends_with: "END." }, { ends_with: "END" }],
  [{ attached_chars_max: 40_001 }, { attached_chars_max: 40_000 }],
  [{ attached_chars_max: NaN }, { attached_chars_max: 40_000 }],
  [{ kept_blocks_min: 1 }, { kept_blocks_min: 2 }],
  [{ names_at_least: ["a"] }, { names_at_least: ["a", "b"] }],
  [{ names_at_least: "ab" }, { names_at_least: ["a"] }],
];

Deno.test("differences() is empty when every expected key is met", () => {
  for (const [actual, expected] of MET) {
    assertEquals(differences(actual, expected), [], JSON.stringify({ actual, expected }));
  }
});

Deno.test("differences() names the key that is not met", () => {
  for (const [actual, expected] of NOT_MET) {
    const keys = differences(actual, expected).map(({ key }) => key);
    assertEquals(keys, Object.keys(expected), JSON.stringify({ actual, expected }));
  }
});

Deno.test("differences() gives what is there and what was expected", () => {
  assertEquals(differences({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 }), [
    { key: "b", actual: 2, expected: 3 },
    { key: "c", actual: undefined, expected: 4 },
  ]);
});
