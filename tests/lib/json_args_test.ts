import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { readArguments } from "@/lib/json_args.ts";

Deno.test("readArguments() reads nothing at all as an object without members", () => {
  for (const raw of [undefined, null, "", "  \n", "{}", "null", '""', {}]) {
    equal(readArguments(raw), { input: {} }, JSON.stringify(raw));
  }
});

Deno.test("readArguments() takes an object as it is and reads the text of one", () => {
  equal(readArguments({ a: 1 }), { input: { a: 1 } });
  equal(readArguments('{"a": 1}'), { input: { a: 1 } });
  equal(readArguments('"{\\"a\\": 1}"'), { input: { a: 1 } });
});

Deno.test("readArguments() hands back what is no JSON as raw text with the damage named", () => {
  for (const raw of ['{"file', "{'a': 1}", '{"a": 1,}', '{"a": 1} {"b": 2}', "read the file"]) {
    const { input, damage } = readArguments(raw);
    equal(input, raw);
    match(damage ?? "", /^its arguments are not valid JSON \(/);
    ok(damage?.includes(raw));
  }
});

Deno.test("readArguments() refuses JSON that is no object", () => {
  equal(readArguments("[1]"), {
    input: "[1]",
    damage: "its arguments are a list, not a JSON object: [1]",
  });
  equal(readArguments(7), { input: 7, damage: "its arguments are a number, not a JSON object: 7" });
  equal(readArguments('"words"').input, '"words"');
  ok(readArguments('"words"').damage);
});

Deno.test("readArguments() shortens what it shows of a long text, never what it hands back", () => {
  const raw = '{"content": "' + "x".repeat(5_000);
  const { input, damage } = readArguments(raw);
  equal(input, raw);
  ok((damage ?? "").length < 400);
});

Deno.test("readArguments() reads every object that was written as JSON", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const text = JSON.stringify(value);
    equal(readArguments(text), { input: JSON.parse(text) });
  }));
});
