import { deepStrictEqual as equal } from "node:assert/strict";
import { literals, withoutComments, words } from "@/verify/config_text.ts";

Deno.test("words(), literals() and withoutComments() take strings and comments to their ends", () => {
  equal(words(`k = ["a", 'b', "c\\"d"]`, "k"), ["a", "b", `c\\"d`]);
  equal(withoutComments(`{"a": "//b", /* c */ "d": [1,],}// e`), `{"a": "//b",  "d": [1]}`);
  equal(literals(`testMatch: ["a", 'b', /c/]`, "testMatch"), [
    { text: "a", isRegex: false },
    { text: "b", isRegex: false },
    { text: "c", isRegex: true },
  ]);
});

Deno.test("a string or comment that never ends is looked at once", () => {
  const many = 200_000;
  const string = `"${`\\"`.repeat(many)}`;
  const comment = "/* ".repeat(many);
  equal(words(`k = ${string}`, "k")?.length, 1);
  equal(words(`k = [${string}`, "k")?.length, 1);
  equal(withoutComments(string), string);
  equal(withoutComments(comment), "");
});
