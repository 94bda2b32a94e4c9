import { deepStrictEqual as assertEquals, equal } from "node:assert";
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import { guardList, type GuardParts, offeredReaches } from "@/agent/guards/mod.ts";
import { factsOf } from "@/policy/facts.ts";
import { allowed, asked, denied } from "@/policy/gate.ts";
import { reachesFor } from "@/policy/grant.ts";
import { commandCall, guardedCall, pathCall } from "../../support/guarded_call.ts";
import { PLACE, rulesOf, type RuleTexts } from "../../support/rule_verdicts.ts";

type Options = Partial<Omit<GuardParts, "policy">> & {
  rules?: RuleTexts;
  sandboxed?: boolean;
  auto?: boolean;
  off?: boolean;
};

/** The list over fixed rules. */
function listOf({ rules = {}, sandboxed = false, auto = false, off = false, ...more }: Options) {
  const set = { rules: rulesOf(rules), grants: [] };
  const facts = (call: GuardedCall) => factsOf(call, sandboxed && isLeaving(call));
  return guardList({
    deniesReading: () => undefined,
    policy: {
      denied: (call) => denied(set, facts(call), PLACE),
      asked: (call) => asked(set, facts(call), PLACE),
      allowed: (call) => allowed(set, facts(call), PLACE).decision,
      whyNotAllowed: (call) => allowed(set, facts(call), PLACE).why,
    },
    isSandboxed: () => sandboxed,
    isAuto: () => auto,
    isSandboxOff: () => off,
    ...more,
  });
}

function isLeaving({ input }: GuardedCall): boolean {
  return typeof input === "object" && input !== null && "outside_sandbox" in input;
}

async function decide(call: GuardedCall, options: Options = {}): Promise<Decision> {
  for (const guard of listOf(options)) {
    const decision = await guard(call);
    if (decision !== undefined) return decision;
  }
  throw new Error("No guard answered");
}

async function outcome(call: GuardedCall, options: Options = {}): Promise<string> {
  const { verdict, by } = await decide(call, options);
  return `${verdict} ${by}`;
}

const ls = commandCall("ls");
const leaving = guardedCall({ kind: "command", text: "git push" }, {
  tool: "run_cmd",
  input: { outside_sandbox: "it needs the network" },
});
const write = pathCall("write_file", ["/work/shop/a"]);
const read = pathCall("read_file", ["/work/shop/a"], { effect: "reads" });
const writeOutside = pathCall("write_file", ["/etc/a"], { outside: true });
const readOutside = pathCall("read_file", ["/etc/a"], { outside: true, effect: "reads" });

Deno.test("guardList() answers every call", async () => {
  equal(await outcome(ls), "ask guard");
  equal(await outcome(write), "ask guard");
  equal(await outcome(read), "allow guard");
  equal(await outcome(readOutside), "ask guard");
  equal(
    await outcome(guardedCall({ kind: "url", text: "https://a.example" }, { effect: "reads" })),
    "ask guard",
  );
  equal(await outcome(guardedCall({ kind: "none" }, { effect: "reads" })), "allow guard");
});

Deno.test("a deny rule comes before everything, an ask rule before everything but that", async () => {
  const everything = { auto: true, off: true, sandboxed: true };
  equal(
    await outcome(ls, { ...everything, rules: { deny: ["run_cmd"], allow: ["run_cmd"] } }),
    "deny rule",
  );
  equal(await outcome(read, { ...everything, rules: { deny: ["read_file(a)"] } }), "deny rule");
  equal(
    await outcome(ls, { ...everything, rules: { ask: ["run_cmd(ls)"], allow: ["run_cmd"] } }),
    "ask rule",
  );
  equal(
    await outcome(commandCall("$x"), { ...everything, rules: { deny: ["run_cmd(rm *)"] } }),
    "ask rule",
  );
});

Deno.test("guards that come first answer before rules", async () => {
  const stage = () => ({ verdict: "deny", by: "guard", reason: "reading only" }) as const;
  equal(
    (await decide(write, { rules: { allow: ["write_file"] }, first: [stage] })).reason,
    "reading only",
  );
});

Deno.test("an allow rule lets through inside, and outside only what names the place", async () => {
  equal(await outcome(write, { rules: { allow: ["write_file"] } }), "allow rule");
  equal(await outcome(writeOutside, { rules: { allow: ["write_file"] } }), "ask guard");
  equal(await outcome(writeOutside, { rules: { allow: ["write_file(/etc/*)"] } }), "allow rule");
});

Deno.test("a proven sandbox lets commands through that stay in it", async () => {
  equal(await outcome(ls, { sandboxed: true }), "allow sandbox");
  equal(await outcome(leaving, { sandboxed: true }), "ask guard");
  equal(await outcome(leaving, { sandboxed: true, rules: { allow: ["run_cmd"] } }), "ask guard");
  equal(
    await outcome(leaving, { sandboxed: true, rules: { allow: ["unsandboxed(git push)"] } }),
    "allow rule",
  );
  equal(await outcome(write, { sandboxed: true }), "ask guard");
  equal(await outcome(guardedCall({ kind: "none" }), { sandboxed: true }), "ask guard");
  const python = guardedCall({ kind: "none" }, { process: "inside" });
  equal(await outcome(python, { sandboxed: true }), "allow sandbox");
  equal(await outcome(python), "ask guard");
  const typing = guardedCall({ kind: "none" }, { process: "outside" });
  equal(await outcome(typing, { sandboxed: true }), "ask guard");
});

Deno.test("automode covers neither the outside nor commands that nothing holds", async () => {
  const auto = true;
  equal(await outcome(write, { auto }), "allow automode");
  equal(await outcome(ls, { auto }), "ask guard");
  equal(await outcome(writeOutside, { auto }), "ask guard");
  equal(await outcome(readOutside, { auto }), "ask guard");
  equal(await outcome(ls, { auto, sandboxed: true }), "allow sandbox");
  equal(await outcome(leaving, { auto, sandboxed: true }), "ask guard");
});

Deno.test("automode with --sandbox off lets everything through that no rule stops", async () => {
  const both = { auto: true, off: true };
  equal(await outcome(ls, both), "allow automode");
  equal(await outcome(writeOutside, both), "allow automode");
  equal(await outcome(ls, { ...both, rules: { deny: ["run_cmd(ls)"] } }), "deny rule");
  equal(await outcome(ls, { off: true }), "ask guard");
});

Deno.test("files that give rights are always asked about when they would change", async () => {
  const everything = { auto: true, off: true, sandboxed: true, rules: { allow: ["*"] } };
  for (
    const path of [
      ".permissions.json",
      "permissions.json",
      ".mcp.json",
      ".MCP.JSON",
      ".git/hooks/pre-commit",
      ".git/config",
      ".git",
      "sub/.git/config",
      ".vscode/tasks.json",
      ".envrc",
      ".husky/pre-commit",
    ]
  ) {
    const call = pathCall("write_file", [`/work/shop/${path}`]);
    equal(await outcome(call, everything), "ask guard", path);
    equal((await decide(call, everything)).reason.includes(path), true);
    assertEquals(
      offeredReaches(call, {
        policy: { reachesOf: (one) => reachesFor(factsOf(one, false), PLACE) },
      }),
      [],
    );
    equal(
      await outcome(pathCall("read_file", [`/work/shop/${path}`], { effect: "reads" })),
      "allow guard",
    );
  }
  for (
    const path of ["src/git/config.ts", ".gitignore", "mcp.ts", "docs/.github/x", ".git-blame"]
  ) {
    equal(
      await outcome(pathCall("write_file", [`/work/shop/${path}`]), everything),
      "allow rule",
      path,
    );
  }
  equal(
    offeredReaches(write, {
      policy: { reachesOf: (one) => reachesFor(factsOf(one, false), PLACE) },
    }).length,
    2,
  );
});

Deno.test("copying a file that gives rights to somewhere else changes nothing of it", async () => {
  const call = guardedCall({
    kind: "path",
    paths: ["/work/shop/.mcp.json", "/work/shop/copy.json"],
    reads: ["/work/shop/.mcp.json"],
  }, { tool: "copy_file" });
  equal(await outcome(call, { rules: { allow: ["copy_file"] } }), "allow rule");
});

Deno.test("the question says what is missing", async () => {
  const reason = async (call: GuardedCall, options: Options = {}) =>
    (await decide(call, options)).reason;
  equal(await reason(write), "no rule allows it");
  equal(await reason(ls), "no sandbox holds it");
  equal(await reason(readOutside), "it reaches outside the workspace");
  equal(await reason(leaving, { sandboxed: true }), "it asks to run outside the sandbox");
  equal(
    await reason(commandCall("git status && make > f"), {
      rules: { allow: ["run_cmd(git status)"] },
    }),
    "no sandbox holds it; it writes to a file (> f); it runs git, make; it writes to f",
  );
  equal(
    await reason(commandCall("git diff --output=f"), { rules: { allow: ["run_cmd(git *)"] } }),
    'no sandbox holds it; "--output=f" can make git run a program or write a file',
  );
});
