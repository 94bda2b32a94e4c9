import { deepStrictEqual as equal } from "node:assert/strict";
import { parsedJsonc } from "@/lib/jsonc.ts";

Deno.test("parsedJsonc() reads comments and commas at the end, and no text that never ends", () => {
  const text = `\ufeff{ // a\n "b//": [1, /* c */ 2, ], /* d */ "e\\"": ",]", }`;
  equal(parsedJsonc(text), { "b//": [1, 2], 'e"': ",]" });
  equal(parsedJsonc(`{"a": 1, /* , ] */ "b": 2 /* c */ }`), { a: 1, b: 2 });
  for (const open of ["{} /* a", "{} /*/", '{"a": "b']) equal(parsedJsonc(open), undefined);
});

Deno.test("parsedJsonc() looks once at a string or comment that never ends", () => {
  equal(parsedJsonc(`"${`\\"`.repeat(200_000)}`), undefined);
  equal(parsedJsonc(`{}${" /* ".repeat(200_000)}`), undefined);
});
