import { deepStrictEqual as assertEquals, match, throws } from "node:assert";
import { type Adapters, allAdapters } from "./adapter.ts";
import { judge } from "./judge.ts";
import { report } from "./run.ts";
import { parseVectors } from "./vector_file.ts";

const FILE = {
  about: { SAMPLE: "one\ntwo\n" },
  groups: [{
    component: "text.length",
    contract: "How many characters the text has.",
    vectors: [
      { id: "a", description: "", kind: "parity", input: { text: "abc" }, expected: { chars: 3 } },
      { id: "b", description: "", kind: "beat", input: { text: "" }, expected: { chars: 1 } },
      { id: "c", description: "", kind: "beat", input: { number: 5 }, expected: { chars: 1 } },
    ],
  }, {
    component: "text.copy",
    contract: "The file as it was.",
    vectors: [{ id: "d", input: { file: "SAMPLE" }, expected: { file_after: "unchanged" } }],
  }],
};

const ADAPTERS: Adapters = {
  "text.length": (input) => {
    const { text } = input as { text?: string };
    return text === undefined ? undefined : { chars: text.length };
  },
  "text.copy": (input) => ({ file_after: (input as { file: string }).file }),
};

const vectors = parseVectors(FILE, "here");

Deno.test("judge() says of each vector whether it passed, failed or was skipped", async () => {
  const outcomes = await judge(vectors, ADAPTERS);
  assertEquals(outcomes.map(({ status }) => status), ["passed", "failed", "skipped", "passed"]);
});

Deno.test("judge() skips a component that has no adapter", async () => {
  const outcomes = await judge(vectors, {});
  assertEquals(outcomes.map(({ status }) => status), Array(4).fill("skipped"));
});

Deno.test("judge() counts what an adapter throws as that vector's failure", async () => {
  const adapters: Adapters = {
    "text.length": () => {
      throw new RangeError("out of bounds");
    },
  };
  const [outcome] = await judge(vectors.slice(0, 1), adapters);
  assertEquals(
    outcome?.status === "failed" && outcome.why,
    "the adapter threw RangeError: out of bounds",
  );
});

Deno.test("judge() shows an adapter which keys are asked for and none of their values", async () => {
  const seen: unknown[] = [];
  await judge(vectors, { "text.copy": (_input, vector) => void seen.push(vector) });
  assertEquals(seen, [{ id: "d", expected: { file_after: undefined } }]);
});

Deno.test("judge() does not let one adapter change the input of another run", async () => {
  const spoil: Adapters = {
    "text.length": (input) => {
      (input as { text: string }).text = "";
      return { chars: 0 };
    },
  };
  await judge(vectors, spoil);
  assertEquals((await judge(vectors, ADAPTERS))[0]?.status, "passed");
});

Deno.test("judge() skips a vector believed wrong while it fails, and fails it once it passes", async () => {
  const [passing, failing] = vectors;
  const believed = { [passing?.hash ?? ""]: "it is three", [failing?.hash ?? ""]: "it is zero" };
  const outcomes = await judge(vectors.slice(0, 2), ADAPTERS, believed);
  assertEquals(outcomes.map(({ status }) => status), ["failed", "skipped"]);
});

Deno.test("report() names failures and reasons to skip, and ends with the counts", async () => {
  const { lines, isGood } = report(await judge(vectors, ADAPTERS));
  match(lines[0] ?? "", /^FAIL b \[text\.length [0-9a-f]{16}\] chars is 0, expected 1$/);
  assertEquals(lines.slice(1), [
    "skipped 1 of text.length: not implemented: (number) → (chars)",
    "2 passed, 1 failed, 1 skipped",
  ]);
  assertEquals(isGood, false);
});

Deno.test("report() is not good when nothing passed", async () => {
  const { lines, isGood } = report(await judge(vectors.slice(2, 3), ADAPTERS));
  assertEquals(lines.at(-1), "0 passed, 0 failed, 1 skipped");
  assertEquals(isGood, false);
});

Deno.test("parseVectors() gives a vector the same hash under any id, description and key order", () => {
  const vector = { id: "x", expected: { b: 1, a: 2 }, description: "new", input: { text: "abc" } };
  const same = { id: "y", input: { text: "abc" }, expected: { a: 2, b: 1 } };
  const other = { id: "y", input: { text: "abd" }, expected: { a: 2, b: 1 } };
  const hashes = parseVectors(
    { groups: [{ component: "c", vectors: [vector, same, other] }] },
    "here",
  ).map(({ hash }) => hash);
  assertEquals(new Set(hashes).size, 2);
  assertEquals(hashes[0], hashes[1]);
});

Deno.test("parseVectors() writes out that nothing is reported where tools are given", () => {
  const group = {
    component: "protocol.parse",
    vectors: [
      { id: "a", input: { reply: "", tools: [] }, expected: { calls: [] } },
      { id: "b", input: { reply: "", tools: [] }, expected: { calls: [], reported: true } },
      { id: "c", input: { reply: "" }, expected: { calls: [] } },
    ],
  };
  assertEquals(parseVectors({ groups: [group] }, "here").map(({ expected }) => expected), [
    { calls: [], reported: false },
    { calls: [], reported: true },
    { calls: [] },
  ]);
});

Deno.test("parseVectors() drops a remark that stands among a stream's outcomes", () => {
  const vectors = [{ id: "a", input: { chunks: ["x"] }, expected: { stored: "x", note: "why" } }];
  const [vector] = parseVectors({ groups: [{ component: "protocol.stream", vectors }] }, "here");
  assertEquals(vector?.expected, { stored: "x" });
});

Deno.test("allAdapters() refuses a component that has two", () => {
  throws(() => allAdapters([ADAPTERS, ADAPTERS]), /Two adapters for "text\.length"/);
});
