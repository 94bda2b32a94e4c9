import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { jsonBody } from "@/provider/json_body.ts";

Deno.test("jsonBody() writes half a character as a replacement and leaves everything else", () => {
  const cases: [unknown, string][] = [
    ["a\ud800b", '"a\\ufffdb"'],
    ["\udc00", '"\\ufffd"'],
    ["\ud83d\ude00", '"😀"'],
    ["\\ud800", '"\\\\ud800"'],
    ["\\\ud800", '"\\\\\\ufffd"'],
    ["\u001b\ud7ff\ue000", '"\\u001b\ud7ff\ue000"'],
    [{ "k\udfff": 1 }, '{"k\\ufffd":1}'],
  ];
  for (const [value, text] of cases) equal(jsonBody(value), text);
});

Deno.test("jsonBody() is what JSON.stringify writes for whole characters, and always well-formed", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    equal(jsonBody({ text }), JSON.stringify({ text }));
  }));
  const halves = fc.array(fc.constantFrom("\ud800", "\udc00", "\\", '"', "u", "d800", "x")).map((
    units,
  ) => units.join(""));
  fc.assert(fc.property(halves, (text) => {
    const read = JSON.parse(jsonBody(text));
    ok(read.isWellFormed());
    equal(read, text.toWellFormed());
  }));
});
