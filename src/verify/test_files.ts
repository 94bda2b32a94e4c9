/** Which files are a project's tests: by its own configuration where that says so, else by the parts of the path. */
import { basename, dirname } from "@/lib/path.ts";
import { isWithin, seenFrom } from "@/lib/path_within.ts";
import {
  cargoDeclares,
  type DeclaredTests,
  pytestDeclares,
  scriptsDeclare,
} from "@/verify/declared_tests.ts";
import { tryPattern } from "@/workers/foreign_pattern.ts";
import { type ProjectDir, projectDirs } from "@/verify/project_dir.ts";
import { isInTestDir, isTestName } from "@/verify/test_names.ts";

type Declares = (dir: ProjectDir) => Promise<DeclaredTests | undefined>;

type Declaration = { suffix: RegExp; declares: Declares; isWhole: boolean };

/** Which configuration speaks about files of that suffix, and whether it says all of it: Cargo's only adds to the rule. */
const DECLARATIONS: readonly Declaration[] = [
  { suffix: /\.pyi?$/i, declares: pytestDeclares, isWhole: true },
  { suffix: /\.([cm]?[jt]sx?|vue|svelte)$/i, declares: scriptsDeclare, isWhole: true },
  { suffix: /\.rs$/i, declares: cargoDeclares, isWhole: false },
];

/** Directories whose name can mean nothing else. */
const CERTAIN_DIRS = /(^|\/)__(tests?|mocks|snapshots|fixtures|specs)__\//i;

/** Files that say where tests are. */
const CONFIGS =
  /^(\.?pytest\.ini|pyproject\.toml|tox\.ini|setup\.cfg|package\.json|deno\.jsonc?|Cargo\.toml|(jest|vite|vitest)\.config\.\w+|\.mocharc(\.\w+)?)$/i;

/** The tests of a project for as long as nothing may change them, its word about which they are included. */
export class HeldTests {
  readonly #roots: () => readonly string[];
  readonly #before = new Map<string, ReturnType<Declares>>();

  /** `roots`: see isTestFile. */
  constructor(roots: () => readonly string[]) {
    this.#roots = roots;
  }

  /** Whether a file (absolute path) was a test when this began, whatever its configuration says by now. */
  async isTest(file: string): Promise<boolean> {
    return await isTestFile(
      file,
      this.#roots(),
      (one, dir) => this.#before.get(keyOf(one, dir.path)) ?? one.declares(dir),
    );
  }

  /** A file is about to be changed: what it says about tests now goes on to hold. */
  async keep(file: string): Promise<void> {
    if (!CONFIGS.test(basename(file))) return;
    const [dir] = await projectDirs(file, this.#roots());
    if (dir === undefined) return;
    // Kept before it is waited for: of two calls side by side the second waits for what the first reads.
    await Promise.all(DECLARATIONS.map((one) => {
      const key = keyOf(one, dir.path);
      const before = this.#before.get(key) ?? one.declares(dir);
      this.#before.set(key, before);
      return before;
    }));
  }
}

function keyOf(one: Declaration, path: string): string {
  return `${DECLARATIONS.indexOf(one)}\0${path}`;
}

/** Whether a file (absolute path, need not exist) is a test of its project. `roots`: the workspace and what was added. */
export async function isTestFile(
  file: string,
  roots: readonly string[],
  declaredBy = (one: Declaration, dir: ProjectDir) => one.declares(dir),
): Promise<boolean> {
  const root = roots.filter((one) => isWithin(file, one)).sort((a, b) => b.length - a.length)[0];
  // What lies above the workspace says nothing about it: /home/me/tests/app/main.py.
  const path = seenFrom(root ?? dirname(file), file).replaceAll("\\", "/");
  const byParts = isInTestDir(path) || isTestName(path.split("/").at(-1) ?? "");
  if (root === undefined) return byParts;
  for (const one of DECLARATIONS) {
    const { suffix, isWhole } = one;
    if (!suffix.test(path)) continue;
    const declares = (dir: ProjectDir) => declaredBy(one, dir);
    const declared = await nearestDeclaration(file, { roots, declares });
    if (declared === undefined) return byParts;
    return declared || CERTAIN_DIRS.test(path) || (!isWhole && byParts);
  }
  return byParts;
}

/** What the nearest configuration that says anything says of the file; undefined when none does. */
async function nearestDeclaration(
  file: string,
  { roots, declares }: { roots: readonly string[]; declares: Declares },
): Promise<boolean | undefined> {
  for (const dir of await projectDirs(file, roots)) {
    const declared = await declares(dir);
    if (declared !== undefined) {
      return await matchesAny(declared, `/${seenFrom(dir.path, file).replaceAll("\\", "/")}`);
    }
  }
  return undefined;
}

/** Whether one of the patterns matches. One that cannot be tried is taken to: the file stays as it is. */
async function matchesAny(patterns: DeclaredTests, path: string): Promise<boolean> {
  const source = patterns.map((one) => `(?:${one})`).join("|");
  return await tryPattern({ source, flags: "i" }, [path.replaceAll("\n", "?")]) !== "none";
}
