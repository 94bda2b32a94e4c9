/** Checks run for real: in the sandbox, with the runners that this machine has; what it has not is skipped by name. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { findChecks } from "@/verify/detect.ts";
import { failureKey } from "@/verify/failure.ts";
import { type CheckResult, runCheck, type RunCheckOptions } from "@/verify/run_check.ts";
import type { Check } from "@/verify/check.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { livingWith, machineEnv, withProcesses } from "../support/processes.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { answers, REAL } from "./real_projects.ts";
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

const sandboxed = await needing("bwrap");

for (const { name, has, tree, changed, broken, says, isOutside, isSlow } of REAL) {
  const ignore = !has() || (isOutside !== true && sandboxed.ignore);
  const here = isOutside ? checkedOutside : checked;
  Deno.test({
    name: `runCheck() runs ${name}: ${isSlow ? "" : "passes, and "}tells what fails`,
    ignore,
    async fn() {
      if (isSlow) {
        await here({ ...tree, ...broken }, changed, (result) => {
          equal(result.kind, "failed", outputOf(result));
          match(outputOf(result), says);
        });
        return;
      }
      await here(tree, changed, async (first, run, dir) => {
        equal(first.kind, "passed", outputOf(first));
        await plant(dir, broken);
        const second = await run();
        equal(second.kind, "failed", outputOf(second));
        match(outputOf(second), says);
        const third = await run();
        equal(failureKey(outputOf(third)), failureKey(outputOf(second)));
      });
    },
  });
}

Deno.test({
  name: "runCheck() takes no tests at all for no failure of pytest",
  ignore: sandboxed.ignore || !answers("python3 -m pytest --version"),
  fn: () =>
    checked({ "pyproject.toml": "", "a.py": "" }, "a.py", (result) => {
      equal(result.kind, "passed", outputOf(result));
    }),
});

Deno.test({
  name: "runCheck() uses the environment that lies in the project, and says when it has no pytest",
  ignore: sandboxed.ignore || !answers("python3 -m venv --help"),
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
      await until(async () => (await livingWith(processes, seconds)).length === 0);
    },
    { timeoutS: 0 },
  );
});

Deno.test("runCheck() does not wait for what a check leaves behind, and ends it", () => {
  const seconds = unique();
  return hostile(`sleep ${seconds} & exit 1`, async (result, processes) => {
    equal(result.kind, "failed");
    await until(async () => (await livingWith(processes, seconds)).length === 0);
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

/** A check of a project with one marker, by a runner that prints this and fails. */
async function saying(
  { marker, changed, said }: { marker: string; changed: string; said: string },
): Promise<CheckResult> {
  const text = marker === "bunfig.toml" ? "[test]\n" : SCRIPTS[marker] ?? "";
  let result: CheckResult | undefined;
  await withTree({ [marker]: text }, async (dir) => {
    const [check] = await findChecks([join(dir, changed)], {
      roots: [dir],
      isInstalled: () => Promise.resolve(false),
    });
    ok(check, `no check for ${changed}`);
    await withProcesses(async (processes) => {
      const options = { processes, workspace: dir, signal: never(), timeoutS: 60 };
      const args = ["-c", 'echo before; printf "%s\\n" "$0"; exit 1', said];
      result = await runCheck({ ...check, program: "sh", args }, options);
    });
  });
  ok(result);
  return result;
}

const SCRIPTS: Readonly<Record<string, string>> = {
  "package.json": '{"scripts":{"test":"x"}}',
  "deno.json": '{"tasks":{"test":"x"}}',
};

const GEM = "/usr/lib/ruby/bundler/resolver.rb:271:in `block': ";

Deno.test("runCheck() takes what a runner says that cannot run for no failure, and tells why", async () => {
  const cases: readonly [string, string, string, string?][] = [
    ["pyproject.toml", "a.py", "/usr/bin/python3: No module named pytest"],
    ["pyproject.toml", "a.py", "  × Failed to download `numpy==2.1.0`"],
    ["Cargo.toml", "a.rs", "error: failed to get `serde` as a dependency of package `a`"],
    ["go.mod", "a.go", "go: example.com/b@v1.0.0: dial tcp: lookup proxy.golang.org: no such host"],
    [
      "pom.xml",
      "A.java",
      "\x1b[0m[ERROR] Could not transfer artifact org.x:y:pom:1 from central",
      "[ERROR] Could not transfer artifact org.x:y:pom:1 from central",
    ],
    ["build.gradle", "A.java", "Task 'test' not found in root project 'a'."],
    [
      "package.json",
      "a.js",
      'error This project\'s package.json defines "packageManager": "yarn@4.1.0". However the current',
    ],
    [
      "package.json",
      "a.js",
      " ERR_PNPM_META_FETCH_FAIL  GET https://registry.npmjs.org/pnpm: getaddrinfo EAI_AGAIN",
    ],
    [
      ".rspec",
      "a.rb",
      `${GEM}Could not find gem 'sinatra' in locally installed gems. (Bundler::GemNotFound)`,
      "Could not find gem 'sinatra' in locally installed gems.",
    ],
    [
      ".rspec",
      "a.rb",
      "Could not find rake-13.1.0 in locally installed gems\nRun `bundle install` to install missing gems.",
      "Could not find rake-13.1.0 in locally installed gems",
    ],
    [".rspec", "a.rb", "bundler: command not found: rspec"],
    [
      "phpunit.xml",
      "a.php",
      'Cannot open file "/p/vendor/autoload.php".',
      'Cannot open file "/p/vendor/autoload.php"',
    ],
    [
      "phpunit.xml",
      "a.php",
      "PHP Fatal error:  Uncaught Error: Failed opening required '/p/tests/../vendor/autoload.php' (include_path='.')",
      "Failed opening required '/p/tests/../vendor/autoload.php'",
    ],
  ];
  for (const [marker, changed, said, why = said.trim()] of cases) {
    equal(await saying({ marker, changed, said }), { kind: "unable", why });
  }
});

Deno.test("runCheck() takes a test that speaks of gems or files for a failure", async () => {
  for (
    const [marker, changed, said] of [
      [".rspec", "a.rb", "Could not find the gem in the mine (Mine::GemNotFound)"],
      [".rspec", "a.rb", "Gemfile:2: undefined method `gme' (Bundler::Dsl::DSLError)"],
      ["phpunit.xml", "a.php", 'Cannot open file "/p/data.csv".'],
    ] as const
  ) equal((await saying({ marker, changed, said })).kind, "failed", said);
});

Deno.test("runCheck() takes a project without one test for no failure", async () => {
  for (
    const [marker, changed, said] of [
      ["deno.json", "a.ts", "error: No test modules found"],
      ["bunfig.toml", "a.ts", "bun test v1.4.5\nNo tests found!"],
      ["package.json", "a.ts", "No tests found, exiting with code 1"],
      ["package.json", "a.ts", "No test files found, exiting with code 1"],
      ["package.json", "a.ts", 'Error: No test files found: "test"'],
    ] as const
  ) equal((await saying({ marker, changed, said })).kind, "passed", said);
});

Deno.test("runCheck() takes tests that failed for a failure, whatever another package has none of", async () => {
  const none = "No tests found, exiting with code 1";
  for (
    const ran of [
      "Tests:       1 failed, 2 passed, 3 total",
      "      Tests  12 failed (12)",
      "  2 passing (9ms)\n  1 failing",
      " 0 pass\n 1 fail",
      "# pass 0\n# fail 1",
    ]
  ) {
    const said = `${none}\n${ran}`;
    equal((await saying({ marker: "package.json", changed: "a.ts", said })).kind, "failed", ran);
  }
});
