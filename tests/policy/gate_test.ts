import { deepStrictEqual as assertEquals, equal, match } from "node:assert";
import type { GuardedCall } from "@/protocol/policy.ts";
import { factsOf } from "@/policy/facts.ts";
import { decideByRules } from "@/policy/gate.ts";
import type { Grant } from "@/policy/grant.ts";
import { commandCall, guardedCall, pathCall } from "../support/guarded_call.ts";
import { decisionOf, PLACE, type RuleTexts, verdictOf } from "../support/rule_verdicts.ts";

function write(path: string, outside = false): GuardedCall {
  return pathCall("write_file", [path], { outside });
}

function read(path: string, outside = false): GuardedCall {
  return pathCall("read_file", [path], { outside, effect: "reads" });
}

type Case = readonly [rules: RuleTexts, call: GuardedCall, verdict: "allow" | "ask" | "deny"];

function check(cases: readonly Case[]): void {
  for (const [rules, call, verdict] of cases) {
    const label = `${JSON.stringify(rules)} on ${call.tool.name} ${JSON.stringify(call.subject)}`;
    equal(verdictOf(rules, call), verdict, label);
  }
}

Deno.test("deny beats ask beats allow, whatever the order", () => {
  check([
    [{ allow: ["write_file"], deny: ["write_file(*/.env)"] }, write("/work/shop/a/.env"), "deny"],
    [{ allow: ["write_file"], deny: ["write_file(*/.env)"] }, write("/work/shop/.env"), "deny"],
    [{ allow: ["write_file"], ask: ["write_file(src/*)"] }, write("/work/shop/src/a"), "ask"],
    [{ ask: ["write_file"], deny: ["write_file(src/*)"] }, write("/work/shop/src/a"), "deny"],
    [{ allow: ["write_file"] }, write("/work/shop/src/a"), "allow"],
    [{ deny: ["delete_file"] }, pathCall("delete_file", ["/work/shop/a"]), "deny"],
    [{}, write("/work/shop/src/a"), "ask"],
  ]);
});

Deno.test("an allow rule needs every path of a call, a deny or ask rule one", () => {
  const copy = pathCall("copy_file", ["/work/shop/a.py", "/work/shop/out/b.py"]);
  check([
    [{ allow: ["copy_file(a.py)"] }, copy, "ask"],
    [{ allow: ["copy_file(a.py)", "copy_file(out/*)"] }, copy, "allow"],
    [{ allow: ["copy_file(*.py)"] }, copy, "allow"],
    [{ deny: ["copy_file(out/*)"], allow: ["copy_file"] }, copy, "deny"],
    [{ ask: ["copy_file(a.py)"], allow: ["copy_file"] }, copy, "ask"],
  ]);
});

Deno.test("a path rule has no arguments behind it", () => {
  check([
    [{ allow: ["write_file(src/a)"] }, write("/work/shop/src/a b"), "ask"],
    [{ allow: ["write_file(src/a)"] }, write("/work/shop/src/a"), "allow"],
  ]);
});

Deno.test("outside the workspace only a rule that names the place allows", () => {
  check([
    [{ allow: ["read_file"] }, read("/etc/hosts", true), "ask"],
    [{ allow: ["read_file(*)"] }, read("/etc/hosts", true), "ask"],
    [{ allow: ["read_file(*/hosts)"] }, read("/etc/hosts", true), "ask"],
    [{ allow: ["read_file(/*)"] }, read("/etc/hosts", true), "ask"],
    [{ allow: ["read_file(/etc/*)"] }, read("/etc/hosts", true), "allow"],
    [{ allow: ["read_file(/etc/hosts)"] }, read("/etc/hosts", true), "allow"],
    [{ allow: ["read_file(~/notes/*)"] }, read("/home/me/notes/a", true), "allow"],
    [{ allow: ["read_file(../lib/*)"] }, read("/work/lib/a", true), "allow"],
    [{ deny: ["read_file(*/hosts)"] }, read("/etc/hosts", true), "deny"],
    // Said to be outside although the path reads as inside: then it is.
    [{ allow: ["read_file"] }, read("/work/shop/link", true), "ask"],
  ]);
  equal(
    decisionOf({ allow: ["read_file"] }, read("/etc/hosts", true)),
    undefined,
  );
});

Deno.test("a deny rule looks at the path as it was written too", () => {
  const call = pathCall("read_file", ["/data/secrets/key"], {
    spelled: ["./x/../secrets/key"],
    outside: true,
  });
  check([
    [{ deny: ["read_file(secrets/*)"] }, call, "deny"],
    [{ deny: ["read_file(secrets/)"] }, call, "deny"],
    [{ allow: ["read_file(secrets/*)"] }, call, "ask"],
  ]);
});

Deno.test("rules match a tool by its name and its other names alike", () => {
  const skill = guardedCall({ kind: "text", text: "review" }, {
    tool: "use_skill",
    otherNames: ["skill"],
  });
  check([
    [{ deny: ["skill"] }, skill, "deny"],
    [{ deny: ["use_skill(review)"] }, skill, "deny"],
    [{ allow: ["skill(re*)"] }, skill, "allow"],
    [{ allow: ["skil"] }, skill, "ask"],
  ]);
});

Deno.test("a rule with a pattern says nothing for sure about a tool without a subject", () => {
  const python = guardedCall({ kind: "none" }, { tool: "run_python" });
  check([
    [{ allow: ["run_python(import *)"] }, python, "ask"],
    [{ allow: ["run_python"] }, python, "allow"],
    [{ deny: ["run_python"] }, python, "deny"],
    [{ deny: ["run_python(import *)"], allow: ["run_python"] }, python, "ask"],
    [{ deny: ["*(rm *)"], allow: ["run_python"] }, python, "allow"],
  ]);
});

Deno.test("text rules match the whole text, and more words behind a plain one", () => {
  const search = (text: string) => guardedCall({ kind: "text", text }, { tool: "search_web" });
  check([
    [{ allow: ["search_web(python *)"] }, search("python asyncio"), "allow"],
    [{ allow: ["search_web(python)"] }, search("python asyncio"), "allow"],
    [{ allow: ["search_web(python)"] }, search("pythonic"), "ask"],
    [{ deny: ["search_web(*secret*)"] }, search("my secret key"), "deny"],
  ]);
});

Deno.test("url rules hold the parts of an address apart", () => {
  const get = (text: string) => guardedCall({ kind: "url", text }, { tool: "get_url" });
  check([
    [{ allow: ["get_url(https://a.example/*)"] }, get("https://a.example/x"), "allow"],
    [{ allow: ["get_url(https://a.example*)"] }, get("https://a.example.evil/x"), "allow"],
    [{ allow: ["get_url(https://a.example/*)"] }, get("https://a.example@evil/x"), "ask"],
    [{ deny: ["get_url(https://a.example/*)"] }, get("HTTPS://a.EXAMPLE/x"), "deny"],
  ]);
});

Deno.test("only a rule by the name unsandboxed lets a command out of the sandbox", () => {
  const push = commandCall("git push origin");
  const verdict = (rules: RuleTexts) => decisionOf(rules, push, { leaves: true })?.verdict ?? "ask";
  equal(verdict({ allow: ["run_cmd"] }), "ask");
  equal(verdict({ allow: ["*"] }), "ask");
  equal(verdict({ allow: ["un*"] }), "ask");
  equal(verdict({ allow: ["unsandboxed(git push *)"] }), "allow");
  equal(verdict({ allow: ["unsandboxed(git pull *)"] }), "ask");
  equal(verdict({ allow: ["unsandboxed(git push *)"], deny: ["run_cmd(git push *)"] }), "deny");
  equal(verdict({ allow: ["unsandboxed(git push *)"], deny: ["unsandboxed"] }), "deny");
  equal(decisionOf({ allow: ["unsandboxed(git push *)"] }, push), undefined);
  equal(decisionOf({ deny: ["unsandboxed"] }, push), undefined);
});

function grantVerdict(grant: Omit<Grant, "origin">, call: GuardedCall, leaves = false): string {
  const origin = { kind: "personal", label: "permissions.json" } as const;
  const set = { rules: [], grants: [{ ...grant, origin }] };
  return decideByRules(set, factsOf(call, leaves), PLACE)?.verdict ?? "ask";
}

Deno.test("a literal grant is equality", () => {
  const grant = { tool: "run_cmd", literal: "git status" };
  equal(grantVerdict(grant, commandCall("git status")), "allow");
  for (
    const text of ["git status --short", "git status ", "git  status", "git status; x", "git statu"]
  ) {
    equal(grantVerdict(grant, commandCall(text)), "ask", text);
  }
  const odd = { tool: "run_cmd", literal: "rm *; echo [a-z]" };
  equal(grantVerdict(odd, commandCall("rm *; echo [a-z]")), "allow");
  equal(grantVerdict(odd, commandCall("rm x; echo [a-z]")), "ask");
  equal(grantVerdict(grant, commandCall("git status"), true), "ask");
  equal(
    grantVerdict({ tool: "unsandboxed", literal: "git status" }, commandCall("git status"), true),
    "allow",
  );
});

Deno.test("a literal grant for a path is about that one path", () => {
  const grant = { tool: "write_file", literal: "/work/shop/src/[a]*.ts" };
  equal(grantVerdict(grant, write("/work/shop/src/[a]*.ts")), "allow");
  equal(grantVerdict(grant, write("/work/shop/src/ax.ts")), "ask");
  equal(
    grantVerdict({ tool: "write_file", literal: "src/a.ts" }, write("/work/shop/src/a.ts")),
    "allow",
  );
  equal(grantVerdict({ tool: "write_file", literal: "/etc/x" }, write("/etc/x", true)), "allow");
});

Deno.test("decideByRules() says who decided and why", () => {
  assertEquals(decisionOf({ allow: ["run_cmd(git status)"] }, commandCall("git status")), {
    verdict: "allow",
    by: "rule",
    reason: 'rule "run_cmd(git status)" (permissions.json) allows this command',
  });
  match(
    decisionOf({ allow: ["run_cmd(ls)", "run_cmd(cat *)"] }, commandCall("ls | cat -n"))?.reason ??
      "",
    /^2 rules together allow every part of this command$/,
  );
});
