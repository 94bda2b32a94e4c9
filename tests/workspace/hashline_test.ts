import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import {
  boundedRow,
  cutRow,
  fingerprint,
  listing,
  parseRow,
  row,
  stripPrefixes,
} from "@/workspace/hashline.ts";

const arbitraryLine = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n]/g, ""));

Deno.test("fingerprint() is the start of the MD5 of the line as it is, blanks and composition included", () => {
  equal(["", "x", "x ", "\tx", "café", "cafe\u0301"].map(fingerprint), [
    "d41",
    "9dd",
    "45b",
    "775",
    "071",
    "10a",
  ]);
});

Deno.test("parseRow() reads what row() prints", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1_000_000 }), arbitraryLine, (line, text) => {
    equal(parseRow(row({ line, text })), { line, hash: fingerprint(text), text });
  }));
});

Deno.test("parseRow() takes blanks around number and hash, and upper case, and keeps the text as it is", () => {
  equal(parseRow("  12 : 8E0 |  x | y  "), { line: 12, hash: "8e0", text: "  x | y  " });
  for (const text of ["12:8e0", "12|x", "12:8zz|x", "a12:8e0|x", "12:8e01|x", "12:8|x"]) {
    equal(parseRow(text), undefined, text);
  }
});

Deno.test("listing() numbers from where it is told", () => {
  equal(listing(["a", ""], 9), "9:0cc|a\n10:d41|");
});

Deno.test("cutRow() has no anchor that an edit would take", () => {
  const cut = cutRow({ line: 7, text: "x".repeat(50) }, { charsMax: 10, of: "50 characters" });
  equal(cut, "7:…|xxxxxxxxxx … (cut: the line has 50 characters)");
  equal(parseRow(cut), undefined);
  equal(boundedRow({ line: 7, text: "short" }, 10), row({ line: 7, text: "short" }));
  ok(!boundedRow({ line: 1, text: "😀".repeat(9) }, 5).includes("\ud83d "));
});

Deno.test("stripPrefixes() takes a listing's prefixes out when four of five rows have one", () => {
  equal(stripPrefixes("1:aaa|a\n2:bbb|b"), "a\nb");
  equal(stripPrefixes("1:aaa|a\n\n2:bbb|b\n"), "a\n\nb\n");
  equal(stripPrefixes("1:aaa|a\n2:bbb|b\n3:ccc|c\n4:ddd|d\nplain"), "a\nb\nc\nd\nplain");
  equal(stripPrefixes("5:0cc|a"), "a");
});

Deno.test("stripPrefixes() leaves alone what is no listing", () => {
  for (
    const body of [
      "1:aaa|a\n2:bbb|b\n3:ccc|c\nplain",
      "1:AAA|a",
      "  1:aaa|a",
      "plain",
      "",
      // Opening hours, a scale, a table of ratios: content.
      "8:00|open\n9:30|coffee\n18:00|closed",
      "1:100|small\n1:200|large",
      "1:100|a\n2:200|b\n3:300|c",
      "3:abc|c\n1:aaa|a\n2:bbb|b",
    ]
  ) equal(stripPrefixes(body), body);
});

Deno.test("stripPrefixes() believes rows whose fingerprint is the row's own or the file's", () => {
  const body = `8:00|x\n9:${fingerprint("y")}|y`;
  equal(stripPrefixes(body), "x\ny");
  equal(
    stripPrefixes("1:100|a\n2:200|b\n3:300|c", ({ line, hash }) => line === 2 && hash === "200"),
    "a\nb\nc",
  );
});

Deno.test("stripPrefixes() gives back the lines that listing() was made of", () => {
  fc.assert(fc.property(fc.array(arbitraryLine, { minLength: 1 }), (texts) => {
    equal(stripPrefixes(listing(texts)), texts.join("\n"));
  }));
});
