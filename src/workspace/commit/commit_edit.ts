/**
 * Makes the commit of one edit, from HEAD and the edit's change alone. The index is held at the end, for some milliseconds,
 * because while it is, the person's own git refuses to work; only where it keeps changing is it held throughout.
 */
import { randomHex } from "@/lib/random.ts";
import { BlobGone } from "@/workspace/blob_store.ts";
import { type Git, GitError, type GitSession } from "@/workspace/git.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { CommitRecord } from "@/workspace/journal_record.ts";
import { makeCommit } from "./commit_object.ts";
import { type CommitPlan, planCommit } from "./commit_plan.ts";
import { type PathFacts, readFacts, repositoryOf, stagedSince, toRecord } from "./edit_facts.ts";
import { beginFlight, endFlight, type Flight } from "./flight.ts";
import type { GitFacts, RepoMove } from "./git_entry.ts";
import { IndexLocked, RepoHold } from "./repo_hold.ts";
import { type Head, readHead } from "./repo_state.ts";
import { Skipped } from "./skip.ts";

/** How far a commit got; for tests that end the process there. */
export type CommitStep = "planned" | "made" | "built" | "held" | "moved" | "put" | "released";

/** How often the index may change while a commit is made, before it is held throughout; and the branch, altogether. */
const FREE_TRIES_MAX = 3;
const TRIES_MAX = 8;

/** What a commit is made with. */
export type CommitParts = {
  git: Git;
  journal: EditJournal;
  /** Whether commits are wanted; without, only what git knows is read, for an undo. */
  isOn: boolean;
  onStep?(step: CommitStep): void;
};

/** What came of it: a commit id, or why there is none. */
export type CommitOutcome = { commit: string } | { skipped: Skipped };

/** Commit an edit, and tell the journal. Never throws for what a repository is like. */
export async function commitEdit(edit: Edit, parts: CommitParts): Promise<CommitOutcome> {
  const seen: { facts?: GitFacts } = {};
  let record: CommitRecord;
  let skipped: Skipped | undefined;
  try {
    record = await tryCommit(edit, { parts, seen });
  } catch (error) {
    skipped = asSkipped(error);
    const { id } = edit.record;
    record = { op: "skipped", id, why: skipped.why, ...(seen.facts && { git: seen.facts }) };
  }
  await parts.journal.locked((store) => Promise.resolve(store.append(record)));
  endFlight(parts.journal.dir);
  return record.op === "committed"
    ? { commit: record.c }
    : { skipped: skipped ?? new Skipped(record.why, undefined) };
}

function asSkipped(error: unknown): Skipped {
  if (error instanceof Skipped) return error;
  if (error instanceof IndexLocked) {
    return new Skipped(`another git process holds "${error.lock}"`, "locked");
  }
  // Without git nobody expects a commit.
  if (error instanceof GitError) {
    return new Skipped(error.message, /not installed/.test(error.message) ? undefined : "git");
  }
  if (error instanceof BlobGone) return new Skipped("its bytes are no longer kept", "gone");
  throw error;
}

type Task = { parts: CommitParts; seen: { facts?: GitFacts } };

async function tryCommit(edit: Edit, { parts, seen }: Task): Promise<CommitRecord> {
  const { git, journal, isOn } = parts;
  const session = await git.session(await repositoryOf(git, edit));
  let first: readonly PathFacts[] | undefined;
  const read = async () => {
    const head = await readHead(session);
    const now = await readFacts(session, { edit, head, blobs: journal.blobs });
    const facts = stagedSince(first ??= now, now);
    seen.facts = toRecord(session, facts);
    return { head, facts };
  };
  if (!isOn) {
    await read();
    throw new Skipped("/autocommit is off", undefined);
  }
  const flight: Flight = {
    v: 1,
    workspace: journal.workspace,
    token: randomHex(8),
    op: "commit",
    ids: [edit.record.id],
    moves: [{ repository: session.repository, entries: [] }],
  };
  beginFlight(journal.dir, flight);
  for (let tries = 1;; tries++) {
    const isHeld = tries > FREE_TRIES_MAX;
    const hold = new RepoHold(session, flight.token);
    try {
      if (isHeld) await lockOrRead(hold, read);
      const prepared = await prepare({ edit, parts, hold, flight, ...await read() });
      if (!isHeld && !await hold.lock()) continue;
      parts.onStep?.("held");
      if (await isMoved(hold, { ...prepared, parts, isLast: tries === TRIES_MAX })) {
        return prepared.record;
      }
    } finally {
      hold.release();
      parts.onStep?.("released");
    }
  }
}

/** Where somebody else holds the index, what git knows is still worth knowing. */
async function lockOrRead(hold: RepoHold, read: () => Promise<unknown>): Promise<void> {
  try {
    await hold.lock();
  } catch (error) {
    if (error instanceof IndexLocked) await read();
    throw error;
  }
}

type Prepared = { move: RepoMove; record: CommitRecord & { op: "committed" } };

/** Make the commit and the index, which nothing names yet. */
async function prepare({ edit, parts, hold, flight, head, facts }: {
  edit: Edit;
  parts: CommitParts;
  hold: RepoHold;
  flight: Flight;
  head: Head;
  facts: readonly PathFacts[];
}): Promise<Prepared> {
  const { session } = hold;
  const { journal, onStep } = parts;
  const plan = await planCommit({ session, edit, head, facts, scratch: journal.dir });
  onStep?.("planned");
  const message = messageOf(edit.record.tool, plan);
  const commit = await makeCommit(
    session,
    { parent: head.commit, message, at: journal.now() },
    plan,
  );
  onStep?.("made");
  const move: RepoMove = {
    repository: session.repository,
    head: { ref: head.ref, from: head.commit, to: commit, why: `harness: ${message}` },
    entries: facts.map(({ path, index }) => ({
      path,
      from: index.entry,
      to: plan.index.get(path) ?? null,
    })),
  };
  await hold.build(move);
  const record = {
    op: "committed" as const,
    id: edit.record.id,
    c: commit,
    p: head.commit,
    ref: head.ref,
    git: toRecord(session, facts, plan.index),
  };
  beginFlight(journal.dir, { ...flight, moves: [move], committed: record });
  onStep?.("built");
  return { move, record };
}

/** Put both in their place; false when the branch was moved meanwhile, and there is another try. */
async function isMoved(
  hold: RepoHold,
  { move, parts, isLast }: Prepared & { parts: CommitParts; isLast: boolean },
): Promise<boolean> {
  try {
    await hold.moveHead(move);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const isThere = (await readHead(hold.session)).commit === move.head?.from;
    // Someone may also have had git throw away what nothing names yet.
    if (isThere && (isLast || await hasCommit(hold.session, move))) throw error;
    if (!isLast) return false;
    throw new Skipped("the branch was moved meanwhile", "moved");
  }
  parts.onStep?.("moved");
  hold.putIndex();
  parts.onStep?.("put");
  return true;
}

async function hasCommit(session: GitSession, { head }: RepoMove): Promise<boolean> {
  return (await session.run(["cat-file", "-e", head?.to ?? ""])).code === 0;
}

/** Names in a subject before the rest is counted. */
const NAMES_MAX = 5;

/** The subject of the commit: `ai(write_file): a.ts, b.ts`. */
function messageOf(tool: string, { changes }: CommitPlan): string {
  const names = changes.map(({ path }) => path.replace(/\p{Cc}/gu, " "));
  const more = names.length - NAMES_MAX;
  return `ai(${tool}): ${names.slice(0, NAMES_MAX).join(", ")}${
    more > 0 ? ` and ${more} more` : ""
  }`;
}
