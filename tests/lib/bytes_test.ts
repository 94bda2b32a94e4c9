import { deepStrictEqual as equal } from "node:assert/strict";
import { joinBytes, utf8Text } from "@/lib/bytes.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

Deno.test("joinBytes() puts arrays one after another", () => {
  equal(joinBytes([bytes(1, 2), bytes(), bytes(3)]), bytes(1, 2, 3));
  equal(joinBytes([]), bytes());
});

Deno.test("utf8Text() reads UTF-8 without its mark, and nothing else", () => {
  equal(utf8Text(new TextEncoder().encode("\ufeff한 a")), "한 a");
  equal(utf8Text(bytes()), "");
  equal(utf8Text(bytes(0xff, 0x41)), undefined);
  equal(utf8Text(bytes(0xed, 0x95)), undefined);
});
