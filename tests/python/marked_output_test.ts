import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { MarkedOutput, type OutputPiece } from "@/python/marked_output.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Pieces with what belongs together joined. */
function told(marked: MarkedOutput, chunks: readonly Uint8Array[]): (string | number)[] {
  const pieces: OutputPiece[] = chunks.flatMap((chunk) => marked.take(chunk));
  const all: (string | number)[] = [];
  for (const piece of [...pieces, { kind: "bytes", bytes: marked.rest() } as const]) {
    if (piece.kind === "end") {
      all.push(piece.number);
      continue;
    }
    const text = [...piece.bytes].map((byte) => String.fromCharCode(byte)).join("");
    const last = all.at(-1);
    if (typeof last === "string") all[all.length - 1] = last + text;
    else if (text !== "") all.push(text);
  }
  return all;
}

Deno.test("MarkedOutput finds the end of a snippet's output, and nothing that only looks like it", () => {
  const cases: [string, (string | number)[]][] = [
    ["one\n\x1eabc:1\x1etwo\x1eabc:12\x1e", ["one\n", 1, "two", 12]],
    ["\x1eabc:1\x1e\x1eabc:2\x1e", [1, 2]],
    ["\x1eabd:1\x1e", ["\x1eabd:1\x1e"]],
    ["\x1eabc:\x1e", ["\x1eabc:\x1e"]],
    ["\x1eabc:1x\x1e", ["\x1eabc:1x\x1e"]],
    ["\x1e\x1eabc:7\x1e\x1e", ["\x1e", 7, "\x1e"]],
    ["\x1eabc:1234567890123456\x1e", ["\x1eabc:1234567890123456\x1e"]],
    ["half \x1eabc:1", ["half \x1eabc:1"]],
  ];
  for (const [text, expected] of cases) {
    equal(told(new MarkedOutput("abc"), [bytes(text)]), expected, JSON.stringify(text));
  }
});

Deno.test("MarkedOutput gives the same however its bytes are cut", () => {
  const part = fc.constantFrom(
    "\x1e",
    "abc",
    ":",
    "1",
    "23",
    "\x1eabc:4\x1e",
    "x",
    "\x00",
    "\x1eab",
  );
  fc.assert(fc.property(fc.array(part), fc.array(fc.nat(20)), (parts, cuts) => {
    const all = bytes(parts.join(""));
    const chunks: Uint8Array[] = [];
    let from = 0;
    for (const cut of cuts) {
      chunks.push(all.subarray(from, from + cut));
      from += cut;
    }
    chunks.push(all.subarray(Math.min(from, all.length)));
    equal(told(new MarkedOutput("abc"), chunks), told(new MarkedOutput("abc"), [all]));
  }));
});
