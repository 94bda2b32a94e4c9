/** Commands that run or write something although their first word looks harmless. */
import { equal } from "node:assert";
import { verdictOf } from "../support/rule_verdicts.ts";

/** A rule for a program, and what it must not cover. */
const COMMANDS: readonly [rule: string, ...commands: string[]][] = [
  [
    "find *",
    "find . -exec touch x {} +",
    "find . -fprintf f x",
    "find . -delete",
    "find . -ok rm {} \\;",
  ],
  [
    "git *",
    "git -c alias.x='!touch f' x",
    "git -c diff.external=./p diff",
    "git diff --output=f",
    "git grep -O./p x",
    "git ls-remote --upload-pack=./p .",
    "git -c protocol.ext.allow=always ls-remote 'ext::sh -c touch% f'",
    "git difftool -x ./p",
    "git config core.pager ./p",
  ],
  ["sed *", "sed 'w f' a", "sed 'e touch f' a", "sed -i s/a/b/ f", "sed -n '1e ls' a"],
  ["sort *", "sort -o f a", "sort --outp=f a", "sort -uof a", "sort $x"],
  ["awk *", "awk 'BEGIN{system(\"touch f\")}'", "awk '{print > \"f\"}' a", "awk -f p a"],
  [
    "tar *",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec=./p",
    "tar xf a --to-command=./p",
    "tar -I ./p -xf a",
  ],
  ["rg *", "rg --pre ./p x ."],
  ["ip *", "ip netns exec x ./p", "ip -batch f", "ip -b f"],
  ["kubectl get *", "kubectl get pods --kubeconfig=f"],
  ["docker ps *", "docker ps --config f"],
  ["xargs *", "xargs touch f", "xargs"],
  ["env *", "env touch f", "env"],
  ["trap *", "trap 'touch f' EXIT"],
  ["coproc *", "coproc touch f"],
  ["cat *", "cat <(touch f)", "cat <<<$(touch f)", "cat <<E | bash\ntouch f\nE", "cat a | sh"],
  ["test *", "test -v 'a[$(touch f)]'", "test a[$(touch f)] = 1"],
  ["printf *", "printf -v 'a[$(touch f)]' x"],
  [
    "echo *",
    "echo ${x:=$(touch f)}",
    "echo {a,b}",
    "echo x >| f",
    "echo x &> f",
    "echo x & touch f",
    "echo x\ntouch f",
  ],
  ["rsync *", "rsync -e ./p a b:c"],
  ["ssh *", "ssh -o ProxyCommand=./p h", "ssh h touch f"],
  ["man *", "man -P ./p ls"],
  ["curl *", "curl -o f https://a.example", "curl -K f"],
  ["python3 *", "python3 -c 'import os'", "python3 a.py"],
  ["node *", "node -e 1"],
  ["sh *", "sh -c 'touch f'", "sh a.sh"],
  ["sudo *", "sudo ls"],
  ["time *", "time ls", "/usr/bin/time ls"],
  ["tee *", "tee f"],
  ["dd *", "dd if=a of=f"],
  ["go *", "go env -w GOFLAGS=-toolexec=./p", "go run a.go", "go vet -vettool=./p"],
  ["npm *", "npm exec x", "npm config set script-shell ./p"],
  ["make *", "make SHELL=./p", "make -f f", "make --eval='x:;touch f'"],
  ["export *", "export PATH=/tmp"],
  ["alias *", "alias ls='touch f'"],
  [
    "*",
    "a=1",
    "a[$(touch f)]=1",
    "A=1 ls",
    "ls(){ touch f; }; ls",
    "$x",
    "${IFS}x",
    "touch${IFS}f",
  ],
  // A rule that is spelled otherwise than the command: quoting and a backslash change nothing of what runs.
  ["ls *", "\\touch f", "to''uch f", "ls; \\touch f"],
  [
    "mv *",
    "mv a b | sh",
  ],
];

Deno.test("a rule for a program never covers what makes it run or write something (M11)", () => {
  for (const [pattern, ...commands] of COMMANDS) {
    for (const text of commands) {
      equal(verdictOf({ allow: [`run_cmd(${pattern})`] }, text), "ask", `${pattern} on ${text}`);
    }
  }
});

Deno.test("a rule covers such words by spelling them out", () => {
  const cases: readonly [rule: string, text: string][] = [
    ["find * -delete", "find . -name x -delete"],
    ["sort -o out.txt *", "sort -o out.txt a"],
    ["python3 tools/check.py", "python3 tools/check.py"],
    ["git -c core.pager=cat log *", "git -c core.pager=cat log -1"],
    ["npm exec tsc", "npm exec tsc"],
  ];
  for (const [rule, text] of cases) {
    equal(verdictOf({ allow: [`run_cmd(${rule})`] }, text), "allow", text);
  }
  equal(
    verdictOf({ allow: ["run_cmd(python3 tools/check.py)"] }, "python3 tools/check.py -x"),
    "ask",
  );
  equal(verdictOf({ allow: ["run_cmd(find * -delete)"] }, "find . -exec x + -delete"), "ask");
});
