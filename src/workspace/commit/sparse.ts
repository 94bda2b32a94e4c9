/** Files that a sparse checkout keeps in the index alone: git forgets that as soon as somebody writes them. */
import { dirname, join, resolve } from "@/lib/path.ts";
import { lstat } from "@/workspace/entry.ts";
import { type Git, GitError } from "@/workspace/git.ts";
import { nearestMarker } from "@/workspace/git_place.ts";
import { nearestDir, pathInGit } from "./edit_facts.ts";
import { indexEntries } from "./repo_state.ts";

/** Those of these paths (real, where nothing is yet). Git is asked only where there is a sparse checkout. */
export async function outsideSparse(git: Git, paths: readonly string[]): Promise<Set<string>> {
  const outside = new Set<string>();
  for (const path of paths) {
    const dir = nearestDir(path);
    const top = await nearestMarker(dir);
    if (top === undefined || !isSparse(join(top, ".git"))) continue;
    if (await isSkipped(git, path, dir)) outside.add(path);
  }
  return outside;
}

function isSparse(marker: string): boolean {
  const info = lstat(marker);
  if (info?.isFile) {
    const [, dir] = /^gitdir: (.*)\n?$/.exec(Deno.readTextFileSync(marker)) ?? [];
    return dir !== undefined && isSparse(resolve(dirname(marker), dir));
  }
  return lstat(join(marker, "info", "sparse-checkout")) !== undefined;
}

async function isSkipped(git: Git, path: string, dir: string): Promise<boolean> {
  try {
    const place = await git.place(dir);
    if (place.kind !== "repository") return false;
    const session = await git.session(place.repository);
    const inGit = pathInGit(session, path);
    return (await indexEntries(session, [inGit])).get(inGit)?.isSkipped === true;
  } catch (error) {
    // What git cannot say keeps nobody from writing a file.
    if (error instanceof GitError) return false;
    throw error;
  }
}
