import { deepStrictEqual as equal, match } from "node:assert/strict";
import { paletteEntry } from "@/settings/palette.ts";
import { parseSetting } from "@/settings/parse.ts";

Deno.test("paletteEntry() reads a name and a colour, and nothing else", () => {
  equal(paletteEntry("you=magenta"), { name: "you", colour: "magenta" });
  equal(paletteEntry("rule=plain"), { name: "rule", colour: "plain" });
  for (
    const text of ["you", "you=", "you=pink", "me=red", "you=31", "toString=red", "you=toString"]
  ) {
    equal(paletteEntry(text), undefined, text);
  }
});

Deno.test("parseSetting() takes a palette whole, or says what it takes", () => {
  equal(parseSetting("PALETTE", "you=magenta, tool=blue"), {
    kind: "value",
    name: "PALETTE",
    value: ["you=magenta", "tool=blue"],
  });
  const refused = parseSetting("palette", "you=magenta, tool=pink");
  match(refused.kind === "refused" ? refused.problem : "", /it takes entries like you=magenta/);
});
