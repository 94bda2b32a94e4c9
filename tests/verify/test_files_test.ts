import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { HeldTests, isTestFile } from "@/verify/test_files.ts";
import { type Tree, withTree } from "./tree.ts";

async function locked(dir: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (await isTestFile(join(dir, path), [dir])) found.push(path);
  return found;
}

const BY_PARTS: Readonly<Record<string, readonly string[]>> = {
  locked: [
    ...["test_parser.py", "tests/helper.py", "a/b/tests/x.py", "parser_test.py", "conftest.py"],
    ...["a/conftest.py", "parser_test.go", "widget.test.ts", "widget.spec.tsx", "app.cy.js"],
    ...["FooTest.java", "FooTests.cs", "FooIT.java", "TestFoo.kt", "FooSpec.scala", "FooTest.php"],
    ...["__tests__/app.js", "test/helper_spec.ts", "spec/user_spec.ts", "mod_test.ts", "test.py"],
    ...["src/test/resources/a.json", "pkg/testdata/in.txt", "__snapshots__/a.snap", "test-foo.js"],
    ...["App.Tests/Helper.cs", "TESTS/a.py", "Test_Parser.PY", "pytest.ini", "jest.config.ts"],
    ...["vitest.config.mts", ".mocharc.yml", ".rspec", "phpunit.xml.dist", "src/tests.rs"],
    ...["foo_test.dart", "foo_spec.rb", "types.test-d.ts"],
  ],
  free: [
    ...["parser.py", "latest_version.py", "main.go", "widget.ts", "package.json", "contest.py"],
    ...["attest/a.py", "Contest.java", "Tester.java", "greatest.ts", "specification.ts", "Spec.md"],
    ...["test_helper.go", "testing_notes.md", "protest/x.py", "inspect.py", "src/latest/a.ts"],
    ...["pyproject.toml", "a.test", "Manifest.java", "fastest_path.rs", "aspect/a.ts", "tester.py"],
  ],
};

Deno.test("isTestFile() goes by whole parts of the path where nothing is declared", () =>
  withTree({}, async (dir) => {
    equal(await locked(dir, BY_PARTS.locked ?? []), BY_PARTS.locked);
    equal(await locked(dir, BY_PARTS.free ?? []), []);
  }));

Deno.test("isTestFile() does not look at what lies above the workspace", () =>
  withTree({ "tests/app/main.py": "" }, async (dir) => {
    const workspace = join(dir, "tests", "app");
    equal(await isTestFile(join(workspace, "main.py"), [workspace]), false);
    equal(await isTestFile(join(workspace, "tests", "main.py"), [workspace]), true);
  }));

const DECLARED: readonly { name: string; tree: Tree; locked: string[]; free: string[] }[] = [
  {
    name: "pytest's test paths",
    tree: {
      "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = [\n  "checks", # ours\n]\n[x]\n',
    },
    locked: ["checks/a.py", "checks/b/data.py", "conftest.py", "tests/data.json", "a.test.ts"],
    free: ["src/test_client.py", "tests/helper.py", "checks.py"],
  },
  {
    name: "pytest's names",
    tree: { "pytest.ini": "[pytest]\npython_files = check_*.py\n    verify_*.py\naddopts = -x\n" },
    locked: ["a/check_b.py", "verify_c.py", "conftest.py"],
    free: ["test_client.py", "a/recheck_b.py"],
  },
  {
    name: "pytest in setup.cfg, which says nothing of them",
    tree: { "setup.cfg": "[tool:pytest]\naddopts = -q\n" },
    locked: ["test_a.py"],
    free: ["a.py"],
  },
  {
    name: "the nearest package's word, not the top's",
    tree: {
      "tox.ini": "[pytest]\ntestpaths = checks\n",
      "libs/a/pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = "own"\n',
    },
    locked: ["libs/a/own/x.py", "checks/x.py"],
    free: ["libs/a/checks/x.py", "own/x.py"],
  },
  {
    name: "jest's globs in package.json",
    tree: { "package.json": '{"jest":{"testMatch":["<rootDir>/**/*.check.[jt]s?(x)"]}}' },
    locked: ["src/a.check.ts", "a.check.jsx", "__tests__/helper.js"],
    free: ["src/a.test.ts", "spec/api.ts"],
  },
  {
    name: "jest's regular expression in code",
    tree: { "jest.config.js": 'module.exports = {\n  testRegex: ["/quality/.*\\\\.ts$"],\n};\n' },
    locked: ["quality/a.ts", "x/quality/b/c.ts"],
    free: ["src/quality.ts", "a_test.ts"],
  },
  {
    name: "vitest's include, not that of its coverage",
    tree: {
      "vite.config.ts":
        'export default defineConfig({ optimizeDeps: { include: ["vue"] }, test: { include: ["./qa/**/*.{ts,tsx}"] } })',
    },
    locked: ["qa/a.ts", "qa/b/c.tsx"],
    free: ["src/a.ts", "vue"],
  },
  {
    name: "mocha's list in YAML",
    tree: { ".mocharc.yml": "require: ts-node\nspec:\n  - 'qa/**/*.js'\n  - more # too\n" },
    locked: ["qa/a.js", "more/b.js"],
    free: ["src/a.js", "lib/mod_test.js"],
  },
  {
    name: "Deno's include",
    tree: { "deno.json": '{"test":{"include":["checks/"]}}' },
    locked: ["checks/a.ts"],
    free: ["mod_test.ts"],
  },
  {
    name: "Cargo's test targets, besides what is usual",
    tree: {
      "Cargo.toml": '[package]\n[[test]]\nname = "x"\npath = "checks/x.rs"\n[lib]\npath="l.rs"\n',
    },
    locked: ["checks/x.rs", "tests/a.rs"],
    free: ["src/lib.rs", "l.rs"],
  },
];

for (const { name, tree, locked: tests, free } of DECLARED) {
  Deno.test(`isTestFile() goes by the project's own configuration: ${name}`, () =>
    withTree(tree, async (dir) => {
      equal(await locked(dir, tests), tests);
      equal(await locked(dir, free), []);
    }));
}

Deno.test("isTestFile() keeps a file as it is when a project's pattern never ends", () =>
  withTree(
    { "package.json": '{"jest":{"testRegex":"^(/?(a+)+)+$"}}' },
    async (dir) => {
      equal(await locked(dir, [`${"a".repeat(60)}!.ts`]), [`${"a".repeat(60)}!.ts`]);
    },
  ));

Deno.test("isTestFile() takes a pattern that is none for none", () =>
  withTree({ "package.json": '{"jest":{"testRegex":"((","testMatch":["a{b"]}}' }, async (dir) => {
    equal(await locked(dir, ["mod_test.ts", "a.ts"]), ["mod_test.ts"]);
  }));

const DECLARING: readonly { config: string; text: string; changed: string; test: string }[] = [
  {
    config: "pyproject.toml",
    text: '[tool.pytest.ini_options]\ntestpaths = ["checks"]\n',
    changed: '[tool.pytest.ini_options]\ntestpaths = ["elsewhere"]\n',
    test: "checks/a.py",
  },
  {
    config: "package.json",
    text: '{"jest":{"testMatch":["<rootDir>/checks/**"]}}',
    changed: "{}",
    test: "checks/a.js",
  },
];

for (const { config, text, changed, test } of DECLARING) {
  Deno.test(`HeldTests goes by what ${config} said before it was changed`, () =>
    withTree({ [config]: text }, async (dir) => {
      const held = new HeldTests(() => [dir]);
      await held.keep(join(dir, "a.py"));
      const [first, beside] = [held.keep(join(dir, config)), held.keep(join(dir, config))];
      await first;
      await Deno.writeTextFile(join(dir, config), changed);
      await Promise.all([beside, held.keep(join(dir, config))]);
      equal(await held.isTest(join(dir, test)), true);
      equal(await held.isTest(join(dir, "src/app.py")), false);
      equal(await new HeldTests(() => [dir]).isTest(join(dir, test)), false);
    }));
}

Deno.test("HeldTests does not take a new configuration's word for what the tests are", () =>
  withTree({ "pkg/tests/a.py": "" }, async (dir) => {
    const [config, test] = [join(dir, "pkg/pytest.ini"), join(dir, "pkg/tests/a.py")];
    const held = new HeldTests(() => [dir]);
    await held.keep(config);
    await Deno.writeTextFile(config, "[pytest]\ntestpaths = none\n");
    equal(await held.isTest(test), true);
    equal(await new HeldTests(() => [dir]).isTest(test), false);
  }));
