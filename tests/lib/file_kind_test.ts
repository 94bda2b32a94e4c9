import { deepStrictEqual as equal } from "node:assert/strict";
import { binaryKind } from "@/lib/file_kind.ts";
import { bytesOf } from "../support/file_place.ts";

Deno.test("binaryKind() names what a file is by its first bytes", () => {
  const cases: [string, Uint8Array][] = [
    ["PNG image", bytesOf(0x89, "PNG\r\n", 0x1a, "\n", 0, 0)],
    ["JPEG image", bytesOf(0xff, 0xd8, 0xff, 0xe0)],
    ["ELF program or library", bytesOf(0x7f, "ELF", 2, 1, 1, 0)],
    ["PDF document", bytesOf("%PDF-1.7\n")],
    ["gzip data", bytesOf(0x1f, 0x8b, 8)],
    ["SQLite database", bytesOf("SQLite format 3", 0)],
    ["WebP image", bytesOf("RIFF", 1, 0, 0, 0, "WEBPVP8 ")],
    ["tar archive", bytesOf(..."x".repeat(257), "ustar", 0, "00")],
    ["UTF-32 text (little-endian)", bytesOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ["data with NUL bytes", bytesOf("a", 0, "b")],
    ["data with control bytes", bytesOf(1, 2, 3, 4, "ab")],
    [
      "probably UTF-16 LE text without a byte order mark",
      bytesOf("a", 0, "b", 0, "c", 0, "d", 0, "\n", 0),
    ],
    [
      "probably UTF-16 BE text without a byte order mark",
      bytesOf(0, "a", 0, "b", 0, "c", 0, "d", 0, "\n"),
    ],
  ];
  for (const [name, bytes] of cases) equal(binaryKind(bytes), name);
});

Deno.test("binaryKind() sees a NUL far down a file", () => {
  equal(binaryKind(bytesOf(..."x".repeat(20_000), 0)), "data with NUL bytes");
});

Deno.test("binaryKind() takes for text what is: empty, ASCII that begins like a format, colours, UTF-16", () => {
  const texts = [
    bytesOf(""),
    bytesOf("MZ is a prefix\n"),
    bytesOf("ID3 = 1\n"),
    bytesOf("BZh\n"),
    bytesOf("\x1b[31mred\x1b[0m\n\f\ttab\b\n"),
    bytesOf(0xff, 0xfe, 0x61, 0, 0x62, 0),
    bytesOf("가격\n"),
    bytesOf(0xb0, 0xa1, "\n"),
  ];
  for (const bytes of texts) equal(binaryKind(bytes), undefined);
});
