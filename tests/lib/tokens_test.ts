import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import {
  estimateTokens,
  learnCorrection,
  promptBudget,
  rawTokens,
  replyTokens,
  trimMiddle,
  wideChars,
} from "@/lib/tokens.ts";

Deno.test("estimateTokens() counts wide characters by two and others by four", () => {
  equal(estimateTokens("abcdefgh"), 2);
  equal(estimateTokens("안녕하세"), 2);
  equal(estimateTokens("カタカナ漢字ａ１"), 4);
  equal(estimateTokens("𠮷𠮷"), 1, "a character outside the basic plane is one");
  equal(estimateTokens("😀😀😀😀"), 1);
  equal(estimateTokens("abcdefgh", 1.5), 3);
  equal(estimateTokens(""), 0);
});

Deno.test("wideChars() counts each script it is said to count", () => {
  const cases: [string, number][] = [
    ["한글", 2],
    ["ㅋㅋ", 2],
    ["ひらがな", 4],
    ["、。", 2],
    ["Ω≈ж", 0],
    ["\ud800", 0],
  ];
  for (const [text, count] of cases) equal(wideChars(text), count, text);
});

Deno.test("replyTokens() is what the model is allowed, and no more than a quarter of the window", () => {
  equal(replyTokens(65_536, 6_144), 6_144);
  equal(replyTokens(8_192, 6_144), 2_048);
});

Deno.test("promptBudget() leaves room for the reply", () => {
  equal(promptBudget(65_536, 6_144), 49_561);
});

Deno.test("learnCorrection() takes the first sample whole and weighs later ones", () => {
  const first = learnCorrection(undefined, { reportedTokens: 150, rawTokens: 100 });
  equal(first, 1.5);
  equal(learnCorrection(first, { reportedTokens: 100, rawTokens: 100 }), 1.35);
});

Deno.test("learnCorrection() ignores samples that cannot be right", () => {
  const bad = [
    { reportedTokens: 0, rawTokens: 100 },
    { reportedTokens: 5_000, rawTokens: 0.5 },
    { reportedTokens: 999_999, rawTokens: 100 },
    { reportedTokens: 20, rawTokens: 100 },
    { reportedTokens: NaN, rawTokens: 100 },
    { reportedTokens: 100, rawTokens: NaN },
  ];
  for (const sample of bad) {
    equal(learnCorrection(undefined, sample), undefined);
    equal(learnCorrection(1.2, sample), 1.2);
  }
});

Deno.test("trimMiddle() keeps both ends and says what it left out", () => {
  const text = "a".repeat(60) + "b".repeat(80) + "c".repeat(60);
  equal(
    trimMiddle(text, 100),
    `${"a".repeat(60)}${"b".repeat(5)}\n[... 100 characters omitted here ...]\n${"c".repeat(35)}`,
  );
  equal(trimMiddle("short", 5), "short");
});

Deno.test("trimMiddle() never splits a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (text, max) => {
      ok(trimMiddle(text, max).isWellFormed() || !text.isWellFormed());
    }),
  );
});

Deno.test("rawTokens() of a joined text is the sum of its parts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      equal(rawTokens(a) + rawTokens(b), rawTokens(a + b));
    }),
  );
});
