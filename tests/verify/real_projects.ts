/** Small projects of every kind whose check is run for real where its runner is; what is not here is skipped by name. */
import { join } from "node:path";
import { machineEnv } from "../support/processes.ts";
import type { Tree } from "./tree.ts";

/** Whether a program is here and answers to these words. */
export function answers(line: string): boolean {
  const [command = "", ...args] = line.split(" ");
  const options = { clearEnv: true, env: machineEnv(), stdout: "null", stderr: "null" } as const;
  try {
    return new Deno.Command(command, { args, ...options }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A Java that ends soon is done before it is worth it to make its code fast. */
const SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/** One project. `broken` is what a change makes of it, so that its check says `says`. */
export type RealProject = {
  name: string;
  has: () => boolean;
  tree: Tree;
  changed: string;
  broken: Tree;
  says: RegExp;
  isOutside?: true;
  isSlow?: true;
};

const WINDOW = "def window(xs, n):\n    return xs[:n]\n";

const HALF_JS = "export const half = (n) => n / 2;\n";
const JS_TEST =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { half } from "./a.js";\ntest("half", () => assert.equal(half(4), 2));\n';
const HALF_TS = "export const half = (n: number) => n / 2;\n";
const BUN_TEST =
  'import { expect, test } from "bun:test";\nimport { half } from "./a.ts";\ntest("half", () => expect(half(4)).toBe(2));\n';
const HALF_RB = "def half(n) = n / 2\n";
const HALF_PHP = "<?php function half(int $n): int { return intdiv($n, 2); }\n";
const PHPUNIT_XML =
  '<phpunit bootstrap="a.php"><testsuites><testsuite name="a"><directory>tests</directory></testsuite></testsuites></phpunit>\n';
const PHP_TEST =
  "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class HalfTest extends TestCase { public function testHalf(): void { $this->assertSame(2, half(4)); } }\n";
const HALF_JAVA =
  "package x; public class Half { public static int of(int n) { return n / 2; } }\n";
const JAVA_TEST =
  "package x;\nimport static org.junit.Assert.assertEquals;\nimport org.junit.Test;\npublic class HalfTest { @Test public void half() { assertEquals(2, Half.of(4)); } }\n";
/** Where Debian has them. */
const [JUNIT, HAMCREST] = ["/usr/share/java/junit4.jar", "/usr/share/java/hamcrest-core.jar"];

/** The versions of plugins that Maven 3.8 has by itself; nothing is downloaded for a test. */
const POM =
  '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>a</artifactId><version>1</version><properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target></properties><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies></project>\n';
const MAVEN_PARTS = [
  "junit/junit/4.13.2/junit-4.13.2.jar",
  "org/apache/maven/surefire/surefire-junit4/2.12.4/surefire-junit4-2.12.4.jar",
].map((part) => join(machineEnv()["HOME"] ?? "/", ".m2", "repository", part));

/** All of them, by the runner. */
export const REAL: readonly RealProject[] = [
  {
    name: "pytest, with the variables",
    has: () => answers("python3 -m pytest --version"),
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
    has: () => answers("make --version") && answers("python3 --version"),
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
    has: () => answers("deno --version"),
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
    has: () => answers("npm --version") && answers("node --version"),
    tree: {
      "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
      "a.js": HALF_JS,
      "a.test.js": JS_TEST,
    },
    changed: "a.js",
    broken: { "a.js": HALF_JS.replace("/ 2", "/ 2 + 1") },
    says: /actual: 3/,
  },
  {
    name: "the test script by pnpm, whatever version of it the project names",
    has: () => answers("pnpm --version") && answers("node --version"),
    tree: {
      "package.json":
        '{"type":"module","packageManager":"pnpm@9.1.0","scripts":{"test":"node --test"}}',
      "a.js": HALF_JS,
      "a.test.js": JS_TEST,
    },
    changed: "a.js",
    broken: { "a.js": HALF_JS.replace("/ 2", "/ 2 + 1") },
    says: /actual: 3/,
  },
  {
    name: "the test script by Yarn",
    has: () => answers("yarn --version") && answers("node --version"),
    tree: {
      "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
      "yarn.lock": "",
      "a.js": HALF_JS,
      "a.test.js": JS_TEST,
    },
    changed: "a.js",
    broken: { "a.js": HALF_JS.replace("/ 2", "/ 2 + 1") },
    says: /actual: 3/,
  },
  {
    name: "go test",
    has: () => answers("go version"),
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
    has: () => answers("cargo --version") && answers("rustc --version"),
    tree: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs": "pub fn half(n: i32) -> i32 {\n    n / 2\n}\n",
      "tests/half.rs": "#[test]\nfn half() {\n    assert_eq!(a::half(4), 2);\n}\n",
    },
    changed: "src/lib.rs",
    broken: { "src/lib.rs": "pub fn half(n: i32) -> i32 {\n    n / 2 + 1\n}\n" },
    says: /left: 3/,
  },
  {
    name: "bun test",
    has: () => answers("bun --version"),
    tree: { "bunfig.toml": "[test]\n", "a.ts": HALF_TS, "a.test.ts": BUN_TEST },
    changed: "a.ts",
    broken: { "a.ts": HALF_TS.replace("/ 2", "/ 2 + 1") },
    says: /Received: 3/,
  },
  {
    name: "the test script by Bun",
    has: () => answers("bun --version"),
    tree: {
      "package.json": '{"scripts":{"test":"bun test"}}',
      "bun.lock": '{"lockfileVersion":1,"workspaces":{"":{}},"packages":{}}',
      "a.ts": HALF_TS,
      "a.test.ts": BUN_TEST,
    },
    changed: "a.ts",
    broken: { "a.ts": HALF_TS.replace("/ 2", "/ 2 + 1") },
    says: /Received: 3/,
  },
  {
    name: "RSpec",
    has: () => answers("rspec --version"),
    tree: {
      ".rspec": "-I lib\n",
      "lib/a.rb": HALF_RB,
      "spec/a_spec.rb":
        'require "a"\nRSpec.describe "half" do\n  it("halves") { expect(half(4)).to eq 2 }\nend\n',
    },
    changed: "lib/a.rb",
    broken: { "lib/a.rb": HALF_RB.replace("/ 2", "/ 2 + 1") },
    says: /got: 3/,
  },
  {
    name: "Minitest by Bundler and Rake",
    has: () => answers("bundle --version") && answers("ruby -rminitest -rrake -e 1"),
    tree: {
      Gemfile: 'source "https://rubygems.org"\ngem "rake"\ngem "minitest"\n',
      Rakefile:
        'require "rake/testtask"\nRake::TestTask.new { |t| t.libs << "lib"; t.pattern = "test/*_test.rb" }\n',
      "lib/a.rb": HALF_RB,
      "test/a_test.rb":
        'require "minitest/autorun"\nrequire "a"\nclass HalfTest < Minitest::Test\n  def test_half = assert_equal(2, half(4))\nend\n',
    },
    changed: "lib/a.rb",
    broken: { "lib/a.rb": HALF_RB.replace("/ 2", "/ 2 + 1") },
    says: /Actual: 3/,
  },
  {
    name: "PHPUnit",
    has: () => answers("phpunit --version"),
    tree: { "phpunit.xml": PHPUNIT_XML, "a.php": HALF_PHP, "tests/HalfTest.php": PHP_TEST },
    changed: "a.php",
    broken: { "a.php": HALF_PHP.replace(", 2)", ", 2) + 1") },
    says: /Failed asserting that 3 is identical to 2/,
  },
  {
    name: "the test script by Composer",
    has: () => answers("phpunit --version") && answers("composer --version"),
    tree: {
      "composer.json": '{"name":"a/b","scripts":{"test":"phpunit --bootstrap a.php tests"}}',
      "a.php": HALF_PHP,
      "tests/HalfTest.php": PHP_TEST,
    },
    changed: "a.php",
    broken: { "a.php": HALF_PHP.replace(", 2)", ", 2) + 1") },
    says: /Failed asserting that 3 is identical to 2/,
  },
  {
    name: "JUnit by Gradle",
    has: () => answers("gradle --version") && exists(JUNIT) && exists(HAMCREST),
    tree: {
      "build.gradle":
        `apply plugin: 'java'\ndependencies { testImplementation files('${JUNIT}', '${HAMCREST}') }\n`,
      "gradle.properties": `org.gradle.jvmargs=${SHORT_LIVED}\n`,
      "src/main/java/x/Half.java": HALF_JAVA,
      "src/test/java/x/HalfTest.java": JAVA_TEST,
    },
    changed: "src/main/java/x/Half.java",
    broken: { "src/main/java/x/Half.java": HALF_JAVA.replace("/ 2", "/ 2 + 1") },
    says: /HalfTest > half FAILED/,
    isSlow: true,
  },
  {
    name: "JUnit by Maven, with what was downloaded before",
    has: () => answers("mvn --version") && MAVEN_PARTS.every(exists),
    tree: {
      "pom.xml": POM,
      ".mvn/jvm.config": `${SHORT_LIVED}\n`,
      "src/main/java/x/Half.java": HALF_JAVA,
      "src/test/java/x/HalfTest.java": JAVA_TEST,
    },
    changed: "src/main/java/x/Half.java",
    broken: { "src/main/java/x/Half.java": HALF_JAVA.replace("/ 2", "/ 2 + 1") },
    says: /Failed tests: .*expected:<2> but was:<3>/,
    isSlow: true,
  },
];
