import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { cleanTitle, idsInOrder, isIdOf, slugOf, timestampId } from "@/session/title.ts";

Deno.test("cleanTitle() takes off what models put around a title", () => {
  const cases: readonly [raw: string, title: string][] = [
    ['**Title: "Fix parser"**', "Fix parser"],
    ["### 제목: 웹 검색 개선。", "웹 검색 개선"],
    ["1. Fix parser", "Fix parser"],
    ["<think>hm\n\nFix it</think>Fix parser", "Fix parser"],
    ["the user wants a title</think>\nFix parser", "Fix parser"],
    ["Fix parser\n<think>was that good", "Fix parser"],
    ['<tool_call>\n{"name": "x"}\n</tool_call>\nFix parser', "Fix parser"],
    ["“Fix parser”", "Fix parser"],
    ["Fix parser\n```", "Fix parser"],
    ["Don't panic", "Don't panic"],
    ["C# in 3 steps?", "C# in 3 steps"],
    ["\u001b[31mRed\u001b[0m \u202eflip", "[31mRed[0m flip"],
    ["🎉", "🎉"],
    ["   \n\t", ""],
    ["...", ""],
  ];
  for (const [raw, title] of cases) equal(cleanTitle(raw), title, JSON.stringify(raw));
});

Deno.test("cleanTitle() cuts between characters", () => {
  equal(cleanTitle("🎉".repeat(70)), "🎉".repeat(60));
  equal(cleanTitle("word ".repeat(20), 12), "word word wo");
});

Deno.test("cleanTitle() leaves one short line without control characters, whatever it is given", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (raw) => {
    const title = cleanTitle(raw);
    ok(Array.from(title).length <= 60);
    equal(title, title.trim());
    ok(!/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u.test(title));
  }));
});

Deno.test("cleanTitle() removes what moves the cursor or turns text around", () => {
  equal(cleanTitle("a\u001b[2Jb\u009bd\u202ee\u200bf\u0007"), "a[2Jbdef");
});

Deno.test("slugOf() keeps letters, digits and marks of every script", () => {
  const cases: readonly [title: string, slug: string][] = [
    ["हिन्दी शीर्षक", "हिन्दी-शीर्षक"],
    ["cafe\u0301", "caf\u00e9"],
    ["..\\..\\etc/passwd", "etc-passwd"],
    ["-rf /", "rf"],
    ["com1", "com1-session"],
    ["COM¹", "com¹-session"],
    ["nul.txt", "nultxt"],
    ["\u0301abc", "abc"],
    ["---", ""],
    ["../", ""],
  ];
  for (const [title, slug] of cases) equal(slugOf(title), slug, title);
});

Deno.test("slugOf() stays within what a file name may have, however long it is allowed to be", () => {
  equal(slugOf("한".repeat(300), 1_000), "한".repeat(66));
  equal(slugOf("x".repeat(300), 1_000), "x".repeat(200));
  equal(slugOf("ab cd", 3), "ab");
  equal(slugOf("ab cd", 0), "");
});

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

Deno.test("slugOf() makes a name that every file system takes, or nothing", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.constantFrom("CON", "lpt9", "..")),
      (title) => {
        const slug = slugOf(title);
        ok(/^[\p{L}\p{M}\p{N}_-]*$/u.test(slug), slug);
        ok(!slug.startsWith("-") && !slug.endsWith("-") && !slug.includes("--"), slug);
        ok(!RESERVED.test(slug), slug);
        ok(new TextEncoder().encode(`${slug}-9999.torn-2026-03-04T050607Z-9999`).length < 255);
        equal(slugOf(slug), slug);
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("timestampId() is the local time", () => {
  equal(timestampId(new Date(2026, 0, 2, 3, 4, 5)), "20260102_030405");
});

Deno.test("idsInOrder() counts from 2", () => {
  equal([...idsInOrder("a")].slice(0, 3), ["a", "a-2", "a-3"]);
});

Deno.test("isIdOf() knows a slug with its counter from another slug", () => {
  equal(isIdOf("fix-parser", "fix-parser"), true);
  equal(isIdOf("fix-parser-12", "fix-parser"), true);
  equal(isIdOf("fix-parser-now", "fix-parser"), false);
  equal(isIdOf("fix-parsers", "fix-parser"), false);
  equal(isIdOf("20260102_030405", "fix-parser"), false);
});
