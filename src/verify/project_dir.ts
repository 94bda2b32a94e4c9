/** A directory of a project as it is looked at for what it declares. Never throws for what it meets there. */
import { readBounded } from "@/lib/bounded_file.ts";
import { isObject, parsedJson } from "@/lib/json.ts";
import { dirname, join } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import { withoutComments } from "@/verify/config_text.ts";

/** Files that declare something are small; a larger one declares nothing. In bytes. */
const CONFIG_BYTES_MAX = 1024 * 1024;

/** How many directories are looked at, from the file's own upward. */
const LEVELS_MAX = 8;

const NAMES_MAX = 2_000;

/** One directory; `above` are those around it that belong to the same project, nearest first. */
export class ProjectDir {
  readonly path: string;
  readonly above: readonly ProjectDir[];

  constructor(path: string, above: readonly ProjectDir[]) {
    this.path = path;
    this.above = above;
  }

  /** Whether something of that name is there. */
  async has(name: string): Promise<boolean> {
    try {
      await Deno.stat(join(this.path, name));
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error) return false;
      throw error;
    }
  }

  /** The first of the names that is there. */
  async first(names: readonly string[]): Promise<string | undefined> {
    for (const name of names) if (await this.has(name)) return name;
    return undefined;
  }

  /** The text of a file; undefined where there is none that can be read. */
  async text(name: string): Promise<string | undefined> {
    const file = await readBounded(join(this.path, name), CONFIG_BYTES_MAX);
    return file.kind === "bytes" ? new TextDecoder().decode(file.bytes) : undefined;
  }

  /** A file that holds a JSON object, comments allowed. */
  async json(name: string): Promise<Record<string, unknown> | undefined> {
    const text = await this.text(name);
    if (text === undefined) return undefined;
    const value = parsedJson(text) ?? parsedJson(withoutComments(text));
    return isObject(value) ? value : undefined;
  }

  /** Names in it that end with one of the suffixes. */
  async endingWith(suffixes: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    let seen = 0;
    try {
      for await (const { name } of Deno.readDir(this.path)) {
        if ((seen += 1) > NAMES_MAX) break;
        if (suffixes.some((suffix) => name.endsWith(suffix))) found.push(name);
      }
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
    return found.sort();
  }

  /** The nearest of this directory and those above in which one of the names is. */
  async nearest(names: readonly string[]): Promise<{ dir: ProjectDir; name: string } | undefined> {
    for (const dir of [this, ...this.above]) {
      const name = await dir.first(names);
      if (name !== undefined) return { dir, name };
    }
    return undefined;
  }
}

/**
 * The directories that a file may belong to, its own first: upward, at most eight, never above the top of its repository
 * or out of `roots` (real paths). None for a file outside of them.
 */
export async function projectDirs(
  file: string,
  roots: readonly string[],
): Promise<readonly ProjectDir[]> {
  const paths: string[] = [];
  for (let at = dirname(file); paths.length < LEVELS_MAX; at = dirname(at)) {
    if (!roots.some((root) => isWithin(at, root))) break;
    paths.push(at);
    if (dirname(at) === at || await new ProjectDir(at, []).has(".git")) break;
  }
  const dirs: ProjectDir[] = [];
  for (const path of paths.toReversed()) dirs.unshift(new ProjectDir(path, [...dirs]));
  return dirs;
}
