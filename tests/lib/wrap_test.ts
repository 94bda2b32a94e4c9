import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { textWidth } from "@/lib/width.ts";
import { breakRows, cellsOf, wrapText } from "@/lib/wrap.ts";

Deno.test("wrapText() breaks each script where its readers expect it", () => {
  const cases: readonly { text: string; width: number; rows: readonly string[] }[] = [
    // Korean between words, never inside one.
    {
      text: "확인했습니다 그리고 동점 처리를 고쳤습니다.",
      width: 12,
      rows: ["확인했습니다", "그리고 동점", "처리를", "고쳤습니다."],
    },
    // Han and Kana between characters, never before closing or after opening punctuation.
    {
      text: "日本語のテスト、です。これは「引用」です。",
      width: 9,
      rows: ["日本語の", "テスト、", "です。こ", "れは「引", "用」で", "す。"],
    },
    { text: "他说：“好的”。", width: 8, rows: ["他说：", "“好的”。"] },
    { text: "The quick (brown) fox", width: 10, rows: ["The quick", "(brown)", "fox"] },
    { text: "a well-known --flag", width: 7, rows: ["a well-", "known", "--flag"] },
    { text: "x = 3.14, done", width: 8, rows: ["x =", "3.14,", "done"] },
    { text: "aaaa  bbbb", width: 4, rows: ["aaaa", "bbbb"] },
    { text: "", width: 5, rows: [""] },
    { text: "one\n\ntwo", width: 5, rows: ["one", "", "two"] },
  ];
  for (const { text, width, rows } of cases) equal(wrapText(text, width), rows);
});

Deno.test("wrapText() cuts a word that is longer than the row", () => {
  equal(wrapText("supercalifragilistic", 8), ["supercal", "ifragili", "stic"]);
  equal(wrapText("가나다라마바사", 9), ["가나다라", "마바사"]);
  equal(wrapText("한", 1), ["한"]);
});

Deno.test("wrapText() carries styles and links over to the next row and ends them on each", () => {
  equal(wrapText("\x1b[1mbold text\x1b[0m on", 5), [
    "\x1b[1mbold\x1b[0m",
    "\x1b[1mtext\x1b[0m",
    "on",
  ]);
  const link = "\x1b]8;;https://a.example\x1b\\";
  equal(wrapText(`${link}two words\x1b]8;;\x1b\\`, 5), [
    `${link}two\x1b]8;;\x1b\\`,
    `${link}words\x1b]8;;\x1b\\`,
  ]);
});

Deno.test("wrapText() loses nothing but blanks at row ends, and no row is too wide", () => {
  const text = fc.string({
    unit: fc.constantFrom(
      "a",
      "b",
      " ",
      "-",
      ".",
      "한",
      "글",
      "日",
      "、",
      "。",
      "「",
      "」",
      "é",
      "👍",
    ),
    maxLength: 60,
  });
  fc.assert(fc.property(text, fc.integer({ min: 2, max: 20 }), (given, width) => {
    const rows = wrapText(given, width);
    equal(rows.join("").replaceAll(" ", ""), given.replaceAll(" ", ""));
    ok(rows.every((row) => textWidth(row.trimEnd()) <= width), JSON.stringify(rows));
  }));
});

Deno.test("breakRows() covers every cell once, in order", () => {
  fc.assert(fc.property(
    fc.string({ unit: "grapheme", maxLength: 50 }),
    fc.integer({ min: 1, max: 12 }),
    (given, width) => {
      const cells = cellsOf(given);
      const rows = breakRows(cells, width);
      equal(rows[0]?.start, 0);
      equal(rows.at(-1)?.end, cells.length);
      rows.slice(1).forEach(({ start }, at) => equal(start, rows[at]?.end));
    },
  ));
});
