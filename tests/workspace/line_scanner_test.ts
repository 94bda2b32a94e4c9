import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { LineScanner, type ScannedLine } from "@/workspace/line_scanner.ts";
import { arbitraryFile } from "../support/arbitrary_text_bytes.ts";

function scanned(
  bytes: Uint8Array,
  { encoding, cuts, from = 1, headBytesMax = 1_000 }: {
    encoding: "utf-8" | "utf-16le" | "utf-16be" | "euc-kr";
    cuts: readonly number[];
    from?: number;
    headBytesMax?: number;
  },
): { lines: ScannedLine[]; count: number } {
  const lines: ScannedLine[] = [];
  const scanner = new LineScanner({
    encoding,
    from,
    headBytesMax,
    onLine: (line) => lines.push(line) < 99,
  });
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    scanner.push(bytes.subarray(start, cut));
    start = cut;
  }
  scanner.end();
  return { lines, count: scanner.lines };
}

Deno.test("LineScanner finds the lines of a file however it is cut into chunks", () => {
  fc.assert(
    fc.property(arbitraryFile, fc.array(fc.nat(), { maxLength: 5 }), ({ file }, seeds) => {
      const { encoding, markBytes } = file;
      if (
        encoding !== "utf-8" && encoding !== "utf-16le" && encoding !== "utf-16be" &&
        encoding !== "euc-kr"
      ) return;
      const bytes = file.bytes.subarray(markBytes);
      const unit = encoding.startsWith("utf-16") ? 2 : 1;
      const cuts = seeds.map((seed) => seed % (bytes.length / unit + 1) * unit >> 0)
        .map((cut) => cut - cut % unit).toSorted((a, b) => a - b);
      const { lines, count } = scanned(bytes, { encoding, cuts });
      const expected = file.lines.map(({ start, end }, index) => ({
        line: index + 1,
        head: [...file.bytes.subarray(start, end)],
        bytes: end - start,
      }));
      equal(lines.map((line) => ({ ...line, head: [...line.head] })), expected);
      equal(count, file.lines.length);
    }),
    { numRuns: 500 },
  );
});

Deno.test("LineScanner keeps no more of a line than it is told, and counts the rest", () => {
  const { lines, count } = scanned(new TextEncoder().encode("ab\ncdefgh\ni"), {
    encoding: "utf-8",
    cuts: [4, 5],
    from: 2,
    headBytesMax: 3,
  });
  equal(lines.map(({ line, head, bytes }) => [line, new TextDecoder().decode(head), bytes]), [
    [2, "cde", 6],
    [3, "i", 1],
  ]);
  equal(count, 3);
});
