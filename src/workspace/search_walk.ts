/** The files that a search without ripgrep looks through. Links are not followed; pipes and devices are no files. */
import { isNotThere } from "@/lib/file_error.ts";
import { join } from "@/lib/path.ts";
import { IgnoreRules, NEVER_SEARCHED } from "@/workspace/ignore_rules.ts";

/** What a walk is told, and tells besides the files. */
export type WalkOptions = {
  /** Ignored and hidden files too; only `.git` and what package managers put there stays out. */
  everything: boolean;
  signal: AbortSignal;
  onUnreadable: () => void;
  /** A directory whose name is not UTF-8. */
  onUnsayable: () => void;
};

/** Paths relative to `root` (a real path), with forward slashes, in no particular order. */
export async function* filesBelow(root: string, options: WalkOptions): AsyncGenerator<string> {
  const rules = options.everything ? undefined : await IgnoreRules.at(root);
  const waiting = [{ directory: root, name: "", rules }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of await entriesOf(at.directory, options)) {
      options.signal.throwIfAborted();
      const path = join(at.directory, entry.name);
      if (!isSearched(entry, path, at.rules)) continue;
      const name = at.name + entry.name;
      if (entry.isFile) yield name;
      if (entry.isDirectory) {
        waiting.push({ directory: path, name: `${name}/`, rules: await at.rules?.below(path) });
      }
    }
  }
}

/** Whether what is not found may be there: Deno (2.9.6) puts U+FFFD where bytes of a name are no UTF-8. */
export function isUnsayable(path: string): boolean {
  return path.includes("\ufffd");
}

async function entriesOf(directory: string, options: WalkOptions): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(directory));
  } catch (error) {
    // It may have gone since its parent was read.
    if (error instanceof Deno.errors.PermissionDenied) options.onUnreadable();
    else if (!isNotThere(error)) throw error;
    else if (isUnsayable(directory)) options.onUnsayable();
    return [];
  }
}

function isSearched(entry: Deno.DirEntry, path: string, rules: IgnoreRules | undefined): boolean {
  if (entry.isDirectory && (entry.name === ".git" || NEVER_SEARCHED.includes(entry.name))) {
    return false;
  }
  if (rules === undefined) return true;
  const answer = rules.answer(path, entry.isDirectory);
  if (answer === "ignored") return false;
  return answer === "kept" || !entry.name.startsWith(".");
}
