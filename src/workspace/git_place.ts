/** Which repository a directory belongs to, and whether it may be asked. */
import { isNotThere } from "@/lib/file_error.ts";
import { dirname, join, resolve } from "@/lib/path.ts";
import { isWithin } from "@/lib/path_within.ts";
import type { Finished } from "@/sandbox/processes.ts";

/** A repository that was found to be what it seems. All paths are absolute. */
export type Repository = {
  /** Top of the work tree, links resolved. */
  top: string;
  gitDir: string;
  /** Shared by all linked work trees; the same as `gitDir` where there is one. */
  commonDir: string;
  index: string;
  objectFormat: "sha1" | "sha256";
  /** Top of the repository that this one is a submodule of. */
  superproject?: string;
};

/** `refused`: there is one, but asking it would mean to trust it; the reason is a sentence. */
export type RepositoryPlace =
  | { kind: "repository"; repository: Repository }
  | { kind: "outside" }
  | { kind: "refused"; reason: string };

/** Runs git in the directory, without any variable that names a repository. */
type Ask = (args: readonly string[]) => Promise<Finished>;

const QUESTION = [
  ...["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"],
  ...["--git-path", "index", "--show-object-format", "--show-superproject-working-tree"],
];

/** Finds the repository of a real path. Never throws for what a repository looks like. */
export async function findRepository(directory: string, ask: Ask): Promise<RepositoryPlace> {
  const marker = await nearestMarker(directory);
  if (marker === undefined) return { kind: "outside" };
  const answer = await ask(QUESTION);
  if (answer.ended !== "exited" || answer.code !== 0) return notFound(answer, marker);
  const [top = "", gitDir = "", commonDir = "", index = "", format = "", superproject = ""] = answer
    .stdout.text().split("\n");
  const repository: Repository = {
    top: await Deno.realPath(top),
    ...{ gitDir, commonDir, index },
    objectFormat: format === "sha256" ? "sha256" : "sha1",
    ...(superproject === "" ? {} : { superproject }),
  };
  const problem = await placeProblem(marker, repository, ask);
  return problem === undefined
    ? { kind: "repository", repository }
    : { kind: "refused", reason: problem };
}

/** The deepest directory at or above this one that has a `.git`; by our own eyes, whatever a config says. */
export async function nearestMarker(directory: string): Promise<string | undefined> {
  for (let at = directory;; at = dirname(at)) {
    try {
      await Deno.lstat(join(at, ".git"));
      return at;
    } catch (error) {
      if (!isNotThere(error) && !(error instanceof Deno.errors.PermissionDenied)) throw error;
    }
    if (dirname(at) === at) return undefined;
  }
}

function notFound(answer: Finished, marker: string): RepositoryPlace {
  const said = answer.stderr.text();
  if (said.includes("dubious ownership")) {
    const reason =
      `The repository at "${marker}" belongs to somebody else, so git does not trust it. ` +
      `If you do: git config --global --add safe.directory ${marker}`;
    return { kind: "refused", reason };
  }
  if (/not a git repository|must be run in a work tree|bare repository/.test(said)) {
    return { kind: "outside" };
  }
  if (answer.ended === "timed_out") {
    return { kind: "refused", reason: `git did not answer in time about "${marker}"` };
  }
  const line = said.trim().split("\n").at(-1) ?? "";
  return { kind: "refused", reason: `git cannot read the repository at "${marker}": ${line}` };
}

/**
 * Why a repository is not what it seems. A checkout can carry a `.git` whose work tree is the person's home, or a `.git`
 * that is another repository of theirs: a diff would then print files that nobody gave us.
 */
async function placeProblem(
  marker: string,
  { top, gitDir }: Repository,
  ask: Ask,
): Promise<string | undefined> {
  if (top !== marker) {
    return `The repository at "${marker}" names "${top}" as its work tree (core.worktree), which is not where it lies`;
  }
  const realGitDir = await Deno.realPath(gitDir);
  if (isWithin(realGitDir, top)) return undefined;
  if (await leadsBack(realGitDir, top, ask)) return undefined;
  return `"${join(marker, ".git")}" leads to "${realGitDir}", which does not lead back; ` +
    `if it is right: git config core.worktree "${top}"`;
}

/** A linked work tree is named in its git directory, a submodule by `core.worktree`. */
async function leadsBack(gitDir: string, top: string, ask: Ask): Promise<boolean> {
  try {
    const link = (await Deno.readTextFile(join(gitDir, "gitdir"))).trim();
    if (await Deno.realPath(dirname(resolve(gitDir, link))) === top) return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const configured = await ask(["config", "--local", "-z", "--get", "core.worktree"]);
  const path = configured.stdout.text().split("\0")[0] ?? "";
  if (configured.code !== 0 || path === "") return false;
  try {
    return await Deno.realPath(resolve(gitDir, path)) === top;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
