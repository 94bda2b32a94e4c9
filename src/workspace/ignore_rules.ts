/**
 * Which files a search leaves out, by the ignore files of the tree: `.rgignore` before `.ignore` before `.gitignore`, the
 * deeper file before the one above it, and `.gitignore` only up to the top of its repository. The same as ripgrep does.
 */
import { isThere } from "@/lib/is_there.ts";
import { isNotThere } from "@/lib/file_error.ts";
import { dirname, join } from "@/lib/path.ts";
import { IgnoreLines, type LinesAnswer } from "@/workspace/ignore_lines.ts";

/** Left out everywhere, whatever ignore files say: what package managers put there is nobody's own text. */
export const NEVER_SEARCHED: readonly string[] = ["node_modules", "__pycache__", "venv"];

/** An ignore file longer than this is not one. */
const FILE_BYTES_MAX = 1024 * 1024;

/** In the order in which they count. */
const FILES = [".rgignore", ".ignore", ".gitignore"] as const;
type FileName = typeof FILES[number];

type Level = {
  directory: string;
  parent: Level | undefined;
  hasGit: boolean;
  rules: Partial<Record<FileName, IgnoreLines>>;
};

/** The rules that hold in one directory. */
export class IgnoreRules {
  readonly #level: Level;

  private constructor(level: Level) {
    this.#level = level;
  }

  /**
   * The rules for a directory (real path) where a search begins. Inside a repository those of the directories above it
   * count up to its top; elsewhere only what lies in the directory itself and below.
   */
  static async at(root: string): Promise<IgnoreRules> {
    const isInRepository = await hasRepositoryAbove(root);
    let level: Level | undefined;
    for (const directory of isInRepository ? ancestors(root) : []) {
      const above = await readLevel(directory, level);
      // A root that is itself ignored was asked for by name; then what ignored it does not count.
      level = { ...above, rules: withoutThoseThatIgnore(root, above) };
    }
    return new IgnoreRules(await readLevel(root, level));
  }

  /** The rules for a directory directly below. */
  async below(directory: string): Promise<IgnoreRules> {
    return new IgnoreRules(await readLevel(directory, this.#level));
  }

  /** What the rules say about an entry of this directory or of one below it. */
  answer(path: string, isDirectory: boolean): LinesAnswer {
    for (const file of FILES) {
      const found = this.#answerOf(file, path, isDirectory);
      if (found !== "none") return found;
    }
    return "none";
  }

  #answerOf(file: FileName, path: string, isDirectory: boolean): LinesAnswer {
    for (let level: Level | undefined = this.#level; level !== undefined; level = level.parent) {
      const found = level.rules[file]?.answer(relativeName(level.directory, path, isDirectory));
      if (found === "ignored" || found === "kept") return found;
      if (file === ".gitignore" && level.hasGit) return "none";
    }
    return "none";
  }
}

function relativeName(directory: string, path: string, isDirectory: boolean): string {
  const base = directory.endsWith("/") || directory.endsWith("\\") ? directory : `${directory}/`;
  return path.slice(base.length).replaceAll("\\", "/") + (isDirectory ? "/" : "");
}

/** From the root of the file system down to the parent of `directory`. */
function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [] : [...ancestors(parent), parent];
}

/** Whether a directory lies in a repository, or is the top of one. */
export async function hasRepositoryAbove(directory: string): Promise<boolean> {
  for (const place of [directory, ...ancestors(directory)]) {
    if (await isThere(join(place, ".git"))) return true;
  }
  return false;
}

async function readLevel(directory: string, parent: Level | undefined): Promise<Level> {
  const [hasGit, ...read] = await Promise.all([
    isThere(join(directory, ".git")),
    ...FILES.map((file) => readRules(join(directory, file))),
  ]);
  const rules: Level["rules"] = {};
  FILES.forEach((file, index) => {
    const found = read[index];
    if (found !== undefined) rules[file] = found;
  });
  return { directory, parent, hasGit, rules };
}

function withoutThoseThatIgnore(root: string, { directory, rules }: Level): Level["rules"] {
  const name = relativeName(directory, root, true);
  const kept = FILES.flatMap((file) => {
    const rule = rules[file];
    return rule === undefined || rule.answer(name) === "ignored" ? [] : [[file, rule] as const];
  });
  return Object.fromEntries(kept);
}

async function readRules(path: string): Promise<IgnoreLines | undefined> {
  const text = await readSmall(path);
  return text === undefined ? undefined : new IgnoreLines(text);
}

/** A pipe in the place of an ignore file is none: it would make us wait. */
async function readSmall(path: string): Promise<string | undefined> {
  try {
    const info = await Deno.stat(path);
    if (!info.isFile || info.size > FILE_BYTES_MAX) return undefined;
    return (await Deno.readTextFile(path)).replace(/^\ufeff/, "");
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return isNotThere(error) || error instanceof Deno.errors.PermissionDenied;
}
