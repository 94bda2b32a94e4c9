import { deepStrictEqual as assertEquals, equal } from "node:assert";
import { fc } from "../support/property.ts";
import type { GuardedCall, Reach } from "@/protocol/policy.ts";
import { factsOf } from "@/policy/facts.ts";
import { decideByRules } from "@/policy/gate.ts";
import { reachesFor } from "@/policy/grant.ts";
import { parseRule } from "@/policy/rule.ts";
import { commandCall, guardedCall, pathCall } from "../support/guarded_call.ts";
import { PLACE } from "../support/rule_verdicts.ts";

function reaches(call: GuardedCall, leaves = false): readonly Reach[] {
  return reachesFor(factsOf(call, leaves), PLACE);
}

/** What a saved reach does with a call. */
function covers(reach: Reach | undefined, call: GuardedCall, leaves = false): boolean {
  const origin = { kind: "personal", label: "permissions.json" } as const;
  if (reach === undefined) throw new Error("No such reach was offered");
  const { rule } = reach;
  const set = typeof rule === "string"
    ? { rules: [parseRule(rule, "allow", origin)], grants: [] }
    : { rules: [], grants: [{ ...rule, origin }] };
  return decideByRules(set, factsOf(call, leaves), PLACE)?.verdict === "allow";
}

Deno.test("reachesFor() offers exactly this call first, then a prefix, then the tool", () => {
  assertEquals(reaches(commandCall("git log -1")), [
    {
      kind: "literal",
      preview: "exactly this: git log -1",
      rule: { tool: "run_cmd", literal: "git log -1" },
    },
    {
      kind: "prefix",
      preview: 'every command "git log …" with any plain arguments',
      rule: "run_cmd(git log)",
    },
    { kind: "tool", preview: "every command, whatever it does", rule: "run_cmd" },
  ]);
  assertEquals(reaches(pathCall("write_file", ["/work/shop/src/a.ts"])), [
    {
      kind: "literal",
      preview: "exactly this: /work/shop/src/a.ts",
      rule: { tool: "write_file", literal: "/work/shop/src/a.ts" },
    },
    {
      kind: "prefix",
      preview: "write_file on everything in src, at any depth",
      rule: "write_file(/work/shop/src/*)",
    },
    { kind: "tool", preview: "every write_file inside the workspace", rule: "write_file" },
  ]);
  assertEquals(
    reaches(guardedCall({ kind: "url", text: "https://a.example:8443/x?y" }, { tool: "get_url" }))
      .map(({ rule }) => rule),
    [
      { tool: "get_url", literal: "https://a.example:8443/x?y" },
      "get_url(https://a.example:8443/*)",
      "get_url",
    ],
  );
  assertEquals(reaches(guardedCall({ kind: "none" }, { tool: "run_python" })), [
    { kind: "tool", preview: "every run_python, whatever it is given", rule: "run_python" },
  ]);
});

Deno.test("reachesFor() offers a prefix only where a prefix is no blank cheque", () => {
  const prefix = (text: string) =>
    reaches(commandCall(text)).find(({ kind }) => kind === "prefix")?.rule;
  const cases: Readonly<Record<string, string | undefined>> = {
    "git status": "run_cmd(git status)",
    "ls -la src": "run_cmd(ls)",
    "npm run lint -- --fix": "run_cmd(npm run lint)",
    "npm test": "run_cmd(npm test)",
    "./build.sh x": "run_cmd(./build.sh)",
    "cargo test --all": "run_cmd(cargo test)",
    "python3 a.py": undefined,
    "node -e 1": undefined,
    "bash -c ls": undefined,
    "env ls": undefined,
    "sudo ls": undefined,
    "time ls": undefined,
    "rm -rf build": undefined,
    "git push": undefined,
    "git -C x status": undefined,
    "git": undefined,
    "git --version": undefined,
    "find . -delete": undefined,
    "ls > f": undefined,
    "ls; ls": undefined,
    "A=1 ls": undefined,
    "$x": undefined,
    "'a b' c": undefined,
    "npm run 'a b'": undefined,
    "docker run x": undefined,
  };
  for (const [text, rule] of Object.entries(cases)) equal(prefix(text), rule, text);
});

Deno.test("a literal reach covers that call and no other", () => {
  const [literal] = reaches(commandCall("git status"));
  equal(covers(literal, commandCall("git status")), true);
  for (const text of ["git status --porcelain; touch f", "git status --porcelain", "git status "]) {
    equal(covers(literal, commandCall(text)), false, text);
  }
});

Deno.test("a directory with wildcards in its name is saved as itself", () => {
  const call = pathCall("write_file", ["/work/shop/app/[id]*/a.ts"]);
  const prefix = reaches(call).find(({ kind }) => kind === "prefix");
  equal(prefix?.rule, "write_file(/work/shop/app/[[]id][*]/*)");
  equal(covers(prefix, call), true);
  equal(covers(prefix, pathCall("write_file", ["/work/shop/app/[id]*/b/c.ts"])), true);
  equal(covers(prefix, pathCall("write_file", ["/work/shop/app/i/a.ts"])), false);
  equal(covers(prefix, pathCall("write_file", ["/work/shop/app/[id]x/a.ts"])), false);
});

Deno.test("outside the workspace no reach covers more than the place", () => {
  const call = pathCall("read_file", ["/etc/ssh/config"], { outside: true, effect: "reads" });
  const offered = reaches(call);
  assertEquals(offered.map(({ rule }) => rule), [
    { tool: "read_file", literal: "/etc/ssh/config" },
    "read_file(/etc/ssh/*)",
  ]);
  for (const reach of offered) {
    equal(covers(reach, call), true);
    equal(covers(reach, pathCall("read_file", ["/etc/passwd"], { outside: true })), false);
  }
  // The directory above the workspace would take the workspace with it.
  const above = pathCall("read_file", ["/work/notes"], { outside: true });
  equal(reaches(above).length, 1);
});

Deno.test("a way out of the sandbox is saved under its own name", () => {
  const call = commandCall("git fetch origin");
  const offered = reaches(call, true);
  assertEquals(offered.map(({ rule }) => rule), [
    { tool: "unsandboxed", literal: "git fetch origin" },
    "unsandboxed(git fetch)",
  ]);
  equal(covers(offered[0], call, true), true);
  equal(covers(offered[0], call), false);
});

Deno.test("a tool's own scope is what an always about it covers", () => {
  const call = (scope: string) => guardedCall({ kind: "none" }, { tool: "room", scope });
  const reach = reaches(call("delete")).find(({ kind }) => kind === "prefix");
  assertEquals(reach?.rule, { tool: "room", literal: "delete" });
  equal(covers(reach, call("delete")), true);
  equal(covers(reach, call("create")), false);
});

Deno.test("a preview shows hidden characters and stays short", () => {
  const [literal] = reaches(commandCall(`echo \u202e${"x".repeat(500)}\n`));
  equal(literal?.preview.includes("\\u{202e}"), true);
  equal((literal?.preview.length ?? 0) < 200, true);
});

Deno.test("every reach that is offered covers the call it was offered for", () => {
  const word = fc.constantFrom(
    "git",
    "log",
    "ls",
    "-la",
    "src",
    "'a b'",
    "*",
    "[x]",
    ";",
    "&&",
    "$x",
    "npm",
    "run",
    "\n",
  );
  fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
    const call = commandCall(words.join(" "));
    for (const reach of reaches(call)) equal(covers(reach, call), true, `${words} ${reach.kind}`);
  }));
  const name = fc.string({
    unit: fc.constantFrom("a", "[", "]", "*", "?", " ", "(", ")", "é"),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(fc.property(name, name, (directory, file) => {
    const call = pathCall("write_file", [`/work/shop/${directory}/${file}`]);
    for (const reach of reaches(call)) {
      equal(covers(reach, call), true, `${directory}/${file} ${reach.kind}`);
    }
  }));
});
