import { deepStrictEqual as equal } from "node:assert/strict";
import { isColored } from "@/terminal/color.ts";

Deno.test("isColored() follows FORCE_COLOR, NO_COLOR, TERM and the terminal, in that order", () => {
  const cases: [Record<string, string>, boolean, boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false, true],
    [{ TERM: "dumb" }, true, false],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, true, true],
    [{ CLICOLOR_FORCE: "1" }, false, true],
  ];
  equal(
    cases.map(([env, isTerminal]) => isColored({ isTerminal, env: (name) => env[name] })),
    cases.map(([, , expected]) => expected),
  );
});
