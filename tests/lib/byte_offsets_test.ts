import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { byteOffsets } from "@/lib/byte_offsets.ts";
import { decodeLine, type EncodingName } from "@/lib/encoding.ts";
import { arbitraryFile } from "../support/arbitrary_text_bytes.ts";

Deno.test("byteOffsets() cuts a line where both halves decode to the halves of its text", () => {
  fc.assert(
    fc.property(arbitraryFile, ({ file }) => {
      const { bytes, lines, texts, encoding } = file;
      lines.forEach(({ start, end }, index) => {
        const line = bytes.subarray(start, end);
        const text = texts[index] ?? "";
        const offsets = byteOffsets(line, text, encoding);
        if (offsets === undefined) return ok(text.includes("\ufffd"), text);
        equal(offsets[text.length], line.length);
        offsets.forEach((offset, unit) => {
          if (offset < 0) return;
          const isCutShort = text.slice(0, unit).endsWith("\ufffd");
          if (!isCutShort) {
            equal(decodeLine(line.subarray(0, offset), encoding), text.slice(0, unit));
          }
          equal(decodeLine(line.subarray(offset), encoding), text.slice(unit));
        });
      });
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("byteOffsets() knows every pair of bytes of the double-byte encodings as the decoder does", () => {
  const encodings: EncodingName[] = ["euc-kr", "shift_jis", "euc-jp", "gb18030", "big5"];
  const missed: string[] = [];
  for (const encoding of encodings) {
    for (let lead = 0x80; lead <= 0xff; lead += 1) {
      for (let trail = 0x20; trail <= 0xff; trail += 1) {
        const bytes = Uint8Array.from([lead, trail, 0x7a]);
        const text = decodeLine(bytes, encoding);
        const offsets = byteOffsets(bytes, text, encoding);
        if (offsets?.[text.length - 1] !== 2 && text.endsWith("z")) {
          missed.push(`${encoding} ${lead} ${trail}`);
        }
      }
    }
  }
  equal(missed, []);
});

Deno.test("byteOffsets() marks the units inside a character", () => {
  const bytes = new TextEncoder().encode("a😀b");
  equal([...byteOffsets(bytes, "a😀b", "utf-8") ?? []], [0, 1, -1, 5, 6]);
});

Deno.test("byteOffsets() gives up when the text is not that of the bytes", () => {
  equal(byteOffsets(new TextEncoder().encode("ab"), "abc", "utf-8"), undefined);
});
