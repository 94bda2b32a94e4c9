/** Calls that must not run unasked, against the whole list of guards without a sandbox. */
import { notEqual } from "node:assert";
import { guardList } from "@/agent/guards/mod.ts";
import { factsOf } from "@/policy/facts.ts";
import { allowed, asked, denied } from "@/policy/gate.ts";
import type { Guard, GuardedCall } from "@/protocol/policy.ts";
import { commandCall } from "../../support/guarded_call.ts";
import { PLACE, rulesOf, type RuleTexts } from "../../support/rule_verdicts.ts";

type Attack = readonly [what: string, rules: RuleTexts, command: string];

const TOUCH = { deny: ["run_cmd(touch *)"] };
const allow = (pattern: string): RuleTexts => ({ allow: [`run_cmd(${pattern})`] });

/** The person has allowed something harmless, and automode is off. */
const UNDER_ALLOW: readonly Attack[] = [
  ["a chain behind an allowed prefix", allow("git status"), "git status && touch /out/pwned"],
  ["a bare newline", allow("git status"), "git status\ntouch /out/pwned"],
  ["a carriage return and newline", allow("ls *"), "ls .\r\ntouch /out/pwned"],
  ["the background operator", allow("git log *"), "git log -1 & touch /out/pwned"],
  ["a pipe into an interpreter", allow("cat *"), "cat plan.txt | sh"],
  ["a substitution in an argument", allow("echo *"), 'echo "$(touch /out/pwned)"'],
  ["backticks in an argument", allow("git log *"), "git log --author=`touch /out/pwned`"],
  ["find -exec", allow("find *"), "find . -maxdepth 0 -exec touch /out/pwned {} +"],
  ["git -c before the sub-command", allow("git status"), "git -c core.fsmonitor=./p.sh status"],
  ["git -c under a wide rule", allow("git *"), "git -c core.fsmonitor=./p.sh status"],
  ["git --upload-pack", allow("git ls-remote *"), "git ls-remote --upload-pack=./p.sh ."],
  [
    "git's ext transport",
    allow("git ls-remote *"),
    "git -c protocol.ext.allow=always ls-remote 'ext::sh -c touch% /out/pwned'",
  ],
  [
    "git's ext transport alone",
    allow("git ls-remote *"),
    "git ls-remote 'ext::sh -c touch% /out/pwned'",
  ],
  ["rg --pre", allow("rg *"), "rg --pre ./p.sh x ."],
  ["a heredoc into a shell", allow("cat *"), "cat <<E | bash\ntouch /out/pwned\nE"],
  ["a right-to-left override", allow("git *"), "git status '\u202e'; touch /out/pwned #"],
  ["an operator under a wildcard", allow("npm *"), "npm test; touch /out/pwned"],
  ["a redirection", allow("echo *"), "echo x > /out/pwned"],
  ["a redirection that looks like an argument", allow("echo *"), "echo x 1>/out/pwned"],
  ["a function that takes an allowed name", allow("ls"), "ls(){ touch /out/pwned; }; ls"],
  ["an alias that takes an allowed name", allow("ls"), "alias ls='touch /out/pwned'\nls"],
  ["a changed directory", allow("cd *"), "cd /out && touch pwned"],
  ["a changed path", allow("ls"), "PATH=/out ls"],
  ["an exported path", allow("ls"), "export PATH=/out; ls"],
  ["a program of the same name elsewhere", allow("ls *"), "/out/ls x"],
  ["a variable as the program", allow("*"), "$X /out/pwned"],
  ["a process substitution", allow("cat *"), "cat <(touch /out/pwned)"],
  ["an assignment in an expansion", allow("echo *"), "echo ${X:=$(touch /out/pwned)}"],
  ["an array subscript", allow("echo *"), "a[$(touch /out/pwned)]=1 echo x"],
  ["a trap", allow("*"), "trap 'touch /out/pwned' EXIT"],
  ["a coprocess", allow("*"), "coproc touch /out/pwned"],
  [
    "tar's checkpoint",
    allow("tar *"),
    "tar cf a.tar b --checkpoint=1 --checkpoint-action=exec='touch /out/pwned'",
  ],
  ["sort -o", allow("sort *"), "sort -o /out/pwned a"],
  ["awk's system", allow("awk *"), "awk 'BEGIN{system(\"touch /out/pwned\")}'"],
  ["sed's e", allow("sed *"), "sed '1e touch /out/pwned' a"],
];

/** The person has forbidden a program, and automode is on. */
const UNDER_AUTOMODE: readonly Attack[] = [
  ["${IFS} for a blank", TOUCH, "touch${IFS}/out/pwned"],
  ["an assignment before it", TOUCH, "A=1 touch /out/pwned"],
  ["env before it", TOUCH, "env A=1 touch /out/pwned"],
  ["env -S before it", TOUCH, "env -S 'touch /out/pwned'"],
  ["command before it", TOUCH, "command touch /out/pwned"],
  ["a backslash in it", TOUCH, "t\\ouch /out/pwned"],
  ["empty quotes in it", TOUCH, "to''uch /out/pwned"],
  ["its path", TOUCH, "/usr/bin/touch /out/pwned"],
  ["a pattern for its path", TOUCH, "/usr/bin/t?uch /out/pwned"],
  ["braces", TOUCH, "{touch,/out/pwned}"],
  ["xargs", TOUCH, "echo /out/pwned | xargs touch"],
  ["a shell's text", TOUCH, "sh -c 'touch /out/pwned'"],
  ["a base64 text into a shell", TOUCH, "echo dG91Y2ggL291dC9wd25lZAo= | base64 -d | sh"],
  ["eval of a variable", TOUCH, 'X="tou"; eval "${X}ch /out/pwned"'],
  ["a printf into a shell", TOUCH, "printf '\\x74ouch /out/pwned' | bash"],
  ["an interpreter", TOUCH, "python3 -c \"import os;os.system('to'+'uch /out/pwned')\""],
  ["many commands before it", TOUCH, `${"true;".repeat(49)}touch /out/pwned`],
  ["too many commands before it", TOUCH, `${"true;".repeat(9_000)}touch /out/pwned`],
  ["a line too long", TOUCH, `touch /out/pwned #${"x".repeat(70_000)}`],
  ["a shell that reads its input", TOUCH, "sh"],
];

function guards(rules: RuleTexts, isAuto: boolean): readonly Guard[] {
  const set = { rules: rulesOf(rules), grants: [] };
  const facts = (call: GuardedCall) => factsOf(call, false);
  return guardList({
    deniesReading: () => undefined,
    policy: {
      denied: (call) => denied(set, facts(call), PLACE),
      asked: (call) => asked(set, facts(call), PLACE),
      allowed: (call) => allowed(set, facts(call), PLACE).decision,
      whyNotAllowed: (call) => allowed(set, facts(call), PLACE).why,
    },
    isSandboxed: () => false,
    isAuto: () => isAuto,
    isSandboxOff: () => false,
  });
}

async function verdict(list: readonly Guard[], command: string): Promise<string | undefined> {
  for (const guard of list) {
    const decision = await guard(commandCall(command));
    if (decision !== undefined) return decision.verdict;
  }
  return undefined;
}

for (const [what, rules, command] of UNDER_ALLOW) {
  Deno.test(`guardList() does not run unasked, beside an allowed command: ${what}`, async () => {
    notEqual(await verdict(guards(rules, false), command), "allow");
  });
}

for (const [what, rules, command] of UNDER_AUTOMODE) {
  Deno.test(`guardList() does not run unasked, in automode against a deny rule: ${what}`, async () => {
    notEqual(await verdict(guards(rules, true), command), "allow");
    // Nor where the person allowed every command, or said that nothing holds commands back.
    if (what === "an interpreter") return; // What a program does is not in the line: only the sandbox stops that.
    notEqual(await verdict(guards({ ...rules, allow: ["run_cmd"] }, true), command), "allow");
  });
}
