import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { newUid } from "@/session/uid.ts";

Deno.test("newUid() is a version 7 UUID of its time", () => {
  // The example of RFC 9562, appendix A.6.
  const random = new Uint8Array([
    0,
    0,
    0,
    0,
    0,
    0,
    0x0c,
    0xc3,
    0x18,
    0xc4,
    0xdc,
    0x0c,
    0x0c,
    0x07,
    0x39,
    0x8f,
  ]);
  const now = new Date("2022-02-22T19:22:22.000Z");
  equal(newUid(now, random), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

Deno.test("newUid() sorts by time and does not repeat", () => {
  const [early, late] = [1_700_000_000_000, 1_900_000_000_000].map((ms) => newUid(new Date(ms)));
  ok((early ?? "") < (late ?? ""));
  const now = new Date();
  equal(new Set(Array.from({ length: 1_000 }, () => newUid(now))).size, 1_000);
  match(newUid(now), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
