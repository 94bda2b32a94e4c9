import { deepStrictEqual as equal } from "node:assert/strict";
import { nearMiss } from "@/workspace/miss.ts";

type Case = { name: string; texts: string[]; wanted: string; from: number; difference: string };

const CASES: readonly Case[] = [
  {
    name: "a tab against spaces",
    texts: ["all:", "\tcc x.c"],
    wanted: "all:\n    cc x.c",
    from: 1,
    difference:
      "line 2, column 1: the file has a tab (U+0009), old_content has a space (U+0020) (tab against spaces)",
  },
  {
    name: "spaces against a tab, in a part of a line",
    texts: ["x = a  b;", "y"],
    wanted: "a\tb",
    from: 1,
    difference:
      "line 1, column 6: the file has a space (U+0020), old_content has a tab (U+0009) (tab against spaces)",
  },
  {
    name: "a curly quotation mark",
    texts: ["x", "say(\u201chi\u201d)"],
    wanted: 'say("hi")',
    from: 2,
    difference: "line 2, column 5: the file has a left double quotation mark (U+201C), " +
      "old_content has a straight quotation mark (U+0022)",
  },
  {
    name: "a no-break space in a part of a line",
    texts: ["    total =\u00a0price * 2"],
    wanted: "total = price",
    from: 1,
    difference:
      "line 1, column 12: the file has a no-break space (U+00A0), old_content has a space (U+0020)",
  },
  {
    name: "a decomposed letter",
    texts: ["# cafe\u0301 au lait"],
    wanted: "# café au lait",
    from: 1,
    difference: 'line 1, column 6: the file composes "é" as NFD, old_content as NFC',
  },
  {
    name: "a composed letter",
    texts: ["# café au lait"],
    wanted: "# cafe\u0301 au lait",
    from: 1,
    difference: 'line 1, column 6: the file composes "é" as NFC, old_content as NFD',
  },
  {
    name: "trailing blanks",
    texts: ["a = 1  ", "b = 2"],
    wanted: "a = 1\nb = 2",
    from: 1,
    difference:
      "line 1, column 6: the file has 2 blanks at the end of the line, old_content no blanks",
  },
  {
    name: "another word in the second line",
    texts: ["def f():", "    return total", ""],
    wanted: "def f():\n    return totals",
    from: 1,
    difference: 'line 2, column 17: the file has the end of the line, old_content has "s" (U+0073)',
  },
  {
    name: "a line that is only alike",
    texts: ["import os", "result = compute(alpha, beta)", "print(result)"],
    wanted: "result = compute(alpha, betta)",
    from: 2,
    difference: 'line 2, column 28: the file has "a" (U+0061), old_content has "t" (U+0074)',
  },
  {
    name: "a character outside the basic plane, counted as one column",
    texts: ["😀😀 x = 1"],
    wanted: "😀😀 x = 2",
    from: 1,
    difference: 'line 1, column 8: the file has "1" (U+0031), old_content has "2" (U+0032)',
  },
  {
    name: "a file that ends too early",
    texts: ["a = 1", "b = 2"],
    wanted: "a = 1\nb = 2\nc = 3",
    from: 1,
    difference: "the file ends before line 3",
  },
];

for (const { name, texts, wanted, from, difference } of CASES) {
  Deno.test(`nearMiss() names ${name}`, () => {
    const miss = nearMiss(texts, wanted);
    equal([miss?.from, miss?.difference], [from, difference]);
  });
}

Deno.test("nearMiss() finds nothing where nothing is near, and nothing in blanks", () => {
  equal(nearMiss(["alpha", "beta"], "zzzzzz qqqq"), undefined);
  equal(nearMiss(["alpha", "", "beta"], "\n  \n"), undefined);
  equal(nearMiss([""], "x"), undefined);
});

Deno.test("nearMiss() takes the place where most lines fit", () => {
  const texts = ["if a:", "    x()", "", "if a:", "    x()", "    y()", "    z()"];
  const miss = nearMiss(texts, "if a:\n    x()\n    y()\n    zz()");
  equal([miss?.from, miss?.to], [4, 7]);
});

Deno.test("nearMiss() tells places apart by the line that differs, where the others stand everywhere", () => {
  const texts = ["/**", " * one", " */", "/**", " * the other thing", " */"];
  const miss = nearMiss(texts, "/**\n * the othar thing\n */");
  equal([miss?.from, miss?.to], [4, 6]);
});

Deno.test("nearMiss() does not take long over a large file", () => {
  const texts = Array.from({ length: 50_000 }, (_, index) => `line number ${index} of a long file`);
  const start = performance.now();
  nearMiss(texts, "something entirely different\nfrom all of it");
  const ms = performance.now() - start;
  equal(ms < 60_000, true, `${ms} ms`);
});
