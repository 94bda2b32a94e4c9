/** What a project's own configuration says about where its tests are, for the files of one language. */
import { isObject } from "@/lib/json.ts";
import { literals, section, words } from "@/verify/config_text.ts";
import { globSource, isRegex } from "@/verify/path_glob.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";

/**
 * Regular expressions of the paths that are tests by its word; a path is relative to the directory of the configuration and
 * begins with a slash. They come from a project, so that they may take for ever.
 */
export type DeclaredTests = readonly string[];

/** What a directory declares for files of Python; undefined when it says nothing about it. */
export async function pytestDeclares(dir: ProjectDir): Promise<DeclaredTests | undefined> {
  for (const [file, name] of PYTEST_CONFIGS) {
    const part = section(await dir.text(file) ?? "", name);
    if (part === undefined) continue;
    const paths = words(part, "testpaths");
    const files = words(part, "python_files");
    if (paths === undefined && files === undefined) return undefined;
    return ["/conftest\\.py$", ...pytestPatterns({ paths: paths ?? [], files })];
  }
  return undefined;
}

const PYTEST_CONFIGS: readonly (readonly [string, string])[] = [
  ["pytest.ini", "pytest"],
  [".pytest.ini", "pytest"],
  ["pyproject.toml", "tool.pytest.ini_options"],
  ["pyproject.toml", "tool.pytest"],
  ["tox.ini", "pytest"],
  ["setup.cfg", "tool:pytest"],
];

const PYTHON_FILES = ["test_*.py", "*_test.py"];

/** All that lies in the test paths belongs to the tests; where none are said, what is collected by its name. */
function pytestPatterns(
  { paths, files = PYTHON_FILES }: {
    paths: readonly string[];
    files: readonly string[] | undefined;
  },
): DeclaredTests {
  if (paths.length > 0) return anchored(paths.map(allBelow));
  return anchored(files.map((glob) => glob.includes("/") ? glob : `**/${glob}`));
}

/** What a directory declares for JavaScript and TypeScript. */
export async function scriptsDeclare(dir: ProjectDir): Promise<DeclaredTests | undefined> {
  const found = (await scriptSources(dir)).flat();
  const regexes = found.filter(({ isRegex }) => isRegex).map(({ text }) => text);
  const globs = found.filter(({ isRegex, text }) => !isRegex && !text.startsWith("!"));
  const patterns = [
    ...regexes.filter((text) => text.length <= REGEX_CHARS_MAX && isRegex(text)),
    ...anchored(globs.map(({ text }) => allBelow(text))),
  ];
  return patterns.length === 0 ? undefined : patterns;
}

const REGEX_CHARS_MAX = 500;

type Found = readonly { text: string; isRegex: boolean }[];

async function scriptSources(dir: ProjectDir): Promise<readonly Found[]> {
  const manifest = await dir.json("package.json") ?? {};
  const deno = await dir.json("deno.json") ?? await dir.json("deno.jsonc") ?? {};
  const mocharc = await dir.json(".mocharc.json") ?? await dir.json(".mocharc.jsonc") ?? {};
  const found: Found[] = [
    ...jestSources(manifest["jest"]),
    ...jestSources(await dir.json("jest.config.json")),
    globsOf(manifest["mocha"], "spec"),
    globsOf(mocharc, "spec"),
    globsOf(deno["test"], "include"),
    yamlWords(await dir.text(".mocharc.yml") ?? await dir.text(".mocharc.yaml") ?? "", "spec"),
  ];
  for (const [base, keys, within] of CODE_CONFIGS) {
    for (const end of CODE_ENDS) {
      const code = await dir.text(`${base}.${end}`);
      if (code === undefined) continue;
      const part = within === undefined ? code : code.slice(Math.max(0, code.search(within)));
      if (within !== undefined && !within.test(code)) continue;
      for (const key of keys) found.push(asRegex(key, literals(part, key) ?? []));
    }
  }
  return found;
}

const CODE_ENDS = ["ts", "js", "mjs", "cjs", "mts", "cts"];

/** Name of the file, keys, and after what they stand. */
const CODE_CONFIGS: readonly (readonly [string, readonly string[], RegExp?])[] = [
  ["jest.config", ["testMatch", "testRegex"]],
  ["vitest.config", ["include"], /\btest\s*:/],
  ["vite.config", ["include"], /\btest\s*:/],
  [".mocharc", ["spec"]],
];

function jestSources(config: unknown): Found[] {
  return [globsOf(config, "testMatch"), asRegex("testRegex", globsOf(config, "testRegex"))];
}

function asRegex(key: string, found: Found): Found {
  return key === "testRegex" ? found.map(({ text }) => ({ text, isRegex: true })) : found;
}

function globsOf(config: unknown, key: string): Found {
  const value = isObject(config) ? config[key] : undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.filter((one) => typeof one === "string").map((text) => ({ text, isRegex: false }));
}

/** `key: word` or a list of `- word` below it. */
function yamlWords(text: string, key: string): Found {
  const found = new RegExp(`^${key}:[ \\t]*(.*(?:\\n[ \\t]*-[ \\t].*)*)`, "m").exec(text)?.[1] ??
    "";
  return found.split("\n").map((line) => line.replace(/^[ \t]*-[ \t]+/, "").replace(/\s#.*$/, ""))
    .map((word) => word.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((word) => word !== "" && !word.startsWith("["))
    .map((word) => ({ text: word, isRegex: false }));
}

/** Test targets of a Cargo.toml whose path is given. */
export async function cargoDeclares(dir: ProjectDir): Promise<DeclaredTests | undefined> {
  const manifest = await dir.text("Cargo.toml") ?? "";
  const paths = manifest.split(/^[ \t]*\[\[test\]\]\s*$/m).slice(1)
    .map((part) =>
      /^[ \t]*path\s*=\s*["']([^"']+)["']/m.exec(part.split(/^[ \t]*\[/m, 1)[0] ?? "")?.[1]
    )
    .filter((path) => path !== undefined);
  return paths.length === 0 ? undefined : anchored(paths);
}

/** A directory stands for all that it holds; `<rootDir>` and `./` for where the configuration is. */
function allBelow(glob: string): string {
  const plain = glob.replace(/^<rootDir>\/?/, "").replace(/^\.?\//, "").replace(/(?<!\/)\/+$/, "");
  return /\.[\w{},()|?*@+[\]]+$/.test(plain) || plain.endsWith("*") ? plain : `${plain}/**`;
}

function anchored(globs: readonly string[]): DeclaredTests {
  return globs.map(globSource).filter((source) => source !== undefined).map((source) =>
    `^/${source}$`
  );
}
