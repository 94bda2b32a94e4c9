import { deepStrictEqual as equal } from "node:assert/strict";
import { createHash } from "node:crypto";
import { fc } from "../support/property.ts";
import { hashHex, sha256Hex, sha256Stream } from "@/lib/hash.ts";

Deno.test("sha256Hex() is the SHA-256 of the UTF-8 bytes", () => {
  equal(
    sha256Hex("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  equal(sha256Hex("가"), sha256Hex(new Uint8Array([0xea, 0xb0, 0x80])));
});

Deno.test("hashHex() is the same before and after Node's hashes take over", () => {
  const pieces = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array()));
  const names = fc.constantFrom("md5" as const, "sha1" as const, "sha256" as const);
  const check = () =>
    fc.assert(fc.property(names, pieces, (name, parts) => {
      const expected = createHash(name);
      for (const part of parts) expected.update(part);
      equal(hashHex(name, ...parts), expected.digest("hex"));
    }));
  check();
  sha256Hex(new Uint8Array(2_000_000));
  check();
});

Deno.test("sha256Stream() agrees with sha256Hex() however the stream is cut", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(1000));
  const cut = ReadableStream.from([
    bytes.subarray(0, 1),
    bytes.subarray(1, 900),
    bytes.subarray(900),
  ]);
  equal(await sha256Stream(cut), { hash: sha256Hex(bytes), size: 1000 });
});
