import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { withoutStyles } from "@/lib/width.ts";
import { lineHighlighter } from "@/terminal/full/view/highlight.ts";
import { registers } from "@/terminal/full/view/registers.ts";

/** Names of styles instead of codes, so that a failure can be read. */
const look = registers({ colored: true });
const CODES: Readonly<Record<string, string>> = {
  "90": "c",
  "31": "-",
  "32": "s",
  "33": "n",
  "34": "f",
  "35": "k",
  "36": "t",
};

function painted(language: string, lines: readonly string[]): string[] {
  const painter = lineHighlighter(language, look);
  ok(painter !== undefined, language);
  return lines.map((line) =>
    painter.line(line).replaceAll(
      /\x1b\[(\d+)m(.*?)\x1b\[0m/g,
      (_, code, text) => `‹${CODES[code]} ${text}›`,
    )
  );
}

Deno.test("LineHighlighter goes on inside comments, strings and tags that span lines", () => {
  equal(painted("ts", ["/* a", " const b", " */ const c = `x", "y ${1} z`; // d"]), [
    "‹c /* a›",
    "‹c  const b›",
    "‹c  */› ‹k const› c = ‹s `x›",
    "‹s y ›${‹n 1›}‹s  z`›; ‹c // d›",
  ]);
  equal(painted("python", ['"""a', "def b", '"""', "def c(): pass"]), [
    '‹s """a›',
    "‹s def b›",
    '‹s """›',
    "‹k def› ‹f c›(): ‹k pass›",
  ]);
  equal(painted("html", ["<script>", "const a = 1;", "</script>", "<b>x</b>"]), [
    "<‹f script›>",
    "‹k const› a = ‹n 1›;",
    "</‹f script›>",
    "<‹f b›>x</‹f b›>",
  ]);
});

Deno.test("lineHighlighter() knows the names that models write, in any case", () => {
  for (const name of ["TypeScript", "js", "sh", "c++", "toml", "yml", "console", "HTML", "rs"]) {
    ok(lineHighlighter(name, look) !== undefined, name);
  }
  for (const name of ["", "nosuch", "toString", "constructor", "__proto__"]) {
    equal(lineHighlighter(name, look), undefined, name);
  }
});

Deno.test("LineHighlighter never changes what it colours", () => {
  const language = fc.constantFrom(
    "ts",
    "python",
    "bash",
    "html",
    "php",
    "rust",
    "sql",
    "diff",
    "css",
  );
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom("/*", "*/", '"""', "'", "`${", "<script>", "</b>", "&lt;", "<?php", "#", "=>"),
  );
  fc.assert(
    fc.property(language, fc.array(line, { maxLength: 12 }), (name, lines) => {
      const painter = lineHighlighter(name, look);
      equal(lines.map((one) => withoutStyles(painter?.line(one) ?? "")), lines);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("LineHighlighter leaves a very long line as it is", () => {
  const line = "const a = 1; ".repeat(500);
  equal(painted("ts", [line]), [line]);
});

Deno.test("LineHighlighter knows after thousands of lines that it is inside of a comment", () => {
  const painter = lineHighlighter("ts", look);
  painter?.line("/*");
  for (let at = 0; at < 3_000; at++) painter?.line("   a line of a comment that goes on");
  equal(painter?.line("still"), "\u001b[90mstill\u001b[0m");
});
