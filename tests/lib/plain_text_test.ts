import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { BoundedText } from "@/lib/bounded_text.ts";
import { plainText } from "@/lib/plain_text.ts";

Deno.test("plainText() shows what a terminal would", () => {
  const cases: [string, string][] = [
    ["plain\n", "plain\n"],
    ["\x1b[31mred\x1b[0m \x1b[1;4mx\x1b[m", "red x"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["10%\r50%\r100%\n", "100%\n"],
    ["long line\rab\n", "abng line\n"],
    ["\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "textlink"],
    ["abc\b\bX\n", "aX\n"],
    ["\x1b[?25l\x1b[2K\x1b[1Ghi\x1b(B", "hi"],
    ["tab\there", "tab\there"],
    ["\x07ring\x00noise\x7f\x1e", "ring\ufffdnoise\ufffd\ufffd"],
  ];
  for (const [text, expected] of cases) equal(plainText(text), expected, JSON.stringify(text));
});

Deno.test("BoundedText keeps beginning and end, and says what is missing", () => {
  const text = new BoundedText(30);
  for (let n = 0; n < 100; n += 1) text.add(`${n % 10}`);
  equal(text.end, "0123456789".repeat(10).slice(-(text.end.length)));
  equal(text.take(), `0123456789\n[70 characters left out]\n${"0123456789".repeat(2)}`);
  equal(text.take(), "");
});

Deno.test("BoundedText keeps as much of the beginning as it is told", () => {
  const text = new BoundedText(30, 2 / 3);
  text.add("x".repeat(25) + "y".repeat(25));
  equal(text.take(), `${"x".repeat(20)}\n[20 characters left out]\n${"y".repeat(10)}`);
});

Deno.test("BoundedText loses nothing that fits", () => {
  fc.assert(fc.property(fc.array(fc.string({ maxLength: 8 }), { maxLength: 8 }), (pieces) => {
    const text = new BoundedText(64);
    for (const piece of pieces) text.add(piece);
    equal(text.take(), pieces.join("").toWellFormed());
  }));
});

Deno.test("plainText() settles lines that were written over as a terminal does, however often", () => {
  equal(plainText(`${"\r".repeat(200_000)}x`), "x");
  equal(plainText(`${"x".repeat(100_000)}${"\ra".repeat(100_000)}\r`), `a${"x".repeat(99_999)}`);
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\r"), maxLength: 20 });
  fc.assert(fc.property(piece, (line) => {
    const cells: string[] = [];
    let column = 0;
    for (const char of line) {
      if (char === "\r") column = 0;
      else cells[column++] = char;
    }
    equal(plainText(line), cells.join(""));
  }));
});
