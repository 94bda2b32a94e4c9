import { equal, match, notEqual } from "node:assert";
import { commandCall } from "../support/guarded_call.ts";
import { decisionOf, verdictOf } from "../support/rule_verdicts.ts";

const DENY = { deny: ["run_cmd(touch *)"] };

Deno.test("a deny rule reaches a command however it is spelled or wrapped", () => {
  for (
    const text of [
      "touch f",
      "A=1 touch f",
      "/usr/bin/touch f",
      "../bin/touch f",
      "to''uch f",
      "t\\ouch f",
      "$'to\\x75ch' f",
      '"touch" f',
      "t\\\nouch f",
      "touch${IFS}f",
      "touch$IFS'f'",
      "touch\tf",
      "env A=1 touch f",
      "env -i touch f",
      "command touch f",
      "builtin command touch f",
      "exec touch f",
      "nohup nice -n 1 touch f",
      "sudo -u me touch f",
      "timeout 5 touch f",
      "time touch f",
      "sh -c 'touch f'",
      "bash -c \"sh -c 'touch f'\"",
      "eval 'touch f'",
      "eval touch f",
      "(touch f)",
      "{ touch f; }",
      "! touch f",
      "touch f && echo done",
      "touch f &",
      "echo $(touch f)",
      "echo `touch f`",
      "cat <(touch f)",
      "x=$(touch f)",
      "f() { touch f; }; f",
      "find . -exec touch f +",
      "xargs touch < f",
      "trap 'touch f' EXIT",
      "alias a='touch f'",
      "bash <<E\ntouch f\nE",
      "while touch f; do x; done",
      "coproc touch f",
    ]
  ) equal(verdictOf(DENY, text), "deny", text);
});

Deno.test("a deny rule stops a line that has its command further on until the person looks", () => {
  for (
    const text of [
      "echo a; touch f",
      "echo a\ntouch f",
      "echo a\rtouch f",
      "echo a && touch f",
      "echo a | xargs touch",
      "echo a & touch f",
      `${"true;".repeat(49)}touch f`,
      "if true; then touch f; fi",
    ]
  ) {
    const decision = decisionOf({ ...DENY, allow: ["run_cmd"] }, commandCall(text));
    equal(decision?.verdict, "ask", text);
    match(decision?.reason ?? "", /^rule "run_cmd\(touch \*\)" \(permissions\.json\)/);
  }
});

Deno.test("a deny rule is not passed over where a command is only known when it runs", () => {
  for (
    const text of [
      "$x f",
      "${x} f",
      "to$x f",
      "{touch,f}",
      "/usr/bin/t*h f",
      "$(echo touch) f",
      "echo dG91Y2g= | base64 -d | sh",
      "curl x | bash",
      'sh -c "$x"',
      'eval "$x"',
      "bash",
      "xargs -a f $x",
      "touch f '",
      "echo (",
    ]
  ) {
    for (const allow of [[], ["run_cmd"], ["run_cmd(*)"]]) {
      notEqual(verdictOf({ ...DENY, allow }, text), "allow", text);
    }
  }
  equal(verdictOf({ deny: ["run_cmd(git push *)"], allow: ["run_cmd"] }, "git $x"), "ask");
});

Deno.test("a deny rule does not get in the way of other commands", () => {
  for (
    const text of [
      "ls *.ts",
      "echo $HOME",
      "touchy f",
      "echo touch f",
      "git log --grep='touch f'",
      "sh build.sh",
    ]
  ) {
    equal(verdictOf({ ...DENY, allow: ["run_cmd"] }, text), "allow", text);
  }
});

Deno.test("a deny rule for several commands reaches them however each is spelled", () => {
  const rules = { deny: ["run_cmd(curl * | sh)"] };
  for (const text of ["curl x | sh", "/usr/bin/curl -s x | 'sh'", "curl x | sh; ls"]) {
    equal(verdictOf(rules, text), "deny", text);
  }
  equal(verdictOf(rules, "ls; curl x | sh"), "ask");
  equal(verdictOf({ ...rules, allow: ["run_cmd"] }, "curl x | cat"), "allow");
});

Deno.test("a line beyond a limit is refused where a deny rule exists, and asked about elsewhere", () => {
  for (
    const text of [
      `ls ${"x".repeat(70_000)}`,
      "ls;".repeat(5_000),
      `${"(".repeat(100)}ls${")".repeat(100)}`,
      `${"a $(".repeat(300)}b${")".repeat(300)}`,
    ]
  ) {
    equal(verdictOf({ ...DENY, allow: ["run_cmd"] }, text), "deny");
    equal(verdictOf({ allow: ["run_cmd(ls *)"] }, text), "ask");
  }
});

Deno.test("an ask rule asks wherever it may be meant", () => {
  const rules = { ask: ["run_cmd(git push *)"], allow: ["run_cmd"] };
  for (
    const text of [
      "git push origin",
      "ls && git push origin",
      "sudo git -C x push origin",
      "git $x",
      "curl x | sh",
    ]
  ) {
    equal(verdictOf(rules, text), "ask", text);
  }
  equal(verdictOf(rules, "git pull"), "allow");
});

Deno.test("a refusal names the rule and its file", () => {
  equal(
    decisionOf({ deny: ["run_cmd(rm *)"] }, commandCall("rm -rf x"))?.reason,
    'rule "run_cmd(rm *)" (permissions.json) denies this command',
  );
});
