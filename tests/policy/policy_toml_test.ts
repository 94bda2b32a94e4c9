import { deepStrictEqual as assertEquals, equal, match, throws } from "node:assert";
import { factsOf } from "@/policy/facts.ts";
import { decideInOrder, decideOtherwise } from "@/policy/ordered.ts";
import { readPolicyToml } from "@/policy/policy_toml.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { PersonError } from "@/protocol/error.ts";
import { commandCall, guardedCall, pathCall } from "../support/guarded_call.ts";
import { PLACE } from "../support/rule_verdicts.ts";

const RULES = `# rules of a supervisor
default = "ask"

[[rules]]
tools = ["write_file", "edit_file"]
paths = ["notes/**", "~/own/**"]
then = "allow"

[[rules]]
tools = "write_file"
then = "deny"
reason = "work goes to those who are hired for it"

[[rules]]
command = ["git status", "git log"]
then = "allow"

[[rules]]
tools = ["fleet"]
when = { action = "stop" }
then = "ask"
reason = "stopping a task abandons the work in it"

[[rules]]
tools = ["fleet"]
then = "allow"
`;

function verdict(call: GuardedCall): string | undefined {
  return decideInOrder(readPolicyToml(RULES, "policy.toml"), factsOf(call, false), PLACE)?.verdict;
}

function write(path: string): GuardedCall {
  return pathCall("write_file", [path], { outside: !path.startsWith(PLACE.workspace) });
}

function fleet(input: Record<string, unknown>): GuardedCall {
  return guardedCall({ kind: "none" }, { tool: "fleet", input });
}

Deno.test("the first rule of a profile that speaks decides", () => {
  equal(verdict(write("/work/shop/notes/a.md")), "allow");
  equal(verdict(write("/home/me/own/a.md")), "allow");
  equal(verdict(write("/work/shop/src/a.ts")), "deny");
  equal(verdict(write("/etc/passwd")), "deny");
  equal(verdict(pathCall("edit_file", ["/work/shop/src/a.ts"])), undefined);
});

Deno.test("an allow of a profile needs every path, all of its patterns together", () => {
  const both = ["/work/shop/notes/a", "/home/me/own/b"];
  equal(verdict(pathCall("write_file", both)), "allow");
  equal(verdict(pathCall("write_file", [...both, "/work/shop/src/c"])), "deny");
});

Deno.test("a command of a profile is a prefix at a word, and never goes through an operator", () => {
  equal(verdict(commandCall("git status --short")), "allow");
  equal(verdict(commandCall("git status && git log -1")), "allow");
  equal(verdict(commandCall("git statusx")), undefined);
  equal(verdict(commandCall("git status; rm x")), undefined);
  equal(verdict(commandCall("git status > /home/me/.bashrc")), undefined);
});

Deno.test("when is equality with texts at the top of the arguments, and nothing else", () => {
  equal(verdict(fleet({ action: "stop" })), "ask");
  equal(verdict(fleet({ action: "start" })), "allow");
  for (const input of [{}, { action: 1 }, { action: ["stop"] }, { deep: { action: "stop" } }]) {
    equal(verdict(fleet(input)), "allow", JSON.stringify(input));
  }
  const strict = readPolicyToml(
    `[[rules]]\ntools = "fleet"\nwhen = { action = "stop", force = "yes" }\nthen = "deny"`,
    "p",
  );
  const said = (input: Record<string, unknown>) =>
    decideInOrder(strict, factsOf(fleet(input), false), PLACE)?.verdict;
  equal(said({ action: "stop" }), undefined);
  equal(said({ action: "stop", force: "yes" }), "deny");
  equal(said(Object.create({ action: "stop", force: "yes" })), undefined);
});

Deno.test("a decision by a profile gives the rule, its line and its reason", () => {
  const rules = readPolicyToml(RULES, "sup/policy.toml");
  const decision = decideInOrder(rules, factsOf(write("/work/shop/a"), false), PLACE);
  match(
    decision?.reason ?? "",
    /rule "write_file" \(sup\/policy\.toml:9\) denies this path: work goes/,
  );
});

Deno.test("a default allow lets nothing out of the workspace or the sandbox", () => {
  const rules = readPolicyToml(`default = "allow"`, "p");
  equal(decideOtherwise(rules, { leaves: false, outside: false })?.verdict, "allow");
  equal(decideOtherwise(rules, { leaves: true, outside: false }), undefined);
  equal(decideOtherwise(rules, { leaves: false, outside: true }), undefined);
  equal(decideOtherwise(readPolicyToml("", "p"), { leaves: false, outside: false }), undefined);
});

Deno.test("a slip in a policy is an error with file and line", () => {
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    [`default = "alow"`, /p:1: "default" is "alow"; it is "allow", "ask" or "deny"/],
    [`x = 1`, /p:1: "x" means nothing in the file/],
    [
      `\n[[rule]]\ntools = "a"`,
      /p:2: "rule" means nothing in the file; "rules" was probably meant/,
    ],
    [`[[rules]]\ntools = "a"\n\nthen = "denied"`, /p:4: "then" is "denied"/],
    [
      `[[rules]]\ntools = "a"\nthen = "deny"\n[[rules]]\ntool = "b"\nthen = "deny"`,
      /p:5: "tool" means nothing in a rule; "tools" was/,
    ],
    [`[[rules]]\ntools = "a"\n`, /p:1: the rule says no "then"/],
    [`[[rules]]\nthen = "deny"`, /p:1: the rule is about nothing/],
    [`[[rules]]\npaths = "a"\ncommand = "b"\nthen = "deny"`, /p:3: a call has paths or a command/],
    [`[[rules]]\ntools = "run_cmd(git *)"\nthen = "deny"`, /p:2: "tools" is "run_cmd\(git \*\)"/],
    [`[[rules]]\ntools = []\nthen = "deny"`, /p:2: "tools" is \[\]/],
    [`[[rules]]\ntools = ""\nthen = "deny"`, /p:2: "tools" is ""/],
    [`[[rules]]\npaths = [" "]\nthen = "deny"`, /p:2: "paths" is/],
    [`[[rules]]\ntools = "a"\nwhen = { n = 1 }\nthen = "deny"`, /p:3: "when" is/],
    [`[[rules]]\ntools = "a"\nthen = "deny"\n[rules.when]\nn = 1`, /p:4: "when" is/],
    [
      `[[rules]]\nreason = """\n[[rules]]\nthen = 1"""\ntools = "a"\nthen = "x"`,
      /p:6: "then" is "x"/,
    ],
    [`rules = "a"`, /p:1: "rules" is "a"/],
    [`[[rules]]\ntools = = "a"`, /p:2:\d+: it is not TOML/],
    [`default = "ask"\ndefault = "deny"`, /p:2:\d+: it is not TOML/],
  ];
  for (const [text, says] of cases) {
    throws(() => readPolicyToml(text, "p"), (error) => {
      equal(error instanceof PersonError && error.kind, "settings", text);
      match(String(error), says, text);
      return true;
    });
  }
});

Deno.test("a policy without rules says nothing", () => {
  assertEquals(readPolicyToml("# nothing yet\n", "p"), { entries: [] });
});
