import assert from "node:assert/strict";
import { fc } from "../support/property.ts";
import { coerceInput, coerceValue } from "@/lib/coerce.ts";

const SCHEMA = {
  type: "object",
  properties: {
    filepath: { type: "string" },
    start: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    paths: { type: "array", items: { type: "string" } },
    limits: { type: "object", properties: { rows: { type: "integer" } } },
    either: { type: ["string", "integer"] },
    maybe: { anyOf: [{ type: "integer" }, { type: "null" }] },
    level: { enum: [1, 2, 3] },
  },
  required: ["filepath"],
};

const CASES: readonly (readonly [string, unknown, unknown])[] = [
  ["digits for an integer", { start: "3" }, { start: 3 }],
  ["digits with blanks", { start: " -12 " }, { start: -12 }],
  ["a decimal for an integer stays", { start: "3.5" }, { start: "3.5" }],
  ["a decimal for a number", { ratio: "0.25" }, { ratio: 0.25 }],
  ["leading zeros are no number", { start: "007" }, { start: "007" }],
  ["more digits than a number holds", { start: "90071992547409931" }, {
    start: "90071992547409931",
  }],
  ["hexadecimal is no number", { start: "0x1f" }, { start: "0x1f" }],
  ["an empty text is no number", { start: "" }, { start: "" }],
  ["true", { deep: "true" }, { deep: true }],
  ["False as Python writes it", { deep: "False" }, { deep: false }],
  ["yes is no boolean", { deep: "yes" }, { deep: "yes" }],
  ["1 is no boolean", { deep: "1" }, { deep: "1" }],
  ["a JSON text for a list", { paths: '["a.ts", "b.ts"]' }, { paths: ["a.ts", "b.ts"] }],
  ["a plain text for a list stays", { paths: "a.ts" }, { paths: "a.ts" }],
  ["a JSON text for an object, and what is in it", { limits: '{"rows": "5"}' }, {
    limits: { rows: 5 },
  }],
  ["a JSON list for an object stays", { limits: "[1]" }, { limits: "[1]" }],
  ["digits for a text stay", { filepath: "42" }, { filepath: "42" }],
  ["JSON for a text stays", { filepath: "[1, 2]" }, { filepath: "[1, 2]" }],
  ["the word null for a text stays", { filepath: "null" }, { filepath: "null" }],
  ["digits where a text would do stay", { either: "7" }, { either: "7" }],
  ["digits where null would do too", { maybe: "7" }, { maybe: 7 }],
  ["the word null where null is taken", { maybe: "null" }, { maybe: null }],
  ["null where it is taken stays", { maybe: null }, { maybe: null }],
  ["null for an optional member is no member", { start: null, deep: null }, {}],
  ["null for a required member stays", { filepath: null }, { filepath: null }],
  ["digits for numbers listed one by one", { level: "2" }, { level: 2 }],
  ["a member that the schema does not know stays", { other: "3" }, { other: "3" }],
  ["a number for a text stays", { filepath: 3 }, { filepath: 3 }],
];

for (const [what, input, expected] of CASES) {
  Deno.test(`coerceInput() with ${what}`, () => {
    assert.deepEqual(coerceInput(input, SCHEMA), expected);
  });
}

Deno.test("coerceInput() reads no arguments, blank ones and encoded ones", () => {
  for (const nothing of [undefined, null, "", "  \n", "null"]) {
    assert.deepEqual(coerceInput(nothing, SCHEMA), {});
  }
  assert.deepEqual(coerceInput('{"start": "3"}', SCHEMA), { start: 3 });
  assert.deepEqual(coerceInput(JSON.stringify('{"filepath": "a"}'), SCHEMA), { filepath: "a" });
});

Deno.test("coerceInput() hands back what can be no arguments", () => {
  for (const other of ["read a.ts", "[1]", 3, [1], true]) {
    assert.deepEqual(coerceInput(other, SCHEMA), other);
  }
});

Deno.test("coerceInput() keeps a member named __proto__ a member", () => {
  const result = coerceInput('{"__proto__": {"x": 1}}', SCHEMA);
  assert.deepEqual(Object.keys(result as object), ["__proto__"]);
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

Deno.test("coerceValue() leaves alone what the schema does not type", () => {
  for (const schema of [undefined, {}, true, { description: "any" }]) {
    assert.equal(coerceValue("3", schema), "3");
  }
});

Deno.test("coerceValue() never touches a text where the schema takes a text", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    assert.equal(coerceValue(text, { type: "string" }), text);
    assert.equal(coerceValue(text, { type: ["string", "null"] }), text);
  }));
});

Deno.test("coerceValue() leaves fitting values as they are", () => {
  const whole = { type: "object", additionalProperties: { type: ["number", "array", "boolean"] } };
  const member = fc.oneof(fc.double({ noNaN: true }), fc.boolean(), fc.array(fc.integer()));
  fc.assert(fc.property(fc.dictionary(fc.string(), member), (value) => {
    assert.deepEqual(coerceValue(value, whole), { ...value });
  }));
});
