import { equal } from "node:assert";
import { fc } from "../support/property.ts";
import { compileGlob, escapeGlob, hasWildcard, matchGlob, UNKNOWN } from "@/policy/glob.ts";

Deno.test("matchGlob() knows *, ? and classes", () => {
  const cases: readonly [pattern: string, text: string, matches: boolean][] = [
    ["", "", true],
    ["*", "", true],
    ["a*", "a/b/c", true],
    ["a*c", "abd", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["a?c", "a가c", true],
    ["?", "👍", true],
    ["[abc]x", "bx", true],
    ["[!abc]x", "bx", false],
    ["[^abc]x", "dx", true],
    ["[a-c]", "b", true],
    ["[a-c]", "d", false],
    ["[]a]", "]", true],
    ["[a", "[a", true],
    ["[*]", "*", true],
    ["[*]", "x", false],
    ["A", "a", false],
    ["*a*b*c*", "xxaxxbxxcxx", true],
    ["*a*b*c*", "xxaxxcxxbxx", false],
  ];
  for (const [pattern, text, matches] of cases) {
    equal(matchGlob(compileGlob(pattern), text), matches, `${pattern} on ${text}`);
  }
});

Deno.test("compileGlob() can read brackets as themselves, escapes excepted", () => {
  equal(matchGlob(compileGlob("app/[id]/*", "literal"), "app/[id]/page"), true);
  equal(matchGlob(compileGlob("app/[id]/*", "literal"), "app/i/page"), false);
  equal(matchGlob(compileGlob("x[*]", "literal"), "x*"), true);
  equal(matchGlob(compileGlob("x[*]", "literal"), "x[y]"), false);
});

Deno.test("hasWildcard() does not count an escaped one", () => {
  equal(hasWildcard(compileGlob("a[*]b[?]c[[]d")), false);
  equal(hasWildcard(compileGlob("a[xy]")), true);
});

Deno.test("matchGlob() lets only the same character match a locked one", () => {
  const locked = new Set([2, 3]);
  equal(matchGlob(compileGlob("a *"), "a -x y", { locked }), false);
  equal(matchGlob(compileGlob("a -x*"), "a -x y", { locked }), true);
  equal(matchGlob(compileGlob("a -? y"), "a -x y", { locked }), false);
  // Two stars: the first must stop before the locked stretch, the text between them takes it.
  equal(matchGlob(compileGlob("*-x*-x*"), "b-x-xc", { locked: new Set([3, 4]) }), true);
});

Deno.test("matchGlob() tells what matches whatever is unknown from what might", () => {
  const rm = compileGlob("rm *");
  equal(matchGlob(rm, ["r", "m", " ", UNKNOWN]), true);
  equal(matchGlob(rm, [UNKNOWN, " ", "x"]), false);
  equal(matchGlob(rm, [UNKNOWN, " ", "x"], { possibly: true }), true);
  equal(matchGlob(rm, [..."echo ", UNKNOWN], { possibly: true }), false);
  equal(matchGlob(rm, ["r", UNKNOWN, " ", "x"], { possibly: true }), true);
  equal(matchGlob(compileGlob("git push *"), [..."git ", UNKNOWN], { possibly: true }), true);
});

Deno.test("matchGlob() agrees with a regular expression for * and ?", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "/", " "), maxLength: 12 });
  const patterns = fc.string({ unit: fc.constantFrom("a", "b", "/", "*", "?"), maxLength: 8 });
  fc.assert(fc.property(patterns, texts, (pattern, text) => {
    const source = pattern.replaceAll("*", "[\\s\\S]*").replaceAll("?", "[\\s\\S]");
    equal(matchGlob(compileGlob(pattern), text), new RegExp(`^${source}$`).test(text));
  }));
});

Deno.test("escapeGlob() makes a pattern that matches its text and nothing else", () => {
  const texts = fc.string({
    unit: fc.constantFrom("a", "*", "?", "[", "]", "!", "-"),
    maxLength: 8,
  });
  fc.assert(fc.property(texts, texts, (text, other) => {
    for (const brackets of ["class", "literal"] as const) {
      const glob = compileGlob(escapeGlob(text), brackets);
      equal(matchGlob(glob, text), true);
      equal(matchGlob(glob, other), text === other);
    }
  }));
});

Deno.test("matchGlob() is not slowed down by many stars", () => {
  const started = performance.now();
  matchGlob(compileGlob("*a".repeat(30)), `${"a".repeat(5_000)}b`);
  equal(performance.now() - started < 60_000, true);
});
