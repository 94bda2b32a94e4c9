import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { decode, encode, type EncodingName } from "@/lib/encoding.ts";
import { guessEncoding } from "@/lib/guess_encoding.ts";
import { bytesOf } from "../support/file_place.ts";

function bytes(text: string, encoding: EncodingName): Uint8Array {
  const encoded = encode(text, encoding);
  if (!encoded.ok) throw new Error(`"${encoded.character}" has no bytes in ${encoding}`);
  return encoded.bytes;
}

const SURE: readonly [EncodingName, string][] = [
  ["utf-8", "plain ASCII\n"],
  ["utf-8", "가격 = 1200\n"],
  ["euc-kr", "가격 = 1200\ncount = 1\n"],
  ["euc-kr", "# 값을 계산하는 함수\ndef f():\n    return '똠방각하'\n"],
  ["euc-kr", "이름 = '홍길동'\n"],
  ["shift_jis", "// 合計を計算する\nint total;\n"],
  ["shift_jis", '名前 = "テスト"\n'],
  ["euc-jp", "# ファイルを読み込む処理\n"],
  ["gb18030", "// 读取文件并返回内容\n"],
  ["gb18030", 'name = "你好，世界"\n'],
  ["big5", "// 讀取檔案並傳回內容\n"],
  ["big5", '名稱 = "繁體中文"\n'],
  ["windows-1252", "# Déjà vu: résumé, naïve\n"],
  ["windows-1252", "Größe und Länge für Übung\n"],
  ["windows-1252", 'señor = "mañana"\n'],
  ["windows-1252", "café\n"],
];

for (const [encoding, text] of SURE) {
  Deno.test(`guessEncoding() is sure of ${encoding} for ${JSON.stringify(text.slice(0, 24))}`, () => {
    equal(guessEncoding(bytes(text, encoding)), { encoding, markBytes: 0, sure: true });
  });
}

Deno.test("guessEncoding() goes by the byte order mark first", () => {
  equal(guessEncoding(bytesOf(0xff, 0xfe, 0x61, 0)), {
    encoding: "utf-16le",
    markBytes: 2,
    sure: true,
  });
  equal(guessEncoding(bytesOf(0xfe, 0xff)), { encoding: "utf-16be", markBytes: 2, sure: true });
  equal(guessEncoding(bytesOf("\ufeff", 0xff)), { encoding: "utf-8", markBytes: 3, sure: true });
});

Deno.test("guessEncoding() stays with UTF-8 when a few bytes of it are damaged", () => {
  equal(guessEncoding(bytesOf("가나다라 ", 0xb0, "\nüber\n")), {
    encoding: "utf-8",
    markBytes: 0,
    sure: true,
  });
});

Deno.test("guessEncoding() stays with a legacy encoding when a few bytes of it are damaged", () => {
  const korean = bytes("# 값을 계산하는 함수입니다. 정확한 결과를 돌려준다\n", "euc-kr");
  const guess = guessEncoding(Uint8Array.from([...korean, 0xff, 0x41, 0x0a]));
  equal(guess, { encoding: "euc-kr", markBytes: 0, sure: true });
});

Deno.test("guessEncoding() believes a declaration that the bytes bear out, and no other", () => {
  const cases: [string, EncodingName][] = [
    ["# -*- coding: cp949 -*-\n값\n", "euc-kr"],
    ['<meta charset="Shift_JIS">\n価\n', "shift_jis"],
    ['<?xml version="1.0" encoding="Big5"?>\n總\n', "big5"],
    ["# vim: set fileencoding=cp1251 :\nП\n", "windows-1251"],
  ];
  for (const [text, encoding] of cases) {
    equal(guessEncoding(bytes(text, encoding)), { encoding, markBytes: 0, sure: true }, text);
  }
  const lying = guessEncoding(bytesOf("# coding: shift_jis\n", ...Array(20).fill(0xff), "\n"));
  ok(lying.encoding !== "shift_jis");
});

Deno.test("guessEncoding() believes ASCII that says in which encoding the rest is to be", () => {
  const cases: [string, EncodingName][] = [
    ["#!/usr/bin/python\n# -*- coding: latin-1 -*-\n", "windows-1252"],
    ["/* -*- mode: c; coding: euc-jp -*- */\n", "euc-jp"],
    ['<?xml version="1.0" encoding="euc-kr"?>\n<a/>\n', "euc-kr"],
    ['<!DOCTYPE html>\n<html><head>\n<meta charset="big5">\n', "big5"],
    ["// vim: set fileencoding=cp1251 :\n", "windows-1251"],
    ['@charset "shift_jis";\n', "shift_jis"],
    ['<?xml version="1.0" encoding="utf-16"?>\n<a/>\n', "utf-8"],
    ["# Coding: style\n", "utf-8"],
    ['const page = `<meta charset="euc-kr">`;\n', "utf-8"],
    ["Content-Type: text/html; charset=iso-8859-1\n", "utf-8"],
  ];
  for (const [text, encoding] of cases) {
    equal(guessEncoding(bytesOf(text)), { encoding, markBytes: 0, sure: true }, text);
  }
  for (const says of ["utf-7", "iso-8859-2", "us-ascii"]) {
    const guess = guessEncoding(bytesOf(`# coding: ${says}\n`));
    equal(guess, { encoding: "utf-8", markBytes: 0, sure: false, says });
  }
});

Deno.test("guessEncoding() knows ISO-2022 by its marks, and writes the Japanese one", () => {
  const japanese = bytesOf("x \x1b$B$3$s\x1b(B\n");
  equal(guessEncoding(japanese), { encoding: "iso-2022-jp", markBytes: 0, sure: true });
  equal(decode(japanese, "iso-2022-jp"), "x こん\n");
  equal(guessEncoding(bytesOf("\x1b[1mbold\x1b(B\x1b[m\n")).encoding, "utf-8");
  for (const other of ["\x1b$)C\x0e!!\x0f\n", "\x1b$B$3\n"]) {
    const guess = guessEncoding(bytesOf(other));
    equal(guess, { encoding: "utf-8", markBytes: 0, sure: false, says: "ISO-2022" });
  }
});

Deno.test("guessEncoding() is not sure of bytes that no language or several make text of", () => {
  const unsure = [
    bytesOf(0xf0, 0xfe, 0x41, 0xfd, "\n"),
    bytesOf("x ", 0x81, 0x9d, 0x90, "\n"),
    bytesOf("10 ", 0xb5, "s\n"),
    bytes("Привет, мир\n", "windows-1251"),
    bytes("Привет, мир\n", "koi8-r"),
  ];
  for (const each of unsure) ok(!guessEncoding(each).sure, each.toHex());
});

Deno.test("guessEncoding() reads Russian although it is not sure which encoding it is", () => {
  const text = "// чтение файла и возврат содержимого\n";
  for (const encoding of ["windows-1251", "koi8-r"] as const) {
    const each = bytes(text, encoding);
    equal(decode(each, guessEncoding(each).encoding), text);
  }
});

Deno.test("guessEncoding() takes no longer over a large file than decoding it", () => {
  const line = bytes("# 값을 계산하는 함수입니다\n", "euc-kr");
  const large = new Uint8Array(line.length * 200_000);
  for (let at = 0; at < large.length; at += line.length) large.set(line, at);
  const start = performance.now();
  ok(guessEncoding(large).sure);
  const ms = performance.now() - start;
  ok(ms < 60_000, `${ms} ms`);
});
