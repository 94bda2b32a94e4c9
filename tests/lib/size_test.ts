import { deepStrictEqual as equal } from "node:assert/strict";
import { counted } from "@/lib/counted.ts";
import { spokenSize } from "@/lib/size.ts";

Deno.test("spokenSize() says two digits and the unit that fits", () => {
  const sizes = [0, 1, 999, 1000, 9_949, 12_345, 999_499, 999_500, 1_400_000, 2e9, 5e15];
  equal(sizes.map(spokenSize), [
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.0 KB",
    "9.9 KB",
    "12 KB",
    "999 KB",
    "1.0 MB",
    "1.4 MB",
    "2.0 GB",
    "5000 TB",
  ]);
});

Deno.test("counted() says one of a thing and several of it", () => {
  equal([counted(0, "line"), counted(1, "line"), counted(2, "entry", "entries")], [
    "0 lines",
    "1 line",
    "2 entries",
  ]);
});
