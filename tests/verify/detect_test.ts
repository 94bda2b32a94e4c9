import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "@/verify/check.ts";
import { findChecks } from "@/verify/detect.ts";
import { type Tree, withTree } from "./tree.ts";

/** Where each check runs, and what: `dir: line`. */
async function found(
  dir: string,
  changed: readonly string[],
  installed: readonly string[] = [],
): Promise<string[]> {
  const checks = await findChecks(changed.map((path) => join(dir, path)), {
    roots: [dir],
    isInstalled: (name) => Promise.resolve(installed.includes(name)),
  });
  return checks.map((check) => `${check.root.slice(dir.length + 1) || "."}: ${commandLine(check)}`);
}

const script = (test: string) => JSON.stringify({ scripts: { test } });
const PYTEST = "-m pytest -x -q -l";

const CASES: readonly { name: string; tree: Tree; changed: string; runs: string[] }[] = [
  ...["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg"].map((marker) => ({
    name: `Python by ${marker}`,
    tree: { [marker]: "" },
    changed: "pkg/a.py",
    runs: [`.: python3 ${PYTEST}`],
  })),
  { name: "setup.py alone declares nothing", tree: { "setup.py": "" }, changed: "a.py", runs: [] },
  {
    name: "an environment in the project",
    tree: { "pyproject.toml": "", ".venv/pyvenv.cfg": "", ".venv/bin/python": "" },
    changed: "a.py",
    runs: [`.: .venv/bin/python ${PYTEST}`],
  },
  {
    name: "an environment above the package",
    tree: { "venv/pyvenv.cfg": "", "libs/a/pyproject.toml": "" },
    changed: "libs/a/a.py",
    runs: [`libs/a: WS/venv/bin/python ${PYTEST}`],
  },
  {
    name: "a test script",
    tree: { "package.json": script("jest") },
    changed: "src/a.ts",
    runs: [".: npm test --silent"],
  },
  {
    name: "no test script",
    tree: { "package.json": '{"scripts":{"build":"tsc"}}' },
    changed: "a.ts",
    runs: [],
  },
  {
    name: "what npm init writes, also where something lies above",
    tree: {
      "package.json": script("jest"),
      "a/package.json": script('echo "Error: no test specified" && exit 1'),
    },
    changed: "a/a.js",
    runs: [],
  },
  {
    name: "pnpm by its lock file, in the package of a monorepo",
    tree: { "pnpm-lock.yaml": "", "package.json": "{}", "packages/a/package.json": script("v") },
    changed: "packages/a/src/a.ts",
    runs: ["packages/a: pnpm --silent test"],
  },
  {
    name: "a package without a script is checked by the one around it",
    tree: { "yarn.lock": "", "package.json": script("jest"), "packages/a/package.json": "{}" },
    changed: "packages/a/a.ts",
    runs: [".: yarn test"],
  },
  {
    name: "the manager that package.json names, whatever lock files lie about",
    tree: {
      "package-lock.json": "",
      "package.json": '{"packageManager":"bun@1.2.0","scripts":{"test":"bun test"}}',
    },
    changed: "a.ts",
    runs: [".: bun run --silent test"],
  },
  {
    name: "a Deno task, with comments in the configuration",
    tree: { "deno.jsonc": '{ // tasks\n "tasks": { "test": { "command": "deno test" }, } }' },
    changed: "a.ts",
    runs: [".: deno task test"],
  },
  { name: "a deno.json without one", tree: { "deno.json": "{}" }, changed: "a.ts", runs: [] },
  {
    name: "Bun's own runner",
    tree: { "bunfig.toml": "[test]\ncoverage = true\n", "package.json": "{}" },
    changed: "a.ts",
    runs: [".: bun test"],
  },
  {
    name: "a bunfig that says nothing of tests",
    tree: { "bunfig.toml": "[install]\nexact = true\n" },
    changed: "a.ts",
    runs: [],
  },
  {
    name: "a member of a Cargo workspace",
    tree: { "Cargo.toml": "[workspace]", "a/Cargo.toml": "[package]" },
    changed: "a/src/lib.rs",
    runs: ["a: cargo test --quiet"],
  },
  { name: "Go", tree: { "go.mod": "" }, changed: "b/a.go", runs: [".: go test ./..."] },
  {
    name: "Maven by its wrapper",
    tree: { "pom.xml": "", mvnw: "" },
    changed: "src/main/java/A.java",
    runs: [".: mvnw -q -B test"],
  },
  {
    name: "Gradle, the wrapper above the subproject",
    tree: { gradlew: "", "settings.gradle.kts": "", "app/build.gradle.kts": "" },
    changed: "app/src/main/kotlin/A.kt",
    runs: ["app: WS/gradlew --no-daemon --console=plain test"],
  },
  {
    name: "a .NET solution above the project",
    tree: { "App.sln": "", "src/App/App.csproj": "<Project/>" },
    changed: "src/App/A.cs",
    runs: [".: dotnet test --nologo -v q"],
  },
  {
    name: "a .NET project without tests",
    tree: { "App.csproj": "<Project/>" },
    changed: "A.cs",
    runs: [],
  },
  {
    name: "RSpec by the bundle",
    tree: { ".rspec": "", Gemfile: "" },
    changed: "lib/a.rb",
    runs: [".: bundle exec rspec --fail-fast"],
  },
  {
    name: "a test task of a Rakefile",
    tree: { Rakefile: "Rake::TestTask.new(:test) do |t|\nend\n" },
    changed: "lib/a.rb",
    runs: [".: rake test"],
  },
  {
    name: "a Rakefile without one",
    tree: { Rakefile: "task :deploy do\nend\n" },
    changed: "lib/a.rb",
    runs: [],
  },
  {
    name: "a test script of Composer",
    tree: { "composer.json": script("phpunit"), "phpunit.xml": "" },
    changed: "src/A.php",
    runs: [".: composer --no-interaction run-script test"],
  },
  {
    name: "PHPUnit in the project",
    tree: { "phpunit.xml.dist": "", "vendor/bin/phpunit": "" },
    changed: "src/A.php",
    runs: [".: vendor/bin/phpunit --colors=never"],
  },
  {
    name: "a Makefile with a test target",
    tree: { Makefile: ".PHONY: test\nbuild test: all\n\tcc\n" },
    changed: "src/a.c",
    runs: [".: make test"],
  },
  {
    name: "a Makefile that only speaks of tests",
    tree: { Makefile: ".PHONY: test\ntest := 1\ntests: all\ntest-all:\n" },
    changed: "a.c",
    runs: [],
  },
  {
    name: "what is particular to the language before make",
    tree: { Makefile: "test:\n\tpytest\n", "pyproject.toml": "" },
    changed: "a.py",
    runs: [`.: python3 ${PYTEST}`],
  },
  { name: "a file of no language", tree: { "pyproject.toml": "" }, changed: "README.md", runs: [] },
  { name: "a configuration", tree: { "package.json": script("x") }, changed: "a.json", runs: [] },
  {
    name: "a marker above the repository",
    tree: { "pyproject.toml": "", "inner/.git/": "" },
    changed: "inner/a.py",
    runs: [],
  },
  {
    name: "a marker nine levels up",
    tree: { "go.mod": "" },
    changed: "1/2/3/4/5/6/7/8/a.go",
    runs: [],
  },
  {
    name: "a marker seven levels up",
    tree: { "go.mod": "" },
    changed: "1/2/3/4/5/6/7/a.go",
    runs: [".: go test ./..."],
  },
  {
    name: "a configuration that is no JSON",
    tree: { "package.json": '{"scripts": {"test": ' },
    changed: "a.ts",
    runs: [],
  },
];

for (const { name, tree, changed, runs } of CASES) {
  Deno.test(`findChecks() takes what the project declares: ${name}`, () =>
    withTree(tree, async (dir) => {
      equal(await found(dir, [changed]), runs.map((line) => line.replace("WS", dir)));
    }));
}

Deno.test("findChecks() chooses by each changed file and names a check once", () =>
  withTree(
    { "pyproject.toml": "", "package.json": script("jest"), "go/go.mod": "" },
    async (dir) => {
      equal(await found(dir, ["a.py", "b.py", "web/a.ts", "README.md", "go/x.go", "c.py"]), [
        `.: python3 ${PYTEST}`,
        ".: npm test --silent",
        "go: go test ./...",
      ]);
    },
  ));

Deno.test("findChecks() asks uv and poetry for the interpreter where they are installed", () =>
  withTree({ "pyproject.toml": "", "uv.lock": "" }, async (dir) => {
    equal(await found(dir, ["a.py"], ["uv", "python"]), [`.: uv run --frozen python ${PYTEST}`]);
    equal(await found(dir, ["a.py"], ["python"]), [`.: python ${PYTEST}`]);
    await Deno.rename(join(dir, "uv.lock"), join(dir, "poetry.lock"));
    equal(await found(dir, ["a.py"], ["poetry"]), [`.: poetry run python ${PYTEST}`]);
  }));

Deno.test("findChecks() never looks above the workspace, nor for a file outside of it", () =>
  withTree({ "pyproject.toml": "", "ws/": "" }, async (dir) => {
    equal(await found(join(dir, "ws"), ["a.py", "../b.py"]), []);
  }));

Deno.test("findChecks() reads no pipe and no endless file for a configuration", () =>
  withTree({ "a.ts": "" }, async (dir) => {
    await Deno.symlink("/dev/zero", join(dir, "package.json"));
    equal(await found(dir, ["a.ts"]), []);
  }));
