import { deepStrictEqual as equal } from "node:assert/strict";
import { nearest } from "@/lib/nearest.ts";

Deno.test("nearest() finds the slip of a hand and nothing that is far", () => {
  const names = ["NUM_CTX", "NUM_PREDICT", "AUTO_TITLE", "read_file"];
  const cases: readonly [typed: string, meant: string | undefined][] = [
    ["num_ctx", "NUM_CTX"],
    ["NUM_CXT", "NUM_CTX"],
    ["NUMCTX", "NUM_CTX"],
    ["auto_titel", "AUTO_TITLE"],
    ["read_fiel", "read_file"],
    ["NO_SUCH", undefined],
    ["x", undefined],
    ["", undefined],
  ];
  for (const [typed, meant] of cases) equal(nearest(typed, names), meant, typed);
  equal(nearest("a", []), undefined);
});
