import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { decode, decodeLine } from "@/lib/encoding.ts";
import {
  endingOf,
  endsWithNewline,
  parseText,
  prevailingEnding,
  printText,
  splitLines,
} from "@/workspace/text_file.ts";
import { arbitraryFile } from "../support/arbitrary_text_bytes.ts";
import { bytesOf } from "../support/file_place.ts";

Deno.test("printText() gives back the bytes that parseText() was given, whatever they are", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    equal([...printText(parseText(bytes))], [...bytes]);
  }));
  fc.assert(fc.property(arbitraryFile, ({ file }) => {
    equal([...printText(file)], [...file.bytes]);
  }));
});

Deno.test("parseText() has as many texts as lines, and each line decodes to its text", () => {
  fc.assert(
    fc.property(arbitraryFile, ({ file }) => {
      const { bytes, lines, texts, encoding } = file;
      equal(texts.length, lines.length);
      lines.forEach(({ start, end }, index) => {
        const line = bytes.subarray(start, end);
        // UTF-16 with half a unit at its end cannot be followed by a newline.
        const isHalf = encoding.startsWith("utf-16") && line.length % 2 === 1;
        equal(isHalf ? decode(line, encoding) : decodeLine(line, encoding), texts[index]);
      });
    }),
    { numRuns: 300 },
  );
});

Deno.test("parseText() ends a line at LF, CRLF and a lone CR, and knows which", () => {
  const file = parseText(bytesOf("a\nb\r\nc\rd"));
  equal(file.texts, ["a", "b", "c", "d"]);
  equal([1, 2, 3, 4].map((line) => endingOf(file, line)), ["\n", "\r\n", "\r", undefined]);
  ok(!endsWithNewline(file));
});

Deno.test("parseText() shows an empty last line behind a final newline, and one line for an empty file", () => {
  equal(parseText(bytesOf("a\n")).texts, ["a", ""]);
  ok(endsWithNewline(parseText(bytesOf("a\n"))));
  equal(parseText(bytesOf("")).texts, [""]);
  ok(!endsWithNewline(parseText(bytesOf(""))));
});

Deno.test("parseText() does not end lines at other separators of Unicode", () => {
  equal(parseText(bytesOf("a\u2028b\u0085c\fd\n")).texts, ["a\u2028b\u0085c\fd", ""]);
});

Deno.test("prevailingEnding() is the commonest one, the first on a tie, and none without lines", () => {
  equal(prevailingEnding(parseText(bytesOf("a\r\nb\nc\r\n"))), "\r\n");
  equal(prevailingEnding(parseText(bytesOf("a\nb\r\n"))), "\n");
  equal(prevailingEnding(parseText(bytesOf("a"))), undefined);
});

Deno.test("splitLines() splits a text as parseText() splits a file", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\n", "\r", "é"), { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      equal(splitLines(text), [...parseText(bytesOf(text)).texts]);
    }),
  );
});
