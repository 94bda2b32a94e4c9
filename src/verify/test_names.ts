/** Whether a path is one of tests, by its parts. Whole words count: `latest_version.py` holds none. */

/** Directories that hold tests and what belongs to them. */
const TEST_DIRS: ReadonlySet<string> = new Set([
  ...["test", "tests", "spec", "specs", "testing", "e2e", "testdata", "cypress", "features"],
  ...["__tests__", "__test__", "__mocks__", "__snapshots__", "__fixtures__", "__specs__"],
]);

/** Words for tests in a name. */
const TEST_WORDS: ReadonlySet<string> = new Set(["test", "tests", "spec", "specs", "unittest"]);

/** Parts between dots: `app.test.ts`, `app.cy.ts`. */
const TEST_DOTS: ReadonlySet<string> = new Set([...TEST_WORDS, "test-d", "cy", "e2e", "snap"]);

/** Files that do nothing but say which tests there are and how they run. */
const TEST_CONFIGS =
  /^(conftest\.py|pytest\.ini|\.rspec|phpunit\.xml(\.dist)?|\.mocharc(\.\w+)?|(jest|vitest|karma|playwright|cypress|ava|wdio)\.(config|conf|setup|workspace)(\.\w+)+|(setup|jest)[._-]?tests?\.\w+)$/i;

/** Suffixes of languages whose names are words in capitals: `FooTest.java`. */
const CAMEL = /\.(java|kt|scala|groovy|cs|fs|vb|php|swift|m|mm)$/i;

/** Suffixes of code, tests in other words, and what tests are compared with. */
const CODE =
  /\.(py|pyi|[cm]?[jt]sx?|vue|svelte|rs|go|rb|php|java|kts?|scala|groovy|cs|fs|vb|swift|c|h|cc|cpp|cxx|hh|hpp|m|mm|pl|t|lua|sh|bash|bats|zig|nim|hs|ml|exs?|erl|clj[cs]?|jl|r|dart|cr|el|sql|snap|feature|robot|txtar)$/i;

/** Whether the directories of a relative path say that it belongs to tests. */
export function isInTestDir(path: string): boolean {
  const dirs = path.split("/").slice(0, -1);
  return dirs.some((dir) =>
    TEST_DIRS.has(dir.toLowerCase()) || /[.](unit|integration|functional)?tests?$/i.test(dir)
  );
}

/** Whether the name itself says that it is a test, or what configures tests. */
export function isTestName(name: string): boolean {
  if (TEST_CONFIGS.test(name)) return true;
  if (!CODE.test(name)) return false;
  const [stem = "", ...dots] = name.split(".").slice(0, -1);
  if (dots.some((dot) => TEST_DOTS.has(dot.toLowerCase()))) return true;
  if (CAMEL.test(name) && isCamelTest(stem)) return true;
  const words = stem.toLowerCase().split(/[_-]+/).filter((word) => word !== "");
  if (TEST_WORDS.has(words.at(-1) ?? "")) return true;
  // Go says it at the end alone: `test_helper.go` is a program's own.
  return /^tests?$/.test(words[0] ?? "") && !/\.go$/i.test(name);
}

/** `FooTest`, `FooTests`, `FooTestCase`, `FooSpec`, `FooIT`, `TestFoo`. */
function isCamelTest(stem: string): boolean {
  return /(^|[a-z\d_])(Tests?|TestCase|Specs?|IT)$/.test(stem) || /^Tests?([A-Z]|$)/.test(stem);
}
