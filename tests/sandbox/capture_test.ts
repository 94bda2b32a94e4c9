import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { Capture, joined } from "@/sandbox/capture.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("Capture keeps everything when it fits", () => {
  const capture = new Capture(10);
  for (const piece of ["ab", "", "cdef", "ghij"]) capture.add(bytes(piece));
  equal(capture.text(), "abcdefghij");
  equal([capture.bytes, capture.dropped], [10, 0]);
});

Deno.test("Capture keeps both ends and counts the middle when more comes", () => {
  const capture = new Capture(6);
  for (const piece of ["ab", "cdefgh", "ij"]) capture.add(bytes(piece));
  equal(capture.text(), "abc\n[4 bytes left out]\nhij");
});

Deno.test("Capture.text() halves no character at the cut", () => {
  for (let max = 4; max <= 24; max += 1) {
    const capture = new Capture(max);
    for (const byte of bytes("한글 한글 한글 🎉 한글 끝")) capture.add(Uint8Array.of(byte));
    ok(!capture.text().includes("\ufffd"), `${max}: ${capture.text()}`);
  }
});

Deno.test("Capture.text() shows a broken character of the program's own as one", () => {
  const capture = new Capture(100);
  capture.add(Uint8Array.of(0x61, 0xff, 0x62));
  equal(capture.text(), "a\ufffdb");
});

Deno.test("Capture agrees with cutting the whole output, however it is chunked", () => {
  const chunk = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), fc.integer({ min: 0, max: 64 }), check),
  );

  function check(chunks: Uint8Array[], max: number) {
    const capture = new Capture(max);
    for (const piece of chunks) capture.add(piece);
    const whole = joined(chunks);
    const headMax = Math.ceil(max / 2);
    const head = whole.slice(0, headMax);
    const rest = whole.slice(headMax);
    const tail = rest.slice(Math.max(0, rest.length - Math.floor(max / 2)));
    equal([...capture.head()], [...head]);
    equal([...capture.tail()], [...tail]);
    equal(capture.dropped, whole.length - head.length - tail.length);
  }
});
