/**
 * The moves that are under way in git, written down before the first of them and removed after the last. One process at
 * a time has any: it holds a lock that the system takes back when it dies. So whoever holds the lock and finds moves
 * here knows that nobody is making them any more, and finishes them, or takes away what is left of them.
 */
import { join } from "@/lib/path.ts";
import { parsedJson } from "@/lib/json.ts";
import { type Git, GitError, type GitSession } from "@/workspace/git.ts";
import { lstat } from "@/workspace/entry.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import { once } from "@/lib/once.ts";
import * as z from "zod";
import { committedShape } from "@/workspace/journal_record.ts";
import { isSameEntry, type RepoMove, repoMoveShape } from "./git_entry.ts";
import { clearHold, IndexLocked, RepoHold } from "./repo_hold.ts";
import { indexEntries, readHead } from "./repo_state.ts";

const flightShape = once(() =>
  z.object({
    v: z.literal(1),
    /** Whose journal it is. */
    workspace: z.string(),
    /** Names the locks and temporary files. */
    token: z.string(),
    op: z.enum(["commit", "undo", "redo"]),
    /** The edits concerned. */
    ids: z.array(z.string()),
    moves: z.array(repoMoveShape()),
    /** What the journal is told once the commit is made. */
    committed: committedShape().optional(),
  })
);

/** See above. */
export type Flight = z.infer<ReturnType<typeof flightShape>>;

function flightFile(dir: string): string {
  return join(dir, "git.json");
}

/** Write down what is about to be done. `dir` is the journal's. */
export function beginFlight(dir: string, flight: Flight): void {
  const temp = join(dir, `git-${flight.token}.tmp`);
  Deno.writeTextFileSync(temp, JSON.stringify(flight), { mode: 0o600 });
  Deno.renameSync(temp, flightFile(dir));
}

/** All of it is done, or none of it. */
export function endFlight(dir: string): void {
  if (lstat(flightFile(dir)) !== undefined) Deno.removeSync(flightFile(dir));
}

/** What is under way, or was when its process died. */
export function readFlight(dir: string): Flight | undefined {
  if (lstat(flightFile(dir))?.isFile !== true) return undefined;
  const read = flightShape().safeParse(parsedJson(Deno.readTextFileSync(flightFile(dir))));
  return read.success ? read.data : undefined;
}

/**
 * Finish what a dead process left. Call it under the lock of the moves and not under that of the journal.
 * False when it cannot be finished now, because somebody else holds the index; it is tried again next time.
 */
export async function finishFlight(git: Git, journal: EditJournal): Promise<boolean> {
  const flight = readFlight(journal.dir);
  if (flight === undefined) return true;
  // Opening the lock has finished the files, whose state says which way the branch and the index have to go.
  const isForward = await journal.locked((store) => {
    const [first] = flight.ids.map((id) => store.fold.edit(id));
    return Promise.resolve(
      flight.op === "commit" || first?.status === (flight.op === "undo" ? "undone" : "live"),
    );
  });
  for (const move of flight.moves) {
    try {
      const session = await git.session(move.repository);
      const isDone = flight.op === "commit"
        ? await finishCommit(session, { move, flight, journal })
        : !isForward || await finishMove(session, { move, token: flight.token, withHead: true });
      if (!isDone) return false;
    } catch (error) {
      // The repository is gone or broken: nothing of it can be mended from here.
      if (!(error instanceof GitError)) throw error;
    }
    if (lstat(move.repository.gitDir) !== undefined) clearHold(move.repository.index, flight.token);
  }
  clearScratch(journal.dir);
  endFlight(journal.dir);
  return true;
}

/** What a dead process had only for a moment. */
function clearScratch(dir: string): void {
  for (const { name } of Deno.readDirSync(dir)) {
    if (/^(merge-[0-9a-f]+-\d|git-[0-9a-f]+\.tmp)$/.test(name)) Deno.removeSync(join(dir, name));
  }
}

/** A branch that has moved takes the index with it; one that has not is left where it is. */
async function finishCommit(
  session: GitSession,
  { move, flight, journal }: { move: RepoMove; flight: Flight; journal: EditJournal },
): Promise<boolean> {
  const commit = move.head?.to ?? null;
  const isMade = commit !== null && await isInHistory(session, commit);
  const isAtTip = isMade && (await readHead(session)).commit === commit;
  if (isAtTip && !await finishMove(session, { move, token: flight.token, withHead: false })) {
    return false;
  }
  await journal.locked((store) => {
    for (const id of flight.ids) {
      const edit = store.fold.edit(id);
      if (edit === undefined || edit.git !== undefined) continue;
      const { committed } = flight;
      if (isMade && committed !== undefined) store.append(committed);
      else store.append({ op: "skipped", id, why: "interrupted" });
    }
    return Promise.resolve();
  });
  return true;
}

async function isInHistory(session: GitSession, commit: string): Promise<boolean> {
  return (await session.run(["merge-base", "--is-ancestor", commit, "HEAD"])).code === 0;
}

/** Moves what is still where it was. What somebody else moved since stays as they left it. */
async function finishMove(
  session: GitSession,
  { move, token, withHead }: { move: RepoMove; token: string; withHead: boolean },
): Promise<boolean> {
  const hold = await holdOrNot(session, token);
  if (hold === undefined) return false;
  try {
    const now = await indexEntries(session, move.entries.map(({ path }) => path));
    const left = move.entries.filter(({ path, from }) =>
      isSameEntry(now.get(path)?.entry ?? null, from)
    );
    await hold.build({ entries: left });
    const head = await readHead(session);
    const isThere = head.ref === move.head?.ref && head.commit === move.head.from;
    if (withHead && isThere) await hold.moveHead(move);
    hold.putIndex();
    return true;
  } finally {
    hold.release();
  }
}

async function holdOrNot(session: GitSession, token: string): Promise<RepoHold | undefined> {
  try {
    return await RepoHold.take(session, token);
  } catch (error) {
    if (error instanceof IndexLocked) return undefined;
    throw error;
  }
}
