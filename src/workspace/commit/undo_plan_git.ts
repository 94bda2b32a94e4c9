/** What taking edits back, or bringing them back, changes in git; or why that would not be exact. Reads only. */
import { type Git, GitError, type GitSession } from "@/workspace/git.ts";
import { lstat } from "@/workspace/entry.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { CommitRecord } from "@/workspace/journal_record.ts";
import { nameOf } from "@/workspace/undo_plan.ts";
import { type GitEntry, type GitPath, isSameEntry, type RepoMove } from "./git_entry.ts";
import {
  type Head,
  indexEntries,
  type IndexEntry,
  operationName,
  readHead,
  treeEntries,
} from "./repo_state.ts";

/** The person's work is in the way; a sentence with the next step. */
export class GitRefused extends Error {
  override readonly name = "GitRefused";
}

/** One repository while moves are worked out: where things would be after what was planned so far. */
type Side = {
  session: GitSession;
  head: Head;
  /** Where the branch would be. */
  at: string | null;
  why: string;
  hasCommit: boolean;
  entries: Map<string, RepoMove["entries"][number]>;
};

type Committed = CommitRecord & { op: "committed" };
type Planning = { sides: Map<string, Side>; edit: Edit };

/** What undoing edits, given newest first, changes. Throws GitRefused. */
export async function planUndo(git: Git, edits: readonly Edit[]): Promise<RepoMove[]> {
  const sides = new Map<string, Side>();
  for (const edit of edits) {
    if (edit.git?.git === undefined) continue;
    try {
      await planOne(git, { sides, edit });
    } catch (error) {
      // Where git cannot be asked, what it has no commit of is taken back all the same.
      if (!(error instanceof GitError) || edit.git.op === "committed") throw error;
    }
  }
  return [...sides.values()].map(moveOf);
}

async function planOne(git: Git, { sides, edit }: Planning): Promise<void> {
  const side = await sideOf(git, { sides, edit });
  if (side === undefined) return;
  if (edit.git?.op === "committed") await takeCommit(side, { edit, record: edit.git });
  else await assertNotCommitted(side, edit);
  await takeEntries(side, edit);
}

async function sideOf(git: Git, { sides, edit }: Planning): Promise<Side | undefined> {
  const { repository } = edit.git?.git ?? {};
  if (repository === undefined) return undefined;
  const known = sides.get(repository.gitDir);
  if (known !== undefined) return known;
  const session = await sessionOrNot(git, edit);
  if (session === undefined) return undefined;
  const head = await readHead(session);
  const side: Side = {
    session,
    head,
    at: head.commit,
    why: `harness: undo ${nameOf(edit)}`,
    hasCommit: false,
    entries: new Map(),
  };
  sides.set(repository.gitDir, side);
  return side;
}

/** A repository that is gone has nothing to be kept in step with, unless a commit of ours was there. */
async function sessionOrNot(git: Git, edit: Edit): Promise<GitSession | undefined> {
  const repository = edit.git?.git?.repository;
  if (repository === undefined) return undefined;
  const isCommitted = edit.git?.op === "committed";
  if (lstat(repository.gitDir) === undefined) {
    if (!isCommitted) return undefined;
    throw new GitRefused(
      `${nameOf(edit)} was committed in "${repository.gitDir}", which is not there any more. ` +
        "/undo show prints the edit.",
    );
  }
  try {
    return await git.session(repository);
  } catch (error) {
    if (!(error instanceof GitError) || isCommitted) throw error;
    return undefined;
  }
}

async function takeCommit(
  side: Side,
  { edit, record }: { edit: Edit; record: Committed },
): Promise<void> {
  const { session, head } = side;
  await assertOnBranch(session, { head, record });
  if (side.at !== record.c) throw await notAtTip(side, { edit, record });
  const args = ["for-each-ref", "--count=1", "--contains", record.c, "--format=%(refname:short)"];
  const on = (await session.answer([...args, "refs/remotes"])).stdout.text().trim();
  if (on !== "") {
    throw new GitRefused(
      `${short(record.c)} is already on ${on}. git revert ${
        short(record.c)
      } takes it back with a new commit.`,
    );
  }
  side.at = record.p;
  side.hasCommit = true;
}

async function assertOnBranch(
  session: GitSession,
  { head, record }: { head: Head; record: Committed },
): Promise<void> {
  const operation = await operationName(session);
  if (operation !== undefined) {
    throw new GitRefused(
      `${operation[0]?.toUpperCase()}${
        operation.slice(1)
      } is in progress. Finish or abort it first.`,
    );
  }
  if (head.ref !== record.ref) {
    throw new GitRefused(
      `The branch was ${shortRef(record.ref)} when this was made, now it is ${
        shortRef(head.ref)
      }. Switch back, then /undo.`,
    );
  }
}

/** Whether HEAD still has one of these edits, given newest first. Throws GitRefused where that cannot be told. */
export async function hasStill(git: Git, edits: readonly Edit[]): Promise<boolean> {
  for (const edit of edits) {
    const session = await sessionOrNot(git, edit);
    if (session === undefined) continue;
    const head = await readHead(session);
    if (edit.git?.op === "committed") {
      await assertOnBranch(session, { head, record: edit.git });
      if (await isIn(session, { commit: edit.git.c, at: head.commit })) return true;
    } else await assertNotCommitted({ session, at: head.commit }, edit);
  }
  return false;
}

async function isIn(
  session: GitSession,
  { commit, at }: { commit: string; at: string | null },
): Promise<boolean> {
  const { code } = await session.run(["merge-base", "--is-ancestor", commit, at ?? "HEAD"]);
  return code === 0;
}

async function notAtTip(
  { session, at }: Side,
  { edit, record }: { edit: Edit; record: Committed },
): Promise<GitRefused> {
  const newest = await describeCommit(session, at);
  if (!await isIn(session, { commit: record.c, at })) {
    return new GitRefused(
      `The commit of ${nameOf(edit)}, ${
        short(record.c)
      }, is no longer on this branch; the newest is ${newest}. /undo show prints the edit.`,
    );
  }
  return new GitRefused(
    `The newest commit, ${newest}, is not ours: it lies on ${nameOf(edit)}. git revert ${
      short(record.c)
    } takes that one back with a new commit.`,
  );
}

async function describeCommit(session: GitSession, id: string | null): Promise<string> {
  if (id === null) return "none";
  const { code, stdout } = await session.run(["log", "-1", "--format=%s", id]);
  return code === 0 ? `${short(id)} "${stdout.text().trim()}"` : short(id);
}

/** Without a commit of ours, what HEAD has of the file is the person's. */
async function assertNotCommitted(
  side: Pick<Side, "session" | "at">,
  edit: Edit,
): Promise<void> {
  const paths = edit.git?.git?.paths ?? [];
  const tree = await treeEntries(side.session, side.at, paths.map(({ path }) => path));
  const since = paths.find(({ path, h0 }) => !isSameEntry(tree.get(path) ?? null, h0));
  if (since === undefined) return;
  const { stdout } = await side.session.run([
    ...["log", "-1", "--format=%H", side.at ?? "HEAD", "--", since.path],
  ]);
  const commit = stdout.text().trim();
  const which = commit === "" ? "" : ` (${await describeCommit(side.session, commit)})`;
  const revert = commit === "" ? "git revert" : `git revert ${short(commit)}`;
  throw new GitRefused(
    `${since.path} was committed since${which}. To take it out of history: ${revert}.`,
  );
}

async function takeEntries(side: Side, edit: Edit): Promise<void> {
  const paths = edit.git?.git?.paths ?? [];
  const unread = paths.map(({ path }) => path).filter((path) => !side.entries.has(path));
  const index = await indexEntries(side.session, unread);
  for (const facts of paths) {
    const known = side.entries.get(facts.path);
    const now = index.get(facts.path);
    const current = known === undefined ? now?.entry ?? null : known.to;
    const to = entryBack(facts, { current, isCommitted: edit.git?.op === "committed" });
    const isStuck = known === undefined && hasOwnFlag(now) && !isSameEntry(to ?? null, current);
    if (to === undefined || isStuck) {
      throw new GitRefused(
        `${facts.path} is partly staged since. git restore --staged ${facts.path}, then /undo.`,
      );
    }
    side.entries.set(facts.path, {
      path: facts.path,
      from: known === undefined ? current : known.from,
      to,
      ...(facts.skipw ? { skipw: true as const } : {}),
    });
  }
}

function hasOwnFlag(entry: IndexEntry | undefined): boolean {
  return entry !== undefined && (entry.isUnmerged || entry.isAssumed);
}

/** What an entry is to be without the edit; undefined where that cannot be known. */
function entryBack(
  { i0, i1, h0, before, after }: GitPath,
  { current, isCommitted }: { current: GitEntry; isCommitted: boolean },
): GitEntry | undefined {
  if (isCommitted && i1 !== undefined) {
    if (isSameEntry(current, i1)) return i0;
    // A mode that the person staged stays.
    if (current !== null && i1 !== null && i0 !== null && current[1] === i1[1]) {
      return [current[0], i0[1]];
    }
  }
  if (!isCommitted && isSameEntry(current, i0)) return i0;
  // The whole file was staged since; a staged deletion may as well be the person's own.
  if (current !== null && current[1] === after) {
    return before === null ? null : [current[0], before];
  }
  if (!isCommitted && h0 !== null && isSameEntry(current, h0)) return h0;
  return undefined;
}

function moveOf({ session, head, at, why, hasCommit, entries }: Side): RepoMove {
  return {
    repository: session.repository,
    ...(hasCommit ? { head: { ref: head.ref, from: head.commit, to: at, why } } : {}),
    entries: [...entries.values()],
  };
}

/** What bringing edits back changes: what their undo changed, the other way. Throws GitRefused. */
export async function planRedo(git: Git, edits: readonly Edit[]): Promise<RepoMove[]> {
  const undone = edits[0]?.takenBack ?? [];
  assertTakenBack(edits, undone);
  const moves: RepoMove[] = [];
  for (const { repository, head, entries } of undone) {
    const owner = edits.find((edit) => edit.git?.git?.repository.gitDir === repository.gitDir);
    const session = owner && await sessionOrNot(git, owner);
    if (session === undefined || owner === undefined) continue;
    const back: RepoMove = {
      repository,
      ...(head && {
        head: { ...head, from: head.to, to: head.from, why: `harness: redo ${nameOf(owner)}` },
      }),
      entries: entries.map(({ path, from, to }) => ({ path, from: to, to: from })),
    };
    const isKept = await isThere(session, back);
    await assertAsLeft(session, { back, edits, isKept });
    moves.push(isKept ? back : commitAnew(back));
  }
  return moves;
}

/** What the person took out of the branch is not ours to put there again. */
function assertTakenBack(edits: readonly Edit[], undone: readonly RepoMove[]): void {
  for (const edit of edits) {
    if (edit.git?.op !== "committed") continue;
    const { c, git: { repository: { gitDir } } } = edit.git;
    if (undone.some(({ repository, head }) => head !== undefined && repository.gitDir === gitDir)) {
      continue;
    }
    throw new GitRefused(
      `${nameOf(edit)} was taken out of the branch by other means than /undo. git cherry-pick ${
        short(c)
      } brings it back.`,
    );
  }
}

/** What is committed anew may have other commits below it; what is still in git goes back to its place. */
async function assertAsLeft(
  session: GitSession,
  { back, edits, isKept }: { back: RepoMove; edits: readonly Edit[]; isKept: boolean },
): Promise<void> {
  const head = await readHead(session);
  if (back.head !== undefined) {
    const { ref, from, to } = back.head;
    if (head.ref !== ref) {
      throw new GitRefused(
        `The branch was ${shortRef(ref)} when this was taken back, now it is ${
          shortRef(head.ref)
        }. Switch back, then /redo.`,
      );
    }
    if (isKept && head.commit !== from) {
      const newest = await describeCommit(session, head.commit);
      const last = short(to ?? "");
      const all = from === null || edits.length === 1 ? last : `${short(from)}..${last}`;
      throw new GitRefused(
        `${newest} was committed since the undo, and what was taken back lay below it. ` +
          `git cherry-pick ${all} brings it back on top.`,
      );
    }
  } else {
    for (const edit of edits) {
      await assertNotCommitted({ session, at: head.commit }, edit);
    }
  }
  const now = await indexEntries(session, back.entries.map(({ path }) => path));
  const other = back.entries.find(({ path, from }) =>
    !isSameEntry(now.get(path)?.entry ?? null, from)
  );
  if (other === undefined) return;
  throw new GitRefused(
    `${other.path} was staged since the undo. git restore --staged ${other.path}, then /redo.`,
  );
}

async function isThere(session: GitSession, { head }: RepoMove): Promise<boolean> {
  const commit = head?.to ?? null;
  return commit === null || (await session.run(["cat-file", "-e", `${commit}^{tree}`])).code === 0;
}

/** Nothing moves but files; what a commit changes in the branch and the index comes with it. */
function commitAnew({ repository, entries }: RepoMove): RepoMove {
  return {
    repository,
    entries: entries.map(({ path, from }) => ({ path, from, to: from })),
    anew: true,
  };
}

function short(id: string): string {
  return id.slice(0, 7);
}

function shortRef(ref: string): string {
  return ref === "HEAD" ? "no branch (detached HEAD)" : ref.replace(/^refs\/heads\//, "");
}
