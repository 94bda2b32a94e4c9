import { deepStrictEqual as equal } from "node:assert/strict";
import { firstFew } from "@/lib/first_few.ts";

Deno.test("firstFew() leaves a short list alone and counts the rest of a long one", () => {
  equal(firstFew([], "rules"), []);
  const five = ["a", "b", "c", "d", "e"];
  equal(firstFew(five, "rules"), five);
  equal(firstFew([...five, "f", "g"], "rules"), [...five, "… and 2 more rules"]);
});
