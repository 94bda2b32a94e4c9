/** Rules of other harnesses in our words: as narrow where they allow, as wide where they refuse. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { claudeRule, geminiRule, opencodeRules, type Translated } from "@/lend/importing/rules.ts";
import { factsOf } from "@/policy/facts.ts";
import { decideByRules } from "@/policy/gate.ts";
import { parseRule, type Verdict } from "@/policy/rule.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { commandCall, guardedCall, pathCall } from "../../support/guarded_call.ts";
import { fc } from "../../support/property.ts";
import { PLACE } from "../../support/rule_verdicts.ts";

/** What the translated rule alone says of a call. */
function said(translated: Translated, verdict: Verdict, call: GuardedCall): Verdict | "nothing" {
  if ("why" in translated) return "nothing";
  const origin = { kind: "personal", label: "permissions.json" } as const;
  const rules = translated.rules.flatMap((rule) =>
    typeof rule === "string" ? [parseRule(rule, verdict, origin)] : []
  );
  const grants = translated.rules.flatMap((rule) =>
    typeof rule === "string" ? [] : [{ ...rule, origin }]
  );
  for (const { problem } of rules) equal(problem, undefined);
  return decideByRules({ rules, grants }, factsOf(call, false), PLACE)?.verdict ?? "nothing";
}

const at = (tool: string, path: string, effect: "reads" | "changes" = "changes") =>
  pathCall(tool, [path.startsWith("/") ? path : `/work/shop/${path}`], { effect });
const url = (text: string) =>
  guardedCall({ kind: "url", text }, { tool: "get_url", effect: "reads" });

Deno.test("geminiRule() takes the beginning of a command for one, and refuses by whole tools", () => {
  const cases: readonly (readonly [string, Verdict, GuardedCall, Verdict | "nothing"])[] = [
    ["run_shell_command(git status)", "allow", commandCall("git status --short"), "allow"],
    ["ShellTool(npm test)", "allow", commandCall("npm test"), "allow"],
    ["run_shell_command(git status)", "allow", commandCall("git stash"), "nothing"],
    ["run_shell_command(git status)", "allow", commandCall("git status; rm x"), "nothing"],
    ["run_shell_command(rm -rf)", "deny", commandCall("rm -rf /"), "deny"],
    ["run_shell_command", "deny", commandCall("ls"), "deny"],
    ["replace", "deny", at("edit_file", "a.ts"), "deny"],
    ["write_file", "deny", at("delete_file", "a.ts"), "deny"],
    ["save_memory", "allow", commandCall("ls"), "nothing"],
    ["read_file(a)", "allow", at("read_file", "a", "reads"), "nothing"],
  ];
  for (const [text, verdict, call, expected] of cases) {
    equal([text, said(geminiRule(text, verdict), verdict, call)], [text, expected]);
  }
});

Deno.test("claudeRule() allows exactly as much, or less", () => {
  const cases: readonly (readonly [string, GuardedCall, "allow" | "nothing"])[] = [
    ["Bash(git status)", commandCall("git status"), "allow"],
    ["Bash(git status)", commandCall("git status --short"), "nothing"],
    ["Bash(git add:*)", commandCall("git add a.ts"), "allow"],
    ["Bash(git add:*)", commandCall("git address"), "nothing"],
    ["Bash(git add:*)", commandCall("git add a && rm -rf b"), "nothing"],
    ["Bash(npm run test *)", commandCall("npm run test unit"), "allow"],
    ["Bash(npm run test *)", commandCall("npm run build"), "nothing"],
    ["Bash(ls [ab])", commandCall("ls a"), "nothing"],
    ["Bash(echo a?)", commandCall("echo ab"), "nothing"],
    ["Edit(/src/**)", at("edit_file", "src/deep/a.ts"), "allow"],
    ["Edit(/src/**)", at("edit_file", "test/src/a.ts"), "nothing"],
    ["Edit(/src/**)", at("delete_file", "src/a.ts"), "nothing"],
    ["Edit(src/*)", at("edit_file", "src/a.ts"), "nothing"],
    ["Edit(*.md)", at("edit_file", "a.md"), "nothing"],
    ["Edit(a.ts)", at("edit_file", "a.ts"), "allow"],
    ["Edit(src/a.ts)", at("edit_file", "src/b.ts"), "nothing"],
    ["Write(out/**)", at("edit_file", "out/a"), "nothing"],
    ["WebFetch(domain:deno.com)", url("https://deno.com/x"), "allow"],
    ["WebFetch(domain:deno.com)", url("https://deno.com.evil.example/x"), "nothing"],
    ["WebFetch(domain:deno.com)", url("http://deno.com/x"), "nothing"],
  ];
  for (const [text, call, verdict] of cases) {
    equal([text, call.subject, said(claudeRule(text, "allow"), "allow", call)], [
      text,
      call.subject,
      verdict,
    ]);
  }
});

Deno.test("claudeRule() refuses as much, or more", () => {
  const cases: readonly (readonly [string, GuardedCall])[] = [
    ["Bash(rm *)", commandCall("rm -rf x")],
    ["Bash(rm:*)", commandCall("rm x")],
    ["Bash(rm)", commandCall("rm")],
    ["Bash(ls [ab])", commandCall("ls [ab]")],
    ["Read(./.env)", at("read_file", ".env", "reads")],
    ["Read(.env)", at("read_file", "deep/er/.env", "reads")],
    ["Read(./secrets/**)", at("read_file", "secrets/a/b", "reads")],
    ["Read(./secrets/**)", at("list_dir", "secrets", "reads")],
    ["Read(./secrets/**)", at("copy_file", "secrets/a")],
    ["Read(**/*.pem)", at("read_file", "k.pem", "reads")],
    ["Read(**/*.pem)", at("read_file", "a/b/k.pem", "reads")],
    ["Read(*.pem)", at("read_file", "a/k.pem", "reads")],
    ["Read(secrets)", at("read_file", "a/secrets/x", "reads")],
    ["Read(secrets/)", at("read_file", "secrets/x", "reads")],
    ["Read(~/.ssh/**)", at("read_file", "/home/me/.ssh/id", "reads")],
    ["Read(//etc/**)", at("read_file", "/etc/passwd", "reads")],
    ["Read(conf[ai]g/x)", at("read_file", "confag/x", "reads")],
    ["Edit(package.json)", at("write_file", "sub/package.json")],
    ["Edit(/src/**)", at("delete_file", "src/a")],
    ["Write(src/*.ts)", at("edit_file", "src/a.ts")],
    ["WebFetch(domain:evil.example)", url("http://evil.example/x")],
    ["WebFetch(domain:evil.example)", url("https://evil.example")],
    ["WebFetch", url("https://a.example/")],
  ];
  for (const verdict of ["deny", "ask"] as const) {
    for (const [text, call] of cases) {
      equal([text, said(claudeRule(text, verdict), verdict, call)], [text, verdict]);
    }
  }
});

Deno.test("claudeRule() never allows a command that the line does not begin like", () => {
  const word = fc.constantFrom(
    "git",
    "status",
    "rm",
    "-rf",
    "*",
    "?",
    "[a]",
    "a\\*",
    ";",
    "&&",
    "x",
    "$(id)",
    ":*",
  );
  const lines = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(lines, lines, (rule, line) => {
      const translated = claudeRule(`Bash(${rule})`, "allow");
      if (said(translated, "allow", commandCall(line)) !== "allow") return;
      if (["*", ":*"].includes(rule.trim())) return;
      const theirs = rule.endsWith(":*") ? `${rule.slice(0, -2)}*` : rule;
      const pattern = theirs.split("*").map((part) =>
        part.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/ +/g, "\\s+")
      );
      match(line, new RegExp(`^${pattern.join(".*").replace(/\\s\+$/, "\\s*")}$`, "s"));
    }),
    { numRuns: 400 },
  );
});

Deno.test("claudeRule() says why where there is none", () => {
  for (
    const text of [
      "",
      "Bash(",
      "NoSuch(x)",
      "KillShell",
      "WebFetch(https://x)",
      `mcp__${"a".repeat(80)}`,
    ]
  ) {
    ok("why" in claudeRule(text, "deny"), text);
  }
  equal(claudeRule("mcp__github", "deny"), { rules: ["mcp__github", "mcp__github__*"] });
  equal(claudeRule("mcp__github__create_issue", "allow"), { rules: ["mcp__github__create_issue"] });
});

Deno.test("opencodeRules() reads kinds and patterns", () => {
  equal(opencodeRules("bash", "git push *", "ask"), { rules: ["run_cmd(git push *)"] });
  equal(opencodeRules("bash", undefined, "deny"), { rules: ["run_cmd", "run_python"] });
  equal(opencodeRules("bash", "git status", "allow"), {
    rules: [{ tool: "run_cmd", literal: "git status" }],
  });
  equal(said(opencodeRules("edit", undefined, "deny"), "deny", at("delete_file", "a")), "deny");
  ok("why" in opencodeRules("doom_loop", undefined, "ask"));
});
