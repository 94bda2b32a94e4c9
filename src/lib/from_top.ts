/** The directories of a project, from the top of its repository down to where the work is done. */
import { isThere } from "@/lib/is_there.ts";
import { dirname, join } from "@/lib/path.ts";

/**
 * The directories from the top of the repository that `directory` (a real path) stands in down to itself; itself alone
 * where there is no repository, or where a directory on the way belongs to somebody else: what another user of the
 * machine has put above is not the project's.
 */
export async function fromTop(directory: string): Promise<readonly string[]> {
  const owner = (await Deno.lstat(directory)).uid;
  const chain: string[] = [];
  for (let at = directory;; at = dirname(at)) {
    if ((await Deno.lstat(at)).uid !== owner) break;
    chain.unshift(at);
    if (await isThere(join(at, ".git"))) return chain;
    if (dirname(at) === at) break;
  }
  return [directory];
}
