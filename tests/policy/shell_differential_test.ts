/** What we read in a command line against what the shells of this machine do with it. */
import { deepStrictEqual as assertEquals, ok } from "node:assert";
import { join } from "node:path";
import { fc } from "../support/property.ts";
import { analyse } from "@/policy/shell.ts";
import { verdictOf } from "../support/rule_verdicts.ts";
import { withWorkspace } from "../support/workspace.ts";

const PROGRAMS = ["a", "b", "c"] as const;

/** Words that only name the programs above, so that whatever a line does stays in the test directory. */
const word = fc.constantFrom(
  "x",
  "'y z'",
  '"p q"',
  "r\\ s",
  "t''u",
  '"$(a in)"',
  "$(b)",
  "`c`",
  "$V",
  '"$V"',
  "${V:-$(a)}",
  "$((1 + 1))",
  "*.none",
  "{m,n}",
  "#w",
  "v#w",
  "\\\n",
  "''",
  "=",
  "V=1",
);
const program = fc.constantFrom<string>(
  ...PROGRAMS,
  "'a'",
  "b''",
  "\\c",
  '"a"',
  "V=2 b",
  "! a",
  "$N",
);
const redirection = fc.constantFrom(
  "",
  "",
  "",
  " > out",
  " >> out",
  " 2>&1",
  " < /dev/null",
  " >| out",
  " &> out",
  " <<< $(b)",
);
const command = fc.tuple(program, fc.array(word, { maxLength: 3 }), redirection).map((
  [name, args, redirect],
) => [name, ...args].join(" ") + redirect);
const quoted = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`;
/** How a line can stand in another one that the grammar sees. */
const seen: readonly ((inner: string) => string)[] = [
  (inner) => `( ${inner} )`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `if ${inner}\nthen b; fi`,
  (inner) => `for i in 1 2; do ${inner}\ndone`,
  (inner) => `f() { ${inner}\n}; f`,
  (inner) => `case x in x) ${inner}\n;; esac`,
  (inner) => `env ${inner}`,
  (inner) => `time ${inner}`,
];
/** And in one that only a second look sees. */
const hidden: readonly ((inner: string) => string)[] = [
  (inner) => `eval ${quoted(inner)}`,
  (inner) => `sh -c ${quoted(inner)}`,
  (inner) => `cat <<E\n$(${inner})\nE\n`,
];

function linesOf(nestings: readonly ((inner: string) => string)[]): fc.Arbitrary<string> {
  const ends = fc.constantFrom("; ", " && ", " || ", " | ", " & ", "\n", " # x\n");
  return fc.letrec<{ line: string; group: string }>((tie) => ({
    group: fc.oneof(
      { depthSize: "small", maxDepth: 2 },
      command,
      ...nestings.map((nest) => tie("line").map(nest)),
    ),
    line: fc.array(fc.tuple(tie("group"), ends), { minLength: 1, maxLength: 3 }).map((parts) =>
      parts.map(([text, end], at) => at === parts.length - 1 ? text : text + end).join("")
    ),
  })).line;
}

/** Runs a line with only our programs on its path; gives what was started, as arguments joined by "|". */
async function started(shell: string, text: string, dir: string): Promise<Set<string>> {
  // A log of its own: what an earlier line has put in the background may still come to write.
  const log = join(dir, `log-${crypto.randomUUID()}`);
  await Deno.writeTextFile(log, "");
  const run = join(dir, "run");
  await Deno.mkdir(run, { recursive: true });
  const child = new Deno.Command(shell, {
    args: ["-c", text],
    cwd: run,
    clearEnv: true,
    env: { PATH: join(dir, "bin"), LOG: log, N: "a", HOME: run },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await child.status;
  clearTimeout(timer);
  // What was put in the background may still be writing.
  if (text.includes("&")) await new Promise((resolve) => setTimeout(resolve, 30));
  const lines = (await Deno.readTextFile(log)).split("\0").filter((entry) => entry !== "");
  return new Set(lines);
}

async function makePrograms(dir: string): Promise<void> {
  const bin = join(dir, "bin");
  await Deno.mkdir(bin);
  for (const name of PROGRAMS) {
    const path = join(bin, name);
    await Deno.writeTextFile(
      path,
      `#!/bin/sh\nIFS='|'; printf '%s|%s\\0' "${name}" "$*" >> "$LOG"\n`,
      { mode: 0o755 },
    );
  }
  for (const name of ["sh", "env", "cat"]) await Deno.symlink(await which(name), join(bin, name));
}

async function which(name: string): Promise<string> {
  for (const dir of ["/bin", "/usr/bin", "/usr/local/bin"]) {
    try {
      return await Deno.realPath(join(dir, name));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error(`${name} is not installed`);
}

Deno.test("analyse() lists every program that bash and sh start for a line", async () => {
  await withWorkspace(async (dir) => {
    await makePrograms(dir);
    const shells = [await which("bash"), await which("sh")];
    for (
      const text of fc.sample(linesOf([...seen, ...hidden]), { numRuns: 120, seed: 20_251_129 })
    ) {
      const read = analyse(text);
      if (read.unclear !== undefined || read.opaque.length > 0) continue;
      const names = new Set<string>();
      const exact = new Set<string>();
      let isOpen = false;
      for (const { words } of read.reached) {
        const [first] = words;
        if (first === undefined || !first.known) isOpen = true;
        else if (words.every(({ known }) => known)) {
          exact.add(`${first.text}|${words.slice(1).map(({ text }) => text).join("|")}`);
        } else names.add(first.text);
      }
      if (isOpen) continue;
      for (const shell of shells) {
        for (const entry of await started(shell, text, dir)) {
          const isListed = exact.has(entry) || names.has(entry.slice(0, entry.indexOf("|")));
          ok(isListed, `${shell} started ${entry} for:\n${text}\nlisted: ${[...exact, ...names]}`);
        }
      }
    }
  });
});

/** Lines with a few characters put in. */
function damaged(lines: fc.Arbitrary<string>, changesMax: number): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(), fc.constantFrom(..."'\"()`$;&|<>{}\\ \n"));
  return fc.tuple(lines, fc.array(change, { maxLength: changesMax })).map(([text, changes]) => {
    let result = text;
    for (const [at, char] of changes) {
      const index = at % (result.length + 1);
      result = result.slice(0, index) + char + result.slice(index);
    }
    return result;
  });
}

Deno.test("what rules allow starts only programs that they name and writes nothing", async () => {
  const plain = fc.tuple(
    fc.constantFrom("a", "b", "'a'", "a", "c"),
    fc.array(fc.constantFrom("x", "'y z'", "$V", "*.none", "t''u"), { maxLength: 2 }),
    fc.constantFrom("", "", " 2>&1", " > out"),
  ).map(([name, args, redirect]) => [name, ...args].join(" ") + redirect);
  const simple = fc.array(
    fc.tuple(plain, fc.constantFrom("; ", " && ", " | ", "\n", " # x\n", " & ")),
    { minLength: 1, maxLength: 3 },
  ).map((parts) => parts.map(([text, end]) => text + end).join(""));
  const rules = { allow: ["run_cmd(a *)", "run_cmd(a)", "run_cmd(b)"] };
  let allowed = 0;
  await withWorkspace(async (dir) => {
    await makePrograms(dir);
    const shells = [await which("bash"), await which("sh")];
    for (const text of fc.sample(damaged(simple, 3), { numRuns: 1_000, seed: 20_251_131 })) {
      if (verdictOf(rules, text) !== "allow") continue;
      allowed += 1;
      for (const shell of shells) {
        const names = [...await started(shell, text, dir)].map((entry) => entry.split("|")[0]);
        ok(names.every((name) => name === "a" || name === "b"), `${shell} ${names} for:\n${text}`);
        assertEquals([...Deno.readDirSync(join(dir, "run"))], [], text);
      }
    }
  });
  ok(allowed > 40, `only ${allowed} lines were allowed`);
});

/** The grammar's answer for many texts at once. */
async function bashAccepts(texts: readonly string[]): Promise<boolean[]> {
  const bash = await which("bash");
  return await Promise.all(texts.map(async (text) => {
    const { success } = await new Deno.Command(bash, {
      args: ["-n", "-c", text],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  }));
}

Deno.test("analyse() understands nearly every line that bash accepts, also after small damage", async () => {
  const texts = fc.sample(damaged(linesOf(seen), 2), { numRuns: 250, seed: 20_251_130 })
    .filter((text) => !text.includes("\0"));
  const accepted = await bashAccepts(texts);
  const both = texts.filter((text, at) => accepted[at] && analyse(text).unclear === undefined);
  const onlyBash = texts.filter((text, at) => accepted[at] && analyse(text).unclear !== undefined);
  ok(both.length > 100, `only ${both.length} lines that both accept`);
  ok(
    onlyBash.length * 20 <= both.length,
    `refused by us alone:\n${
      onlyBash.map((text) => `${analyse(text).unclear?.why}:\n${text}`).join("\n---\n")
    }`,
  );
});

Deno.test("analyse() refuses broken lines that bash refuses too", async () => {
  const broken = [
    "a '",
    'a "',
    "a $(b",
    "a `b",
    "if a",
    "a |",
    "a &&",
    "( a",
    "{ a;",
    "a )",
    "echo (",
    "echo (a",
  ];
  const accepted = await bashAccepts(broken);
  assertEquals(accepted, broken.map(() => false));
  for (const text of broken) ok(analyse(text).unclear !== undefined, text);
});
