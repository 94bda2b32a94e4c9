import { equal, match } from "node:assert";
import { fc } from "../support/property.ts";
import { analyse } from "@/policy/shell.ts";
import { verdictOf } from "../support/rule_verdicts.ts";

const STATUS = { allow: ["run_cmd(git status)"] };

Deno.test("a rule without a wildcard covers the command and its arguments, and nothing beside it", () => {
  for (
    const text of [
      "git status",
      " git status ",
      "git status --short",
      "git\tstatus -s .",
      "'git' status",
    ]
  ) {
    equal(verdictOf(STATUS, text), "allow", text);
  }
  for (
    const text of [
      "git status; x",
      "git status && x",
      "git status || x",
      "git status | x",
      "git status > f",
      "git status >> f",
      "git status < f",
      "git status\nx",
      "git status\r\nx",
      "git status & x",
      "git status &",
      "git status `x`",
      "git status $(x)",
      "git status ${x}",
      "git statusx",
      "git",
      "gits status",
      "./git status",
      "/tmp/git status",
      "A=1 git status",
      "git -c core.fsmonitor=./p.sh status",
      "git -C /tmp status",
      "$git status",
      "git status '",
    ]
  ) equal(verdictOf(STATUS, text), "ask", text);
});

Deno.test("each command of a line needs a rule of its own", () => {
  const rules = { allow: ["run_cmd(git status)", "run_cmd(git log *)", "run_cmd(grep *)"] };
  for (
    const text of [
      "git status && git log -1",
      "git log -1 | grep x",
      "git status; git log -1\ngit status",
      "(git status)",
      "{ git status; git log -1; }",
      "if git status; then git log -1; else git status; fi",
      "git status 2>&1",
      "git status 2>/dev/null >/dev/null",
      "! git status",
    ]
  ) equal(verdictOf(rules, text), "allow", text);
  for (
    const text of [
      "git status && git push",
      "git log -1 | sh",
      "if git status; then rm x; fi",
      "for f in a; do git status; done",
      "git status () { x; }; git status",
      "{ git status; } > f",
      "cd sub && git status",
    ]
  ) equal(verdictOf({ allow: [...rules.allow, "run_cmd(cd *)"] }, text), "ask", text);
});

Deno.test("a rule of several commands covers exactly those", () => {
  const rules = { allow: ["run_cmd(git log * | grep *)", "run_cmd(npm test && npm run lint)"] };
  equal(verdictOf(rules, "git log --oneline | grep fix"), "allow");
  equal(verdictOf(rules, "npm test && npm run lint"), "allow");
  for (
    const text of [
      "git log --oneline | grep fix | sh",
      "git log --oneline && grep fix",
      "git log --oneline; grep fix",
      "git log --oneline",
      "grep fix",
      "git log --output=x | grep fix",
      "git log -1 | grep fix > f",
      "npm test && npm run lint && rm -rf ~",
      "npm test && npm run lint --fix",
      "npm test || npm run lint",
      "npm test",
      "npm run lint",
      "npm test &\nnpm run lint",
    ]
  ) equal(verdictOf(rules, text), "ask", text);
});

Deno.test("a rule covers a redirection only by spelling it out", () => {
  const rules = { allow: ["run_cmd(make > out.log)", "run_cmd(echo *)"] };
  equal(verdictOf(rules, "make > out.log"), "allow");
  equal(verdictOf(rules, "make > 'out.log' 2>&1"), "allow");
  for (
    const text of [
      "make > other.log",
      "make >> out.log",
      "make all > out.log",
      "echo x > out.log",
      "echo x >| f",
      "echo x &> f",
    ]
  ) {
    equal(verdictOf(rules, text), "ask", text);
  }
});

Deno.test("a rule for the bare tool covers every command", () => {
  equal(verdictOf({ allow: ["run_cmd"] }, "curl x | sh"), "allow");
});

Deno.test("a quoted blank is no gap between words", () => {
  equal(verdictOf({ allow: ['run_cmd(grep "a b" f)'] }, "grep 'a b' f"), "allow");
  equal(verdictOf({ allow: ['run_cmd(grep "a b" f)'] }, "grep a b f"), "ask");
  equal(verdictOf({ allow: ["run_cmd(cat [*])"] }, "cat '*'"), "allow");
  equal(verdictOf({ allow: ["run_cmd(cat [*])"] }, "cat *"), "ask");
  equal(verdictOf({ allow: ["run_cmd(cat \\*)"] }, "cat secrets"), "ask");
});

Deno.test("no rule allows a line with hidden characters", () => {
  for (
    const text of [
      "git status \u202e",
      "git status\u00a0x",
      "git status \x1b[2K",
      "git status\u200b",
    ]
  ) {
    equal(verdictOf({ allow: ["run_cmd(git *)"] }, text), "ask", JSON.stringify(text));
  }
});

Deno.test("an allow rule never allows a line into which anything that runs was put", () => {
  const payloads = fc.constantFrom(
    "; touch f",
    " && touch f",
    " | touch f",
    " & touch f",
    "\ntouch f",
    " $(touch f)",
    " `touch f`",
    " > f",
    " >> f",
    " <(touch f)",
    " ${x:=$(touch f)}",
    "; $x",
    " |& touch f",
    " || touch f",
  );
  const starts = fc.constantFrom(
    "git status",
    "git log -1",
    "ls -la",
    "echo 'a b' \"c\"",
    "grep -rn x src",
  );
  const tails = fc.constantFrom("", " ", " # x", "\n", " ;", " 2>&1", " x", " 'y'");
  const rules = {
    allow: ["run_cmd(git *)", "run_cmd(ls *)", "run_cmd(ls)", "run_cmd(echo *)", "run_cmd(grep *)"],
  };
  fc.assert(
    fc.property(starts, payloads, tails, (start, payload, tail) => {
      equal(verdictOf(rules, `${start}${payload}${tail}`), "ask", `${start}${payload}${tail}`);
    }),
    { numRuns: 500 },
  );
});

Deno.test("an allow rule never allows a mutated line whose programs it does not name", () => {
  const alphabet = [..."git status log-1;&|<>$`'\"\\(){}[]*?!#~=\n\t x"];
  const edits = fc.array(
    fc.tuple(fc.nat(30), fc.constantFrom(...alphabet), fc.boolean()),
    { minLength: 1, maxLength: 6 },
  );
  const rules = { allow: ["run_cmd(git status)", "run_cmd(git log *)"] };
  fc.assert(
    fc.property(fc.constantFrom("git status", "git log -1 x"), edits, (start, changes) => {
      let text = start;
      for (const [at, char, isInsert] of changes) {
        const index = at % (text.length + 1);
        text = text.slice(0, index) + char + text.slice(isInsert ? index : index + 1);
      }
      if (verdictOf(rules, text) !== "allow") return;
      const line = analyse(text);
      equal(line.unclear, undefined, text);
      for (const { words } of line.commands) {
        const [program, command] = words.map((word) => word.text);
        equal(program, "git", text);
        match(command ?? "", /^(status|log)$/, text);
      }
    }),
    { numRuns: 3_000 },
  );
});
