/** Checks run for real: in the sandbox, with the runners that this machine has; what it has not is skipped by name. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { findChecks } from "@/verify/detect.ts";
import { type CheckResult, runCheck, type RunCheckOptions } from "@/verify/run_check.ts";
import type { Check } from "@/verify/check.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { livingWith, machineEnv, until, withProcesses } from "../support/processes.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { plant, type Tree, withTree } from "./tree.ts";

const machine = machineEnv();
const never = () => new AbortController().signal;

type Body = (result: CheckResult, run: () => Promise<CheckResult>, dir: string) =>
  | Promise<void>
  | void;

/** The check of `changed` in a sandboxed workspace, with the runners of this machine. */
function checked(tree: Tree, changed: string, body: Body): Promise<void> {
  return withSandbox(async ({ workspace, processes, sandbox }) => {
    await plant(workspace, tree);
    const run = () => runOnly(changed, { workspace, processes, wrap: sandbox.wrap() });
    await body(await run(), run, workspace);
  }, { options: { env: machine } });
}

/** The same outside: Go compiles its library anew for each sandbox, which takes longer than the test is worth. */
function checkedOutside(tree: Tree, changed: string, body: Body): Promise<void> {
  return withTree(tree, (workspace) =>
    withProcesses(async (processes) => {
      const run = () => runOnly(changed, { workspace, processes });
      await body(await run(), run, workspace);
    }));
}

async function runOnly(
  changed: string,
  { workspace, processes, ...more }: Omit<RunCheckOptions, "signal" | "timeoutS">,
): Promise<CheckResult> {
  const [check] = await findChecks([join(workspace, changed)], {
    roots: [workspace],
    isInstalled: async (name) => await processes.find(name, [workspace]) !== undefined,
  });
  if (check === undefined) throw new Error(`No check is declared for ${changed}`);
  return await runCheck(check, { processes, workspace, signal: never(), timeoutS: 120, ...more });
}

function outputOf(result: CheckResult): string {
  return result.kind === "failed" ? result.output : `${result.kind}: ${JSON.stringify(result)}`;
}

/** Whether a program is here and answers to these words. */
function has(line: string): boolean {
  const [command = "", ...args] = line.split(" ");
  const options = { clearEnv: true, env: machine, stdout: "null", stderr: "null" } as const;
  try {
    return new Deno.Command(command, { args, ...options }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

type Real = {
  name: string;
  has: () => boolean;
  tree: Tree;
  changed: string;
  broken: Tree;
  says: RegExp;
  isOutside?: true;
};

const WINDOW = "def window(xs, n):\n    return xs[:n]\n";

const REAL: readonly Real[] = [
  {
    name: "pytest, with the variables",
    has: () => has("python3 -m pytest --version"),
    tree: {
      "pyproject.toml": "",
      "a.py": WINDOW,
      "tests/test_a.py":
        "from a import window\ndef test_window():\n    kept = window([1, 2, 3], 2)\n    assert kept == [1, 2]\n",
      "conftest.py": "",
    },
    changed: "a.py",
    broken: { "a.py": WINDOW.replace("[:n]", "[:n - 1]") },
    says: /kept += \[1\]/,
  },
  {
    name: "unittest by make",
    has: () => has("make --version") && has("python3 --version"),
    tree: {
      Makefile: "test:\n\tpython3 -m unittest -q\n",
      "a.py": WINDOW,
      "test_a.py":
        "import unittest\nfrom a import window\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(window([1, 2], 1), [1])\n",
    },
    changed: "a.py",
    broken: { "a.py": WINDOW.replace("[:n]", "[:n - 1]") },
    says: /Lists differ: \[\] != \[1\]/,
  },
  {
    name: "deno task test",
    has: () => has("deno --version"),
    tree: {
      "deno.json": '{"tasks":{"test":"deno test -q --no-check"}}',
      "a.ts": "export const half = (n: number) => n / 2;\n",
      "a_test.ts":
        'import { half } from "./a.ts";\nDeno.test("half", () => { if (half(4) !== 2) throw new Error(`half is ${half(4)}`); });\n',
    },
    changed: "a.ts",
    broken: { "a.ts": "export const half = (n: number) => n / 2 + 1;\n" },
    says: /half is 3/,
  },
  {
    name: "npm test",
    has: () => has("npm --version") && has("node --version"),
    tree: {
      "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
      "a.js": "export const half = (n) => n / 2;\n",
      "a.test.js":
        'import test from "node:test";\nimport assert from "node:assert";\nimport { half } from "./a.js";\ntest("half", () => assert.equal(half(4), 2));\n',
    },
    changed: "a.js",
    broken: { "a.js": "export const half = (n) => n / 2 + 1;\n" },
    says: /actual: 3/,
  },
  {
    name: "go test",
    has: () => has("go version"),
    tree: {
      "go.mod": "module example.com/a\n\ngo 1.20\n",
      "a.go": "package a\n\nfunc Half(n int) int { return n / 2 }\n",
      "a_test.go":
        'package a\n\nimport "testing"\n\nfunc TestHalf(t *testing.T) {\n\tif got := Half(4); got != 2 {\n\t\tt.Fatalf("half is %d", got)\n\t}\n}\n',
    },
    changed: "a.go",
    broken: { "a.go": "package a\n\nfunc Half(n int) int { return n/2 + 1 }\n" },
    says: /half is 3/,
    isOutside: true,
  },
  {
    name: "cargo test",
    has: () => has("cargo --version") && has("rustc --version"),
    tree: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": "pub fn half(n: i32) -> i32 {\n    n / 2\n}\n",
      "tests/half.rs": "#[test]\nfn half() {\n    assert_eq!(a::half(4), 2);\n}\n",
    },
    changed: "src/lib.rs",
    broken: { "src/lib.rs": "pub fn half(n: i32) -> i32 {\n    n / 2 + 1\n}\n" },
    says: /left: 3/,
  },
];

const sandboxed = await needing("bwrap");

for (const { name, has, tree, changed, broken, says, isOutside } of REAL) {
  Deno.test({
    name: `runCheck() runs ${name}: passes, and tells what fails`,
    ignore: !has() || (isOutside !== true && sandboxed.ignore),
    fn: () =>
      (isOutside ? checkedOutside : checked)(tree, changed, async (first, run, dir) => {
        equal(first.kind, "passed", outputOf(first));
        await plant(dir, broken);
        const second = await run();
        equal(second.kind, "failed", outputOf(second));
        match(outputOf(second), says);
      }),
  });
}

Deno.test({
  name: "runCheck() takes no tests at all for no failure of pytest",
  ignore: sandboxed.ignore || !has("python3 -m pytest --version"),
  fn: () =>
    checked({ "pyproject.toml": "", "a.py": "" }, "a.py", (result) => {
      equal(result.kind, "passed", outputOf(result));
    }),
});

Deno.test({
  name: "runCheck() uses the environment that lies in the project, and says when it has no pytest",
  ignore: sandboxed.ignore || !has("python3 -m venv --help"),
  fn: () =>
    withSandbox(async ({ workspace, processes, sandbox, run }) => {
      await plant(workspace, { "pyproject.toml": "", "a.py": "" });
      const made = await run("python3 -m venv --without-pip .venv");
      equal(made.code, 0, made.output);
      const [check] = await findChecks([join(workspace, "a.py")], {
        roots: [workspace],
        isInstalled: () => Promise.resolve(true),
      });
      ok(check);
      equal(check.program, join(workspace, ".venv/bin/python"));
      const options = { processes, workspace, signal: never(), timeoutS: 60 };
      const result = await runCheck(check, { ...options, wrap: sandbox.wrap() });
      equal(result.kind, "unable");
      match(JSON.stringify(result), /No module named pytest/);
    }, { options: { env: machine } }),
});

const shell = (root: string, line: string): Check => ({
  name: "hostile",
  root,
  program: "sh",
  args: ["-c", line],
});

function hostile(
  line: string,
  body: (result: CheckResult, processes: Processes) => Promise<void> | void,
  { timeoutS = 60, abortMs }: { timeoutS?: number; abortMs?: number } = {},
): Promise<void> {
  return withProcesses(async (processes) => {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "harness-verify-" }));
    const signal = abortMs === undefined ? never() : AbortSignal.timeout(abortMs);
    try {
      const options = { processes, workspace: root, signal, timeoutS };
      await body(await runCheck(shell(root, line), options), processes);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

const unique = () => `${100_000 + Math.floor(Math.random() * 1e9)}`;

Deno.test("runCheck() keeps both ends of 100 MB of output in little memory", () =>
  hostile(
    "echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last; exit 1",
    (result) => {
      const output = outputOf(result);
      ok(output.length < 300_000);
      match(output, /^first\n/);
      match(output, /last\n$/);
    },
  ));

Deno.test("runCheck() stops a check that hangs, with what it has forked, at least 5 seconds given", () => {
  const seconds = unique();
  return hostile(
    `(setsid sleep ${seconds} &) ; sleep ${seconds}`,
    async (result, processes) => {
      equal(result, { kind: "late", seconds: 5 });
      await until(async () => (await livingWith(processes, seconds)).length === 0, 10_000);
    },
    { timeoutS: 0 },
  );
});

Deno.test("runCheck() does not wait for what a check leaves behind, and ends it", () => {
  const seconds = unique();
  return hostile(`sleep ${seconds} & exit 1`, async (result, processes) => {
    equal(result.kind, "failed");
    await until(async () => (await livingWith(processes, seconds)).length === 0, 10_000);
  });
});

Deno.test("runCheck() gives no input, no terminal, and an environment for programs", () =>
  hostile(
    'read -r line || echo "input ended"; tty; echo "$CI $NO_COLOR $PYTHONUNBUFFERED"; exit 1',
    (result) => equal(outputOf(result), "input ended\nnot a tty\n1 1 1\n"),
  ));

Deno.test("runCheck() is stopped by the person", () =>
  hostile("sleep 60", (result) => equal(result.kind, "aborted"), { abortMs: 200 }));

Deno.test("runCheck() takes a runner that is not there for no failure", async () => {
  await hostile("vitest-is-not-here run", (result) => {
    equal(result.kind, "unable");
    match(JSON.stringify(result), /not found/);
  });
  await withProcesses(async (processes) => {
    const check = { ...shell("/", ""), program: "no-such-runner" };
    const options = { processes, workspace: "/", signal: never(), timeoutS: 60 };
    equal(await runCheck(check, options), {
      kind: "unable",
      why: '"no-such-runner" is not installed',
    });
  });
});

Deno.test("runCheck() takes what a runner says that cannot run for no failure", async () => {
  const cases: readonly [string, string, string][] = [
    ["pyproject.toml", "a.py", "/usr/bin/python3: No module named pytest"],
    ["pyproject.toml", "a.py", "  × Failed to download `numpy==2.1.0`"],
    ["Cargo.toml", "a.rs", "error: failed to get `serde` as a dependency of package `a`"],
    ["go.mod", "a.go", "go: example.com/b@v1.0.0: dial tcp: lookup proxy.golang.org: no such host"],
    ["pom.xml", "A.java", "[ERROR] Could not transfer artifact org.x:y:pom:1 from central"],
    ["build.gradle", "A.java", "Task 'test' not found in root project 'a'."],
  ];
  for (const [marker, changed, said] of cases) {
    await withTree({ [marker]: "" }, async (dir) => {
      const [check] = await findChecks([join(dir, changed)], {
        roots: [dir],
        isInstalled: () => Promise.resolve(false),
      });
      ok(check);
      await withProcesses(async (processes) => {
        const options = { processes, workspace: dir, signal: never(), timeoutS: 60 };
        const args = ["-c", 'echo before; printf "%s\\n" "$0"; exit 1', said];
        const result = await runCheck({ ...check, program: "sh", args }, options);
        equal(result, { kind: "unable", why: said.trim() });
      });
    });
  }
});
