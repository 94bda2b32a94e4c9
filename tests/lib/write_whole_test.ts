import { deepStrictEqual as equal } from "node:assert/strict";
import { writeWhole } from "@/lib/write_whole.ts";

Deno.test("writeWhole() writes on where one write takes a part", async () => {
  const taken: number[] = [];
  const slow = {
    write(bytes: Uint8Array): Promise<number> {
      taken.push(...bytes.subarray(0, 3));
      return Promise.resolve(Math.min(3, bytes.length));
    },
  };
  await writeWhole(slow, new TextEncoder().encode("eleven byte"));
  equal(new TextDecoder().decode(Uint8Array.from(taken)), "eleven byte");
});
