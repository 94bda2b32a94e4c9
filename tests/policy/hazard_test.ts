import { deepStrictEqual as assertEquals, equal, ok } from "node:assert";
import { hazardsOf } from "@/policy/hazard.ts";
import { isPlainAwk, isPlainSed } from "@/policy/hazard_scripts.ts";
import { analyse } from "@/policy/shell.ts";

function hazards(text: string): number[] {
  return [...hazardsOf(analyse(text).commands[0]?.words ?? []).words].sort((a, b) => a - b);
}

Deno.test("hazardsOf() finds nothing in ordinary commands", () => {
  for (
    const text of [
      "git status --short",
      "git log --oneline -5 -- src",
      "git diff HEAD~1 --stat",
      "git show HEAD:src/a.ts",
      "git grep -n word",
      "git commit -m fixed",
      "git --no-pager log",
      "ls -la",
      "ls *.ts",
      "cat $HOME/x",
      "find . -name a -type f",
      "grep -rn word src",
      "rg -n word src",
      "sort -k2 -n a",
      "sed -n 10,20p a",
      "sed 's/a/b/g; /x/d' a",
      "awk '{print $1}' a",
      "awk -F, -v x=1 '$2 == 3 {n++} END {print n}' a",
      "tar tzvf a.tgz",
      "npm test",
      "npm run lint",
      "cargo test --all",
      "go test ./...",
      "make -j4 test",
      "deno check main.ts",
      "deno test tests",
      "uniq a",
      "test -f a",
      "printf %s x",
      "pytest -xvs tests",
      "curl -sSf https://a.example/x",
      "git log $x src/*.ts".replace("$x ", ""),
    ]
  ) assertEquals(hazards(text), [], text);
});

Deno.test("hazardsOf() marks the words that make an ordinary program run or write something", () => {
  const cases: Readonly<Record<string, number[]>> = {
    "git -c core.pager=x log": [1, 2],
    "git -C x status": [1, 2],
    "git --exec-path=x status": [1],
    "git ls-remote --upload-pack=x .": [2],
    "git ls-remote --upl=x .": [2],
    "git ls-remote -u x .": [2, 3],
    "git diff --output=x": [2],
    "git diff --outp x": [2, 3],
    "git diff --ext-diff": [2],
    "git grep -Ox word": [2, 3],
    "git rebase -x make main": [2, 3],
    "git config alias.x y": [1],
    "git clone ext::sh": [2],
    "git log *.ts": [2],
    "git log $x": [2],
    "find . -exec rm x +": [2, 3, 5],
    "find . -delete": [2],
    "find . -fprintf x y": [2, 3],
    "sort -o x y": [1, 2],
    "sort -nrox y": [1, 2],
    "sort --compress-prog=x y": [1],
    "sed -i s/a/b/ x": [1],
    "sed -n w\\ f x": [2],
    "rg --pre x y": [1, 2],
    "tar xf a --checkpoint-action=exec=x": [3],
    "tar xIf prog a": [1, 2],
    "awk 'BEGIN{system(\"x\")}'": [1],
    "awk -f x y": [1, 2],
    "uniq a b": [2],
    "tee a": [1],
    "dd if=a of=b": [2],
    "printf -v x y": [1],
    "test -v x": [1, 2],
    "[ -v x ]": [1, 2],
    "make CC=x all": [1],
    "go run x.go": [1],
    "go vet -vettool=x": [2],
    "npm exec y": [1],
    "npm --loglevel silent exec y": [3],
    "cargo +nightly test": [1],
    "docker run x": [1],
    "man -P x y": [1, 2],
    "rsync -e x a b": [1, 2],
    "curl -o x https://a.example": [1, 2],
    "split --filter=x a": [1],
    "deno run a": [1, 2],
    "deno a.ts": [1],
  };
  for (const [text, indices] of Object.entries(cases)) assertEquals(hazards(text), indices, text);
});

Deno.test("hazardsOf() marks every word of interpreters, shells and wrappers", () => {
  for (
    const program of [
      "python3.12",
      "/usr/bin/python",
      "node",
      "perl",
      "ruby",
      "bash",
      "env",
      "xargs",
      "sudo",
      "/usr/bin/time",
      "nohup",
      "command",
      "exec",
      "eval",
      "trap",
      "export",
      "alias",
      "source",
      ".",
      "ssh",
      "vim",
      "sqlite3",
      "npx",
      "$x",
    ]
  ) equal(hazards(`${program} a`).length, 2, program);
});

Deno.test("isPlainSed() takes printing, deleting and substituting, and nothing else", () => {
  for (
    const script of [
      "p",
      "1,5p",
      "$d",
      "/x/!d",
      "s/a/b/",
      "s|a|b|gi",
      "s,a\\,b,c,2",
      "2q",
      "y/ab/cd/",
      "1d;s/a/b/;p",
      "s/[0-9]*/x/",
      "/^#/d",
    ]
  ) ok(isPlainSed(script), script);
  for (
    const script of [
      "",
      "w f",
      "1w f",
      "e",
      "1e ls",
      "s/a/b/e",
      "s/a/b/w f",
      "s/a/b/ge",
      "r f",
      "R f",
      "W f",
      "{p}",
      "p w f",
      "a\\\nx",
      "s/[/]/;s/w f/x/g",
      "/[/]/;p",
      "b",
      "$!N",
      "s/a/b",
    ]
  ) equal(isPlainSed(script), false, script);
});

Deno.test("isPlainAwk() takes no program that runs, reads or writes", () => {
  for (const program of ["{print $1}", "NR==1", "/x/{n++}END{print n}"]) {
    ok(isPlainAwk(program), program);
  }
  for (
    const program of [
      'BEGIN{system("x")}',
      'BEGIN{"x"|getline}',
      '{print > "f"}',
      '{print | "x"}',
      '@load "x"',
      '{getline < "f"}',
      '{f="system"; @f(1)}',
    ]
  ) equal(isPlainAwk(program), false, program);
});
