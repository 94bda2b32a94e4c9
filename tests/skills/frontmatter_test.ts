import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { readFrontmatter } from "@/skills/frontmatter.ts";
import { fc } from "../support/property.ts";

const fieldsOf = (head: string) =>
  Object.fromEntries(readFrontmatter(`---\n${head}\n---\nB`).fields);

const CASES: readonly [head: string, fields: Record<string, unknown>][] = [
  ["name: a", { name: "a" }],
  // YAML libraries throw on this one.
  ["description: Use when: asked", { description: "Use when: asked" }],
  ['Description: "a \\"b\\" # c" # note', { description: 'a "b" # c' }],
  ["d: 'it''s'", { d: "it's" }],
  ["d: plain # note\n# a whole line\ne: C# and F#", { d: "plain", e: "C# and F#" }],
  ["d: >\n  one\n  two\n\ne: x", { d: "one two", e: "x" }],
  ["d: |-\n  one\n    two\n", { d: "one\n  two" }],
  ["d: one\n  two", { d: "one two" }],
  ["d:\n- a\n  - 'b c'\n", { d: ["a", "b c"] }],
  ['d: [a, "b", c]', { d: ["a", "b", "c"] }],
  ["metadata:\n  author: me\nname: n", { metadata: "author: me", name: "n" }],
  ["url: http://a.example/x", { url: "http://a.example/x" }],
  ["\t: x\n: y\nnot a field\nname:", { name: "" }],
  ["__proto__: x", {}],
];

for (const [head, fields] of CASES) {
  Deno.test(`readFrontmatter() reads ${JSON.stringify(head)}`, () => equal(fieldsOf(head), fields));
}

Deno.test("readFrontmatter() takes a file without a closed head as body, and other line ends and a mark as none", () => {
  equal(readFrontmatter("---\nname: a\n").body, "---\nname: a\n");
  equal(readFrontmatter("text\n---\nname: a\n---\n").fields.size, 0);
  const read = readFrontmatter("\ufeff---\r\nname: a\r\n---\r\n\r\nBody\r\n");
  equal([read.fields.get("name"), read.body], ["a", "Body\n"]);
});

Deno.test("readFrontmatter() never throws, and keeps a quoted value as it was written", () =>
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    ok(readFrontmatter(text).fields instanceof Map);
    const quoted = JSON.stringify(text.replace(/[^ -~]/g, ""));
    equal(fieldsOf(`d: ${quoted}`), { d: JSON.parse(quoted) });
  })));
