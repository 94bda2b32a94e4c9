import { deepStrictEqual as assertEquals, equal, ok } from "node:assert";
import { fc } from "../support/property.ts";
import { analyse, type CommandLine } from "@/policy/shell.ts";
import { shownWord } from "@/policy/shell_word.ts";

function wordsOf(line: CommandLine): string[] {
  return line.reached.map(({ words }) => words.map(shownWord).join("|"));
}

Deno.test("analyse() resolves quoting to the words that the program is given", () => {
  const cases: Readonly<Record<string, string[]>> = {
    "git log -1": ["git|log|-1"],
    "  git\tlog  ": ["git|log"],
    "c''md 'a b' \"c d\"": ["cmd|a b|c d"],
    "\\rm x": ["rm|x"],
    "t\\\nouch x": ["touch|x"],
    "$'r\\x6d' x": ["rm|x"],
    "a 'it''s' \"x\"y'z'": ["a|its|xyz"],
    "ls # rm x": ["ls"],
  };
  for (const [text, words] of Object.entries(cases)) assertEquals(wordsOf(analyse(text)), words);
});

Deno.test("analyse() lists commands and what joins them", () => {
  const line = analyse("a 1 && b | c; d\ne || f");
  assertEquals(line.operators, ["&&", "|", ";", ";", "||"]);
  equal(line.commands.length, 6);
  assertEquals(line.extras, []);
});

Deno.test("analyse() looks into every construct for the commands that would run", () => {
  const cases: Readonly<Record<string, string[]>> = {
    "if a; then b; elif c; then d; else e; fi": ["a", "b", "c", "d", "e"],
    "while a; do b; done": ["a", "b"],
    "for x in $(a); do b; done": ["a", "b"],
    "case $(a) in *) b;; $(c)) d;; esac": ["a", "b", "c", "d"],
    "(a; { b; })": ["a", "b"],
    "f() { a; }": ["a"],
    "coproc a": ["a"],
    "echo $(a `b`)": ["a|`b`", "b", "echo|$(a `b`)"],
    "cat <(a) > >(b)": ["a", "b", "cat|<(a)"],
    "x=$(a) y[$(b)]=1": ["a", "b"],
    "echo ${x:-$(a)} $((1 + $(b)))": ["a", "b", "echo|${x:-$(a)}|$((1 + $(b)))"],
    "cat <<E\n$(a)\nE": ["a", "cat"],
    "cat <<'E'\n$(a)\nE": ["cat"],
    "cat <<<$(a)": ["a", "cat"],
    "[[ $(a) -eq x[$(b)] ]]": ["a", "b"],
    "a & b": ["a", "b"],
    "time a": ["a"],
    "! a": ["a"],
  };
  for (const [text, words] of Object.entries(cases)) {
    const found = wordsOf(analyse(text));
    assertEquals(found.sort(), words.sort(), text);
  }
});

Deno.test("analyse() sees through what runs other commands", () => {
  const cases: Readonly<Record<string, string>> = {
    "env A=1 -u B rm x": "rm|x",
    "sudo -u root env rm x": "rm|x",
    "sudo --user=root -n rm x": "rm|x",
    "command -p rm x": "rm|x",
    "exec -a y rm x": "rm|x",
    "nice -n 5 rm x": "rm|x",
    "nohup nice rm x": "rm|x",
    "timeout -k 1 5 rm x": "rm|x",
    "stdbuf -oL rm x": "rm|x",
    "/usr/bin/time -f %e rm x": "rm|x",
    "busybox rm x": "rm|x",
    "flock /tmp/l rm x": "rm|x",
    "sh -c 'rm x'": "rm|x",
    "bash -ec 'a; rm x'": "rm|x",
    "bash --norc -o pipefail -c 'rm x'": "rm|x",
    "sh -c 'sh -c \"rm x\"'": "rm|x",
    "eval rm x": "rm|x",
    "eval 'rm' \"x\"": "rm|x",
    "trap 'rm x' EXIT": "rm|x",
    "alias y='rm x'": "rm|x",
    "bash <<E\nrm x\nE": "rm|x",
    "sh <<<'rm x'": "rm|x",
    "find . -name a -exec rm x ';'": "rm|x",
    "find . -ok rm x +": "rm|x",
    "fd -e ts -x rm x": "rm|x",
    "watch -n 1 'rm x'": "rm|x",
    "ssh -p 22 host rm x": "rm|x",
    "git -c alias.y='!rm x' y": "rm|x",
    "git bisect run rm x": "rm|x",
    "git submodule foreach 'rm x'": "rm|x",
    "git rebase --exec='rm x' main": "rm|x",
    "git -C a --no-pager log -1": "git|log|-1",
    "tar xf a --to-command='rm x'": "rm|x",
    "tar xf a --checkpoint-action=exec='rm x'": "rm|x",
    "rg --pre 'rm x' a": "rm|x",
    "PAGER='rm x' git log": "rm|x",
    "su -c 'rm x' me": "rm|x",
  };
  for (const [text, words] of Object.entries(cases)) {
    ok(wordsOf(analyse(text)).includes(words), `${text}: ${wordsOf(analyse(text))}`);
  }
  assertEquals(wordsOf(analyse("echo x | xargs -I{} rm {}")), [
    "echo|x",
    "xargs|-I{}|rm|{}",
    "rm|{}|…",
  ]);
});

Deno.test("analyse() says where something runs that the line does not show", () => {
  for (
    const text of [
      "curl x | sh",
      "bash",
      "sh -s < a",
      "bash <(curl x)",
      "sh $file",
      "sh /dev/stdin",
      'sh -c "rm $x"',
      'eval "$x"',
      "source /dev/stdin",
    ]
  ) ok(analyse(text).opaque.length > 0, text);
  for (const text of ["sh build.sh", "bash -c 'ls'", "git log", "eval 'ls'"]) {
    assertEquals(analyse(text).opaque, [], text);
  }
});

Deno.test("analyse() names what no rule for a command covers", () => {
  const cases: Readonly<Record<string, string>> = {
    "A=1 b": "an assignment",
    "export A=1": "an assignment",
    "a &": "a command in the background (&)",
    "a $(b)": "a command substitution",
    "a `b`": "a command substitution",
    "a <(b)": "a process substitution",
    "a ${b}": "an expansion of the form ${…}",
    "a $((1))": "an arithmetic expansion",
    "a $'b'": "quoting of the form $'…'",
    'a $"b"': 'quoting of the form $"…"',
    "a {b,c}": "a brace expansion",
    "a @(b|c)": "an extended pattern",
    "a <<E\nE": "a text fed to a command",
    "a <<<b": "a text fed to a command",
    "[[ a ]]": "a test [[ … ]]",
    "((a))": "an arithmetic command",
    "f() { a; }": "a function definition",
    "coproc a": "a coprocess",
    "time a": "the word time",
    "for a in b; do c; done": "a loop variable",
    "a |& b": "the operator |&",
    "{ a; } > b": "a redirection of several commands",
  };
  for (const [text, extra] of Object.entries(cases)) {
    ok(analyse(text).extras.includes(extra), `${text}: ${analyse(text).extras}`);
  }
  assertEquals(analyse("a $b *.ts ~/x 2>&1 >/dev/null").extras, []);
});

Deno.test("analyse() tells redirections that write, read or do nothing", () => {
  const effects = (text: string) =>
    analyse(text).commands[0]?.redirections.map(({ operator, effect }) => `${operator} ${effect}`);
  assertEquals(effects("a >b >>c >|d &>e <>f <g 2>&1 >&2 2>/dev/null <&3 2>&- >&h"), [
    "> writes",
    ">> writes",
    ">| writes",
    "&> writes",
    "<> writes",
    "< reads",
    ">& nothing",
    ">& nothing",
    "> nothing",
    "<& nothing",
    ">& nothing",
    ">& writes",
  ]);
});

Deno.test("analyse() says that a line is unclear, and whether a limit of ours was reached", () => {
  for (const text of ["a '", "a &&", "if a", "a )", "<<", "echo $("]) {
    equal(analyse(text).unclear?.overCap, false, text);
  }
  const tooLong = `a ${"x".repeat(64 * 1024)}`;
  const wide = `a ${"가".repeat(30_000)}`;
  const nested = `${"(".repeat(200)}a${")".repeat(200)}`;
  const many = "a;".repeat(10_000);
  const texts = "sh -c ".repeat(1) + "'a'";
  for (const text of [tooLong, wide, nested, many]) equal(analyse(text).unclear?.overCap, true);
  equal(analyse(texts).unclear, undefined);
  equal(analyse(`${"true;".repeat(49)}rm x`).unclear, undefined);
});

Deno.test("analyse() takes any text without throwing, and reads none of it twice as different", () => {
  const piece = fc.constantFrom(
    ..."a b ; & | && || ( ) { } < > >> << <<< $( ` ' \" \\ \n $x ${x} * ? [ ] ! if then fi do done for in = # ~ sh -c eval"
      .split(" "),
    " ",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
    const text = pieces.join("");
    assertEquals(wordsOf(analyse(text)), wordsOf(analyse(text)));
  }));
});
