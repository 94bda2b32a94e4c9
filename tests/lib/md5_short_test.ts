import { equal } from "node:assert/strict";
import { hashHex } from "@/lib/hash.ts";
import { md5Short } from "@/lib/md5_short.ts";
import { fingerprint } from "@/workspace/hashline.ts";
import { fc } from "../support/property.ts";

Deno.test("md5Short() begins as MD5 does, or is told that a text is too long", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 70 }), (text) => {
    const length = new TextEncoder().encode(text).length;
    const first = md5Short(text);
    equal(first === undefined, length > 55, `${length} bytes`);
    if (first === undefined) return;
    const bytes = new Uint8Array(Uint32Array.of(first).buffer);
    equal(bytes.toHex(), hashHex("md5", text).slice(0, 8));
  }));
});

Deno.test("fingerprint() is the start of the MD5 of a line of any length", () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 500]) {
    for (const letter of ["x", "가", "\u{1f600}"]) {
      const line = letter.repeat(length);
      equal(fingerprint(line), hashHex("md5", line).slice(0, 3), `${length} times ${letter}`);
    }
  }
});
