import { equal } from "node:assert";
import { fc } from "../support/property.ts";
import { hasHidden, visible } from "@/lib/visible.ts";

Deno.test("visible() draws what a terminal acts on and what cannot be seen", () => {
  const cases: readonly [text: string, shown: string][] = [
    ["a\x1b[2Kb", "a\\x1b[2Kb"],
    ["\x07\x00\x7f\x9b", "\\x07\\x00\\x7f\\x9b"],
    ["a\rb", "a\\rb"],
    ["git status '\u202e'; x", "git status '\\u{202e}'; x"],
    ["\u2066a\u2069", "\\u{2066}a\\u{2069}"],
    ["pay\u200bpal\u00ad", "pay\\u{200b}pal\\xad"],
    ["x\u{e0041}\u{e007f}", "x\\u{e0041}\\u{e007f}"],
    ["\ufefftext\u2028", "\\u{feff}text\\u{2028}"],
    ["\u3164\u115f\u2800", "\\u{3164}\\u{115f}\\u{2800}"],
    ["a\ud800b", "a\\u{d800}b"],
    ["a\u{e0100}", "a\\u{e0100}"],
  ];
  for (const [text, shown] of cases) equal(visible(text), shown);
});

Deno.test("visible() leaves writing of all kinds, emoji and line ends as they are", () => {
  for (
    const text of [
      "가격 = 1200\n\tcount",
      "naïve café",
      "日本語　全角",
      "👩‍💻 ❤️ 👍🏽 1️⃣",
      "שלום عربي",
      "a\u00a0b",
    ]
  ) equal(visible(text), text);
});

Deno.test("visible() draws line ends and odd blanks when asked to", () => {
  equal(visible("a\n\tb\r\n", { oneLine: true }), "a\\n\\tb\\r\\n");
  equal(visible("rm\u00a0x\u2003y　z", { oddSpaces: true }), "rm\\xa0x\\u{2003}y　z");
});

Deno.test("visible() draws a joiner that joins no pictures", () => {
  equal(visible("a\u200db"), "a\\u{200d}b");
  equal(visible("a\ufe0fb"), "a\\u{fe0f}b");
});

Deno.test("hasHidden() says whether anything would be drawn as an escape", () => {
  equal(hasHidden("git log\n\tx"), false);
  equal(hasHidden("git\u00a0log"), true);
  equal(hasHidden("ls\r"), true);
});

Deno.test("visible() never lets a control or direction character through", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    // deno-lint-ignore no-control-regex -- these are what must not be there
    equal(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(visible(text)), false);
  }));
});
