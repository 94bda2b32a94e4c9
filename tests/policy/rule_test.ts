import { deepStrictEqual as assertEquals, equal, match } from "node:assert";
import { fc } from "../support/property.ts";
import { isAbout, named, parseRule, problemSentence, ruleProblem } from "@/policy/rule.ts";

const ORIGIN = { kind: "personal", label: "permissions.json" } as const;

Deno.test("parseRule() splits a rule at its first bracket", () => {
  assertEquals(parseRule(" run_cmd( git log (x)* ) ", "allow", ORIGIN), {
    text: " run_cmd( git log (x)* ) ",
    verdict: "allow",
    tool: "run_cmd",
    pattern: " git log (x)* ",
    origin: ORIGIN,
  });
  assertEquals(parseRule("mcp__fs__*", "deny", ORIGIN).tool, "mcp__fs__*");
});

Deno.test("ruleProblem() names what makes a text no rule", () => {
  const cases = {
    "write_file": undefined,
    "run_cmd(git *)": undefined,
    "write_file()": "empty-pattern",
    "write_file(  )": "empty-pattern",
    "run_cmd(git status": "bracket-not-closed",
    "run_cmd(git status) x": "bracket-not-closed",
    "(git status)": "no-tool-name",
    "": "no-tool-name",
    [`run_cmd(${"x".repeat(5_000)})`]: "too-long",
  };
  for (const [text, problem] of Object.entries(cases)) equal(ruleProblem(text), problem, text);
});

Deno.test("problemSentence() says what to write instead", () => {
  equal(
    problemSentence("write_file()", "empty-pattern"),
    'Rule "write_file()" is not applied: its pattern is empty; write "write_file" for every call',
  );
  match(problemSentence("(x)", "no-tool-name"), /names no tool; write tool or tool\(pattern\)$/);
});

Deno.test("isAbout() matches a tool by any of its names, and no rule with a problem", () => {
  const rule = (text: string) => parseRule(text, "deny", ORIGIN);
  equal(isAbout(rule("use_skill(x)"), ["use_skill", "skill"]), true);
  equal(isAbout(rule("skill(x)"), ["use_skill", "skill"]), true);
  equal(isAbout(rule("mcp__*"), ["mcp__a__b"]), true);
  equal(isAbout(rule("Run_cmd"), ["run_cmd"]), false);
  equal(isAbout(rule("run_cmd("), ["run_cmd"]), false);
});

Deno.test("named() says where a rule stands", () => {
  equal(
    named(parseRule("run_cmd(rm *)", "deny", ORIGIN)),
    'rule "run_cmd(rm *)" (permissions.json)',
  );
});

Deno.test("parseRule() takes any text", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    const rule = parseRule(text, "allow", ORIGIN);
    equal(rule.problem === undefined, ruleProblem(text) === undefined);
  }));
});
