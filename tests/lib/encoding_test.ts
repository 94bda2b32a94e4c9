import { deepStrictEqual as equal, ok } from "node:assert/strict";
import {
  byteOrderMark,
  decode,
  decodeLine,
  encode,
  type EncodingName,
  encodingOf,
  isUtf8,
} from "@/lib/encoding.ts";

const hex = (text: string, encoding: EncodingName) => {
  const encoded = encode(text, encoding);
  return encoded.ok ? encoded.bytes.toHex() : encoded;
};

Deno.test("encode() writes the bytes that each encoding's users expect", () => {
  const cases: [EncodingName, string, string][] = [
    ["utf-8", "a가😀", "61eab080f09f9880"],
    ["utf-16le", "a가😀", "610000ac3dd800de"],
    ["utf-16be", "a가😀", "0061ac00d83dde00"],
    ["euc-kr", "가격 똠", "b0a1b0dd208c63"],
    ["shift_jis", "表ｱ①", "955cb18740"],
    ["euc-jp", "日ｱ", "c6fc8eb1"],
    ["gb18030", "中€😀丂é", "d6d0a2e39439fc368140a8a6"],
    ["gb18030", "\u0080☃", "813081308137a330"],
    ["big5", "功繁", "a55cc163"],
    ["windows-1252", "é€\u2019", "e98092"],
    ["windows-1251", "Привет", "cff0e8e2e5f2"],
    ["koi8-r", "Привет", "f0d2c9d7c5d4"],
  ];
  for (const [encoding, text, expected] of cases) {
    equal(hex(text, encoding), expected, `${encoding} ${text}`);
  }
});

Deno.test("encode() names the first character that an encoding has no bytes for", () => {
  equal(encode("ab한", "windows-1252"), { ok: false, at: 2, character: "한" });
  equal(encode("가😀", "euc-kr"), { ok: false, at: 1, character: "😀" });
  equal(encode("é", "shift_jis"), { ok: false, at: 0, character: "é" });
  equal(encode("\u0085", "windows-1252"), { ok: false, at: 0, character: "\u0085" });
  for (const encoding of ["utf-8", "utf-16le", "gb18030"] as const) {
    equal(encode("a\ude00b", encoding), { ok: false, at: 1, character: "\ude00" });
  }
});

Deno.test("encode() writes nothing that decode() reads otherwise, over the whole basic plane", () => {
  const encodings: EncodingName[] = [
    "euc-kr",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "big5",
    "windows-1252",
    "windows-1251",
    "koi8-r",
  ];
  for (const encoding of encodings) {
    const wrong: string[] = [];
    let written = 0;
    for (let code = 0; code <= 0xffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCharCode(code);
      const encoded = encode(text, encoding);
      if (!encoded.ok) continue;
      written += 1;
      if (decode(encoded.bytes, encoding) !== text) {
        wrong.push(`${encoding} U+${code.toString(16)}`);
      }
    }
    equal(wrong, []);
    ok(written > 220, `${encoding} ${written}`);
  }
});

Deno.test("encode() follows the Encoding Standard where two byte pairs mean one character", () => {
  // NEC's row 13 before IBM's copy; the IBM extension at FA and not at ED; Big5's later pair of six characters.
  equal(hex("∪", "shift_jis"), "81be");
  equal(hex("纊", "shift_jis"), "fa5c");
  equal(hex("十卅", "big5"), "a451a4ca");
});

Deno.test("decode() keeps a byte order mark and puts U+FFFD for what does not decode", () => {
  equal(decode(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]), "utf-8"), "\ufeffa");
  equal(decode(Uint8Array.from([0x61, 0xff, 0x62]), "utf-8"), "a\ufffdb");
});

Deno.test("decodeLine() reads a character that is cut short as in the middle of a file", () => {
  equal(decodeLine(Uint8Array.from([0xfc, 0x36]), "gb18030"), "\ufffd6");
  equal(decode(Uint8Array.from([0xfc, 0x36]), "gb18030"), "\ufffd");
});

Deno.test("encodingOf() knows the names that editors and languages use", () => {
  const names: [string, EncodingName | undefined][] = [
    ["cp949", "euc-kr"],
    ["EUC_KR", "euc-kr"],
    ["ks_c_5601-1987", "euc-kr"],
    ["sjis", "shift_jis"],
    ["Windows-31J", "shift_jis"],
    ["gbk", "gb18030"],
    ["GB2312", "gb18030"],
    ["latin-1", "windows-1252"],
    ["ISO-8859-1", "windows-1252"],
    ["big5-hkscs", "big5"],
    ["utf8", "utf-8"],
    ["utf-7", undefined],
    ["", undefined],
  ];
  for (const [label, encoding] of names) equal(encodingOf(label), encoding, label);
});

Deno.test("byteOrderMark() and isUtf8() look at all that matters", () => {
  equal(byteOrderMark(Uint8Array.from([0xfe, 0xff])), { encoding: "utf-16be", length: 2 });
  equal(byteOrderMark(Uint8Array.from([0xef, 0xbb])), undefined);
  ok(isUtf8(new TextEncoder().encode("가")));
  ok(!isUtf8(new TextEncoder().encode("가").subarray(0, 2)));
});
