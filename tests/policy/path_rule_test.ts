import { deepStrictEqual as assertEquals, equal } from "node:assert";
import {
  compilePath,
  literalDirectory,
  matchesPath,
  pathForms,
  type RulePlace,
  spelledPath,
} from "@/policy/path_rule.ts";
import { PLACE } from "../support/rule_verdicts.ts";

function matches(pattern: string, path: string, place: RulePlace = PLACE): boolean {
  return matchesPath(compilePath(pattern, place), pathForms(path, place));
}

Deno.test("matchesPath() tries a path as the workspace sees it, as the disk does, and below ~", () => {
  const cases: readonly [pattern: string, path: string, matches: boolean][] = [
    ["src/*", "/work/shop/src/a/b.ts", true],
    ["src/*", "/work/shop/lib/src/a.ts", false],
    ["src/*", "/work/shop-evil/src/a.ts", false],
    ["./src//x/../*", "/work/shop/src/a.ts", true],
    ["src\\*", "/work/shop/src/a.ts", true],
    ["/work/shop/src/*", "/work/shop/src/a.ts", true],
    ["*/.env", "/work/shop/.env", true],
    ["*.env", "/work/shop/.env", true],
    [".env", "/work/shop/.env", true],
    [".env", "/work/shop/sub/.env", false],
    ["*/id_rsa", "/home/me/.ssh/id_rsa", true],
    ["~/.ssh/*", "/home/me/.ssh/id_rsa", true],
    ["~/*", "/home/other/x", false],
    ["../out/*", "/work/out/x", true],
    ["../out/*", "/work/shop/out/x", false],
    ["src/a.ts", "/work/shop/src/a.ts b", false],
    [".", "/work/shop", true],
    ["SRC/*", "/work/shop/src/a", false],
    ["app/[id]/page.tsx", "/work/shop/app/[id]/page.tsx", true],
    ["app/[id]/*", "/work/shop/app/[id]/page.tsx", true],
    ["caf\u00e9/*", "/work/shop/cafe\u0301/a", true],
  ];
  for (const [pattern, path, expected] of cases) {
    equal(matches(pattern, path), expected, `${pattern} on ${path}`);
  }
});

Deno.test("matchesPath() folds case where the disk does", () => {
  equal(matches("SRC/*", "/work/shop/src/a", { ...PLACE, foldsCase: true }), true);
});

Deno.test("pathForms() says what is outside, by whole names", () => {
  assertEquals(pathForms("/work/shop/a", PLACE), {
    absolute: "/work/shop/a",
    relative: "a",
    outside: false,
  });
  equal(pathForms("/work/shop-evil/a", PLACE).outside, true);
  equal(pathForms("/work/shop\\evil/a", PLACE).outside, true);
  equal(pathForms("/data/a", { ...PLACE, added: ["/data"] }).outside, false);
  equal(pathForms("/work/shop", PLACE).relative, ".");
});

Deno.test("pathForms() reads a backslash in a name as a slash unless that would climb", () => {
  equal(pathForms("/work/shop/src\\a.py", PLACE).relative, "src/a.py");
  equal(pathForms("/work/shop/src\\..\\..\\x", PLACE).relative, "src\\..\\..\\x");
});

Deno.test("compilePath() says whether a pattern names a place outside", () => {
  const cases = {
    "/etc/hosts": true,
    "/etc/*": true,
    "~/notes/*": true,
    "../other/*": true,
    "/*": false,
    "/e*": false,
    "*/.env": false,
    "*": false,
    "src/*": false,
  };
  for (const [pattern, expected] of Object.entries(cases)) {
    equal(compilePath(pattern, PLACE).namesPlace, expected, pattern);
  }
});

Deno.test("compilePath() takes a directory with a slash as its contents only for rules that refuse", () => {
  const forms = pathForms("/work/shop/secrets/key", PLACE);
  equal(matchesPath(compilePath("secrets/", PLACE, true), forms), true);
  equal(matchesPath(compilePath("secrets/", PLACE), forms), false);
});

Deno.test("spelledPath() makes a path absolute by its text", () => {
  equal(spelledPath("./a/../b", PLACE), "/work/shop/b");
  equal(spelledPath("~/x", PLACE), "/home/me/x");
  equal(spelledPath("src\\a", PLACE), "/work/shop/src/a");
});

Deno.test("literalDirectory() is what a pattern spells out", () => {
  assertEquals(literalDirectory("/tmp/x/*.ts", PLACE), {
    directory: "/tmp/x",
    rest: "/*.ts",
    absolute: true,
  });
  assertEquals(literalDirectory("secrets/*", PLACE), {
    directory: "/work/shop/secrets",
    rest: "/*",
    absolute: false,
  });
  equal(literalDirectory("*.ts", PLACE), undefined);
});
