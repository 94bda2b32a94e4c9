import { deepStrictEqual as assertEquals, equal, match } from "node:assert";
import { fc } from "../support/property.ts";
import {
  readRuleFile,
  readRules,
  RULE_FILE_BYTES_MAX,
  type RuleSource,
} from "@/policy/rule_file.ts";

const ORIGIN = { kind: "personal", label: "permissions.json" } as const;

function read(text: string, project?: string): RuleSource {
  return readRuleFile(new TextEncoder().encode(text), ORIGIN, project);
}

function texts({ rules }: RuleSource, verdict: string): string[] {
  return rules.filter((rule) => rule.verdict === verdict).map(({ text }) => text);
}

Deno.test("readRuleFile() reads the three lists and literal grants", () => {
  const source = read(
    `{"allow": ["a", {"tool": "run_cmd", "literal": "git status"}], "ask": ["b"], "deny": ["c(d)"]}`,
  );
  assertEquals([texts(source, "allow"), texts(source, "ask"), texts(source, "deny")], [
    ["a"],
    ["b"],
    ["c(d)"],
  ]);
  assertEquals(source.grants, [{ tool: "run_cmd", literal: "git status", origin: ORIGIN }]);
  assertEquals([source.problems, source.broken], [[], false]);
});

Deno.test("readRuleFile() takes a byte order mark and the part for one project", () => {
  const text =
    `\ufeff{"deny": ["x"], "projects": {"/a": {"allow": ["y"]}, "/b": {"allow": ["z"]}}}`;
  const source = read(text, "/a");
  assertEquals(texts(source, "allow"), ["y"]);
  assertEquals(texts(source, "deny"), ["x"]);
  equal(source.rules[1]?.origin.label, "permissions.json, for this project");
  equal(source.broken, false);
});

Deno.test("readRuleFile() gives no rights for what it cannot read, and says so", () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  for (
    const text of [
      "",
      "{",
      "[]",
      "null",
      '"x"',
      "7",
      "{'allow': []}",
      '{"allow": [] // x\n}',
      deep,
      `{"allow": ${deep}}`.slice(0, 900),
    ]
  ) {
    const source = read(text);
    assertEquals([source.rules, source.grants, source.broken], [[], [], true], text.slice(0, 40));
    match(source.problems[0] ?? "", /^Cannot read the permission rules in permissions\.json: /);
  }
});

Deno.test("readRuleFile() reads neither what is too large nor what is no text", () => {
  const large = readRuleFile(new Uint8Array(RULE_FILE_BYTES_MAX + 1), ORIGIN);
  equal(
    large.problems[0],
    "Cannot read the permission rules in permissions.json: it is larger than 1 MB",
  );
  const binary = readRuleFile(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), ORIGIN);
  equal(
    binary.problems[0],
    "Cannot read the permission rules in permissions.json: it is not UTF-8 text",
  );
});

Deno.test("readRules() skips a verdict that is no list; without deny rules known, the source is broken", () => {
  const allow = readRules({ allow: "run_cmd", deny: ["x"] }, ORIGIN);
  assertEquals([texts(allow, "allow"), texts(allow, "deny"), allow.broken], [[], ["x"], false]);
  equal(allow.problems.length, 1);
  equal(readRules({ allow: ["x"], deny: "run_cmd" }, ORIGIN).broken, true);
  equal(readRules({ ask: { x: 1 } }, ORIGIN).broken, true);
  equal(readRules({ deny: [{ tool: "run_cmd" }] }, ORIGIN).broken, true);
  equal(readRules({ projects: [] }, ORIGIN, "/a").broken, true);
  equal(readRules({ projects: { "/a": [] } }, ORIGIN, "/a").broken, true);
  equal(readRules({ projects: { "/b": [] } }, ORIGIN, "/a").broken, false);
});

Deno.test("readRules() skips entries that are no rules and names the ones with problems", () => {
  const source = readRules({
    allow: ["a", "", " ", null, 7, { tool: "x" }, "b("],
    deny: [null, "c"],
  }, ORIGIN);
  assertEquals(texts(source, "allow"), ["a", "b("]);
  assertEquals(texts(source, "deny"), ["c"]);
  equal(source.broken, false);
  equal(source.problems.length, 5);
  equal(
    source.problems.at(-2),
    'Rule "b(" is not applied: a rule with "(" ends in ")" (in permissions.json)',
  );
});

Deno.test("readRules() says which keys mean nothing", () => {
  match(
    readRules({ denny: ["x"] }, ORIGIN).problems[0] ?? "",
    /^"denny" in permissions\.json means nothing; the lists are "allow", "ask", "deny"$/,
  );
  equal(readRules({ projects: {} }, { kind: "project", label: "p" }).problems.length, 1);
});

Deno.test("readRuleFile() never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
    const source = read(text, "/a");
    equal(source.rules.every(({ origin }) => origin.kind === "personal"), true);
  }));
});
