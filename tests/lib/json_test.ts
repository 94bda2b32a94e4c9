import { deepStrictEqual as equal } from "node:assert/strict";
import { isObject, jsonFaultPlace, parsedJson } from "@/lib/json.ts";

Deno.test("parsedJson() is the value of a JSON text, and nothing for any other", () => {
  equal(parsedJson('{"a": [1, null]}'), { a: [1, null] });
  equal([parsedJson("{a: 1}"), parsedJson(""), parsedJson('{"a":')], Array(3).fill(undefined));
});

Deno.test("jsonFaultPlace() says where, and never what stands there", () => {
  const fault = (text: string) => {
    try {
      JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return jsonFaultPlace(error);
    }
    return "no fault";
  };
  equal(fault('{\n "key" "sk-secret"}'), "line 2 column 8");
  // V8 names no place in a short text that it would rather quote whole.
  equal(fault('{"key": sk-secret}'), undefined);
});

Deno.test("isObject() takes no list, no null and no function", () => {
  equal([{}, { a: 1 }, [], null, undefined, "x", 1, () => 0].map(isObject), [
    ...[true, true],
    ...Array(6).fill(false),
  ]);
});
