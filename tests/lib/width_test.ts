import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { cutToWidth, expandTabs, graphemes, textWidth, withoutStyles } from "@/lib/width.ts";

Deno.test("textWidth() counts cells as terminals do, in every script", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["추측:", 5],
    ["웹 검색 랭킹 개선", 17],
    ["\u1112\u1161\u11ab\u1100\u1173\u11af", 4], // decomposed Hangul
    ["日本語、テスト。", 16],
    ["e\u0301", 1],
    ["👨‍👩‍👧‍👦", 2],
    ["🇰🇷", 2],
    ["👍🏽", 2],
    ["❤\ufe0f", 2],
    ["1\ufe0f\u20e3", 2],
    ["नमस्ते", 4],
    ["✅", 2],
    ["①·─", 3],
    ["❯▸▾✓✗◆│…⠋", 9],
    ["", 0],
    ["a\u200bb", 2],
    ["\u{20000}", 2],
  ];
  equal(
    cases.map(([text]) => [text, textWidth(text)]),
    cases.map(([text, width]) => [text, width]),
  );
});

Deno.test("graphemes() cuts simple scripts apart as the rules of Unicode do", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const unit = fc.constantFrom(
    ...["a", " ", "é", "가", "힣", "漢", "㐀", "ア", "ぱ", "ー", "、", "！", "─", "…"],
    ...["\u0301", "\u11a8", "\u3099", "\u200d", "\ufe0f", "\u1100", "👍", "\r", "\n", "©"],
  );
  fc.assert(fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
    equal([...graphemes(text)], [...segmenter.segment(text)].map(({ segment }) => segment));
  }));
  // Whatever stands in the ranges that are cut by character joins with nothing else of them.
  for (
    const [from, to] of [[0x3001, 0x3003], [0x3008, 0x3011], [0x3041, 0x3096], [0x30a1, 0x30fe], [
      0xff01,
      0xff60,
    ]] as const
  ) {
    const text = Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at))
      .join("");
    equal([...graphemes(text)], [...segmenter.segment(text)].map(({ segment }) => segment));
  }
});

Deno.test("textWidth() takes no cells for our own styles and links", () => {
  equal(textWidth("\x1b[1;31mred\x1b[0m \x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\"), 8);
});

Deno.test("cutToWidth() never returns more cells than asked for, and keeps what fits", () => {
  fc.assert(fc.property(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.integer({ min: 0, max: 30 }),
    (text, width) => {
      const cut = cutToWidth(text, width);
      ok(textWidth(cut) <= width);
      if (textWidth(text) <= width) equal(cut, text);
    },
  ));
});

Deno.test("cutToWidth() ends the styles of what it cuts", () => {
  equal(cutToWidth("\x1b[31m한국어 문장\x1b[0m", 6), "\x1b[31m한국\x1b[0m…");
  equal(withoutStyles("\x1b[31m한\x1b[0m"), "한");
});

Deno.test("expandTabs() goes to the next stop, counted in cells", () => {
  equal(expandTabs("a\tb\t한\tc"), "a       b       한      c");
  equal(expandTabs("no tab"), "no tab");
});

Deno.test("graphemes() gives back the whole text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => [...graphemes(text)].join("") === text),
  );
});
