/** What a path that a person begins to type can become: the real directory, without what is ignored and out of reach. */
import { join } from "@/lib/path.ts";
import type { Confine } from "./confine.ts";
import { IgnoreRules, NEVER_SEARCHED } from "./ignore_rules.ts";

/** One entry. `path` begins as it was typed; a directory ends with a slash. */
export type PathEntry = { path: string; isDirectory: boolean; bytes?: number };

export type PathCompletionOptions = {
  confine: Confine;
  /** Whether rules and the state directory let a real path be read. */
  mayRead?(path: string): boolean;
};

const ENTRIES_READ_MAX = 20_000;
const ENTRIES_SHOWN_MAX = 200;

/**
 * Entries of the directory that `prefix` stands in, sorted without case: those whose name begins with what was typed of it,
 * in any case. Hidden ones only after a dot. Empty for a directory that is not there or not inside.
 */
export async function completePath(
  prefix: string,
  { confine, mayRead = () => true }: PathCompletionOptions,
  signal: AbortSignal,
): Promise<readonly PathEntry[]> {
  const slash = prefix.lastIndexOf("/") + 1;
  const [typedDir, typedName] = [prefix.slice(0, slash), prefix.slice(slash)];
  const { real, outside, refusal } = await confine.resolve(typedDir || ".", "reads");
  if (outside || refusal !== undefined || signal.aborted) return [];
  const names = await matchingNames(real, typedName, signal);
  const rules = await IgnoreRules.at(real);
  const entries: PathEntry[] = [];
  for (const name of names) {
    if (signal.aborted || entries.length >= ENTRIES_SHOWN_MAX) break;
    const found = await reachable(join(real, name), confine);
    if (found === undefined) continue;
    const { info, path } = found;
    if (rules.answer(join(real, name), info.isDirectory) === "ignored") continue;
    if (info.isFile && !mayRead(path)) continue;
    entries.push(
      info.isDirectory
        ? { path: `${typedDir}${name}/`, isDirectory: true }
        : { path: `${typedDir}${name}`, isDirectory: false, bytes: info.size },
    );
  }
  return entries;
}

async function matchingNames(dir: string, typed: string, signal: AbortSignal): Promise<string[]> {
  const wanted = typed.toLowerCase();
  const names: string[] = [];
  let read = 0;
  try {
    for await (const { name } of Deno.readDir(dir)) {
      read += 1;
      if (signal.aborted || read > ENTRIES_READ_MAX) break;
      const isHidden = name.startsWith(".") && !typed.startsWith(".");
      if (isHidden || NEVER_SEARCHED.includes(name)) continue;
      if (name.toLowerCase().startsWith(wanted)) names.push(name);
    }
  } catch (error) {
    if (isNoDirectory(error)) return [];
    throw error;
  }
  return names.sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b));
}

/** What a name leads to, when that is a file or directory inside. */
async function reachable(
  path: string,
  confine: Confine,
): Promise<{ info: Deno.FileInfo; path: string } | undefined> {
  const { real, outside, refusal } = await confine.resolve(path, "reads");
  if (outside || refusal !== undefined) return undefined;
  try {
    const info = await Deno.lstat(real);
    return info.isFile || info.isDirectory ? { info, path: real } : undefined;
  } catch (error) {
    if (isNoDirectory(error)) return undefined;
    throw error;
  }
}

function isNoDirectory(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.PermissionDenied;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
