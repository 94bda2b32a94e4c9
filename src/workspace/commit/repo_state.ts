/** What a repository says about some paths: HEAD, its tree, the index and its flags. */
import { GitError, type GitSession, operationInProgress } from "@/workspace/git.ts";
import type { GitEntry } from "./git_entry.ts";

/** An entry of the index with its flags; `stages` of a conflict are more than one. */
export type IndexEntry = {
  entry: GitEntry;
  isUnmerged: boolean;
  isSkipped: boolean;
  isAssumed: boolean;
};

/** Where a branch is. */
export type Head = {
  /** Full name of the branch, or "HEAD" where it is detached. */
  ref: string;
  /** Null before the first commit. */
  commit: string | null;
};

const NO_ENTRY: IndexEntry = {
  entry: null,
  isUnmerged: false,
  isSkipped: false,
  isAssumed: false,
};

/** Where HEAD is. Throws GitError where git cannot say. */
export async function readHead(session: GitSession): Promise<Head> {
  const [symbolic, parsed] = await Promise.all([
    session.run(["symbolic-ref", "-q", "HEAD"]),
    session.run(["rev-parse", "-q", "--verify", "HEAD^{commit}"]),
  ]);
  const ref = symbolic.code === 0 ? symbolic.stdout.text().trim() : "HEAD";
  const commit = parsed.code === 0 ? parsed.stdout.text().trim() : null;
  if (commit === null && ref === "HEAD") throw new GitError("HEAD names no commit");
  return { ref, commit };
}

/** The entries of paths in a commit; null where there is none. Paths are relative to the top. */
export async function treeEntries(
  session: GitSession,
  commit: string | null,
  paths: readonly string[],
): Promise<Map<string, GitEntry>> {
  const entries = new Map<string, GitEntry>(paths.map((path) => [path, null]));
  if (commit === null || paths.length === 0) return entries;
  const { stdout } = await session.answer(["ls-tree", "-z", "--full-tree", commit, "--", ...paths]);
  for (const line of stdout.text().split("\0")) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t([^]*)$/.exec(line);
    const [, mode = "", id = "", path = ""] = match ?? [];
    if (entries.has(path)) entries.set(path, [mode, id]);
  }
  return entries;
}

/** The entries of paths in the index. */
export async function indexEntries(
  session: GitSession,
  paths: readonly string[],
): Promise<Map<string, IndexEntry>> {
  const entries = new Map<string, IndexEntry>(paths.map((path) => [path, NO_ENTRY]));
  if (paths.length === 0) return entries;
  const { stdout } = await session.answer(["ls-files", "-s", "-v", "-z", "--", ...paths]);
  for (const line of stdout.text().split("\0")) {
    const match = /^(\S) (\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(line);
    const [, tag = "", mode = "", id = "", stage = "", path = ""] = match ?? [];
    if (!entries.has(path)) continue;
    entries.set(path, {
      entry: [mode, id],
      isUnmerged: stage !== "0",
      isSkipped: tag.toUpperCase() === "S",
      isAssumed: tag !== tag.toUpperCase(),
    });
  }
  return entries;
}

/** Attributes that change what git stores of a path; unspecified ones are left out. */
export type Attributes = ReadonlyMap<string, string>;

const ATTRIBUTES = ["filter", "text", "eol", "crlf", "ident", "working-tree-encoding"];

/** The attributes of paths. */
export async function attributesOf(
  session: GitSession,
  paths: readonly string[],
): Promise<Map<string, Attributes>> {
  const all = new Map<string, Map<string, string>>(paths.map((path) => [path, new Map()]));
  const { stdout } = await session.answer(["check-attr", "-z", "--stdin", ...ATTRIBUTES], {
    stdin: new TextEncoder().encode(paths.map((path) => `${path}\0`).join("")),
  });
  const fields = stdout.text().split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", name = "", value = ""] = fields.slice(at, at + 3);
    if (value !== "unspecified") all.get(path)?.set(name, value);
  }
  return all;
}

/** Those of these paths that git ignores, whether it tracks them or not. */
export async function ignoredAmong(
  session: GitSession,
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  // This one knows no literal paths; behind "./" nothing is special.
  const { stdout } = await session.answer(["check-ignore", "-z", "--stdin"], {
    stdin: new TextEncoder().encode(paths.map((path) => `./${path}\0`).join("")),
    env: { GIT_LITERAL_PATHSPECS: "0" },
    codes: [1], // None is.
  });
  return new Set(stdout.text().split("\0").map((path) => path.slice(2)));
}

/** Whether something that is no directory stands in a commit above one of these paths. */
export async function isUnderFile(
  session: GitSession,
  commit: string | null,
  paths: readonly string[],
): Promise<boolean> {
  const parents = new Set(paths.flatMap(parentsOf));
  if (commit === null || parents.size === 0) return false;
  const { stdout } = await session.answer(["cat-file", "--batch-check=%(objecttype)"], {
    stdin: new TextEncoder().encode([...parents].map((dir) => `${commit}:${dir}\n`).join("")),
  });
  return stdout.text().split("\n").some((line) => line === "blob" || line === "commit");
}

function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Another spelling of a path under which git has it, where case does not count; undefined otherwise. */
export async function otherSpelling(
  session: GitSession,
  path: string,
): Promise<string | undefined> {
  if (session.config.get("core.ignorecase") !== "true") return undefined;
  const { stdout } = await session.answer(["ls-files", "-z"], { outputBytesMax: 64 * 1024 * 1024 });
  const folded = path.toLowerCase();
  return stdout.text().split("\0").find((one) => one !== path && one.toLowerCase() === folded);
}

/** What is in progress, with its article: "a rebase". */
export async function operationName(session: GitSession): Promise<string | undefined> {
  const name = await operationInProgress(session.repository);
  return name === undefined ? undefined : `a ${name}`;
}
