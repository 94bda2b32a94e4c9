import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { parsePattern, PatternError } from "@/workspace/search_pattern.ts";

/** Whether a line matches, by the JavaScript that the pattern became. */
function matches(source: string, line: string): boolean {
  const pattern = parsePattern(source, true);
  if (pattern.kind !== "regex") throw new Error("not a regular expression");
  return new RegExp(pattern.source, pattern.flags).test(line);
}

Deno.test("parsePattern() takes a plain query as it stands", () => {
  equal(parsePattern("a.b(c", false), { kind: "literal", text: "a.b(c" });
});

Deno.test("parsePattern() reads what models write", () => {
  const cases: [pattern: string, line: string, expected: boolean][] = [
    ["foo|bar", "a bar", true],
    ["^foo$", "foo", true],
    ["^foo$", "foo ", false],
    ["function \\w+\\(", "function add(a)", true],
    ["foo\\-bar", "foo-bar", true],
    ["interface {", "type A interface {", true],
    ["\\{\\s*\\}", "{  }", true],
    ["[]x]", "]", true],
    ["[^]x]", "]", false],
    ["[[:alpha:]]+\\d", "ab1", true],
    ["[a\\-z]", "-", true],
    ["[a-]", "-", true],
    ["[\\w.-]+@", "a.b-c@d", true],
    ["(?i)todo", "ToDo", true],
    ["(?i:todo)X", "toDoX", true],
    ["\\<word\\>", "a word here", true],
    ["\\<word\\>", "swords", false],
    ["\\x41\\u{1F389}\\u00e9", "A🎉é", true],
    ["\\p{Hangul}+", "한글", true],
    ["\\pL+$", "éa", true],
    ["(?P<x>a)\\k<x>", "aa", true],
    ["(a)\\1", "aa", true],
    ["(?<!x)foo", "xfoo", false],
    ["a{2,}", "aa", true],
    ["a{,2}b", "aab", true],
    ["x{", "x{", true],
    ["\\d", "٣", false],
    ["\\w", "é", false],
    ["a.c", "a🎉c", true],
    ["\\t", "\t", true],
    ["a\\/b", "a/b", true],
    ["\\$\\{", "${x}", true],
    ["\\Afoo\\z", "foo", true],
    ["a*?b", "aab", true],
    ["", "anything", true],
  ];
  for (const [source, line, expected] of cases) {
    equal(matches(source, line), expected, `${source} on ${line}`);
  }
});

Deno.test("parsePattern() names the place of what is wrong", () => {
  const cases: [pattern: string, at: number, reason: string][] = [
    ["a(b", 1, "this group is not closed"],
    ["a(b(c)", 1, "this group is not closed"],
    ["ab)", 2, "there is no group to close here"],
    ["x[a-", 1, "this class is not closed"],
    ["[z-a]", 1, "this range is backwards"],
    ["a**", 2, 'there is nothing to repeat before "*"'],
    ["*a", 0, 'there is nothing to repeat before "*"'],
    ["a|+b", 2, 'there is nothing to repeat before "+"'],
    ["a++", 2, "possessive repetition is not supported"],
    ["a{3,2}", 1, "the numbers are backwards"],
    ["a{9999}", 1, "a repetition counts to 1000 at most"],
    ["ab\\", 2, "nothing follows the backslash"],
    ["a\\nb", 1, "a match lies within one line"],
    ["a\nb", 1, "a match lies within one line"],
    ["\\y", 0, '"\\y" is not known'],
    ["\\x4", 0, '"\\x" needs a code after it'],
    ["\\u{110000}", 0, '"\\u" needs a code after it'],
    ["\\p{Klingon}", 0, 'there is no Unicode property "Klingon"'],
    ["(?>a)", 0, "this kind of group is not supported"],
    ["[[:^alpha:]]", 1, '"[:^alpha:]" is not known'],
    ["a(?i)b", 1, "this kind of group is not supported"],
  ];
  for (const [source, at, reason] of cases) {
    let error: unknown;
    try {
      parsePattern(source, true);
    } catch (thrown) {
      error = thrown;
    }
    ok(error instanceof PatternError, source);
    equal([error.at, error.message], [at, reason], source);
  }
});

Deno.test("parsePattern() leaves to JavaScript what ripgrep does not have", () => {
  const rust = (source: string) => {
    const pattern = parsePattern(source, true);
    return pattern.kind === "regex" ? pattern.rust : undefined;
  };
  equal(["(?=a)b", "(a)\\1", "(?<=a)b"].map(rust), [undefined, undefined, undefined]);
  equal(rust("(?i)a\\d+[^x]"), "(?i)a[0-9]+[^x\\n\\r]");
});

Deno.test("parsePattern() never throws anything but a PatternError", () => {
  const letters = fc.constantFrom(..."()[]{}|^$.*+?\\-:<>=!,0129aAbBdDwWsSpPkxuiPn é🎉\n");
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 20 }), (source) => {
      try {
        matches(source, "some line 0 é 🎉");
      } catch (error) {
        ok(error instanceof PatternError, String(error));
        ok(error.at >= 0 && error.at <= source.length);
      }
    }),
    { numRuns: 2_000 },
  );
});
