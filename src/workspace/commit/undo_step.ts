/** The part of an undo or redo that happens in git: checked and held before the files, carried out after them. */
import { randomHex } from "@/lib/random.ts";
import { BlobGone } from "@/workspace/blob_store.ts";
import { type Git, GitError } from "@/workspace/git.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import type { Edit } from "@/workspace/journal_fold.ts";
import type { MoveRecord } from "@/workspace/journal_record.ts";
import { beginFlight, endFlight, type Flight } from "./flight.ts";
import { isSameEntry, type RepoMove } from "./git_entry.ts";
import { writeMissing } from "./objects.ts";
import { IndexLocked, RepoHold } from "./repo_hold.ts";
import { GitRefused, hasStill, planRedo, planUndo } from "./undo_plan_git.ts";

type Held = { hold: RepoHold; move: RepoMove };

/** See above. `end` has to be called, whatever happens in between. */
export class UndoStep {
  /** What the journal is told. */
  readonly moves: readonly RepoMove[];
  readonly #held: readonly Held[];
  readonly #dir: string;

  constructor(moves: readonly RepoMove[], held: readonly Held[], dir: string) {
    this.moves = moves;
    this.#held = held;
    this.#dir = dir;
  }

  /** Move branches and indexes; all of them or none. Throws GitError. */
  async carryOut(): Promise<void> {
    const done: Held[] = [];
    try {
      for (const held of this.#held) {
        await held.hold.moveHead(held.move);
        done.push(held);
      }
    } catch (error) {
      for (const { hold, move } of done.reverse()) await hold.moveHead(backwards(move));
      throw error;
    }
    for (const { hold } of this.#held) hold.putIndex();
  }

  /** Let go of everything. Nothing that is left half done may be there by then. */
  end(): void {
    for (const { hold } of this.#held) hold.release();
    if (this.moves.some(isChange)) endFlight(this.#dir);
  }
}

function backwards({ head, ...move }: RepoMove): RepoMove {
  return { ...move, ...(head && { head: { ...head, from: head.to, to: head.from } }) };
}

/** What a step is made for; edits newest first. */
export type StepTask = { edits: readonly Edit[]; op: MoveRecord["op"] };

/**
 * Check what git says about edits and hold what has to change. A text says why nothing can be done; nothing is held then.
 * An index that need not change is not held, so that somebody else's lock does not matter.
 */
export async function beginStep(
  git: Git,
  journal: EditJournal,
  task: StepTask,
): Promise<UndoStep | string> {
  const { edits, op } = task;
  const plan = op === "undo" ? planUndo : planRedo;
  const token = randomHex(8);
  const held: Held[] = [];
  let moves: RepoMove[] = [];
  try {
    moves = await plan(git, edits);
    if (!moves.some(isChange)) return new UndoStep(moves, [], journal.dir);
    const ids = edits.map(({ record }) => record.id);
    const flight: Flight = { v: 1, workspace: journal.workspace, token, op, ids, moves };
    beginFlight(journal.dir, flight);
    for (const move of moves.filter(isChange)) {
      held.push({ hold: await RepoHold.take(await git.session(move.repository), token), move });
    }
    // Once more, now that nobody else can change it.
    if (JSON.stringify(await plan(git, edits)) !== JSON.stringify(moves)) {
      throw new GitRefused("The repository is changing right now. Try again when it is still.");
    }
    for (const { hold, move } of held) {
      const lost = await writeMissing(hold.session, move, { edits, blobs: journal.blobs });
      if (lost !== undefined) {
        throw new GitRefused(
          `What was staged of ${lost} is gone from the repository. /undo show prints the edit.`,
        );
      }
      await hold.build(move);
    }
    return new UndoStep(moves, held, journal.dir);
  } catch (error) {
    new UndoStep(moves, held, journal.dir).end();
    return asReason(error, op);
  }
}

/** Whether HEAD still has these edits, as far as git can be asked; a text says why that cannot be told from here. */
export async function hasStillOrWhy(git: Git, edits: readonly Edit[]): Promise<boolean | string> {
  try {
    return await hasStill(git, edits);
  } catch (error) {
    if (error instanceof GitError) return true;
    return asReason(error, "undo");
  }
}

/** Why nothing was done; what is no reason is thrown again. */
function asReason(error: unknown, op: MoveRecord["op"]): string {
  if (error instanceof GitRefused) return error.message;
  if (error instanceof BlobGone) return "The bytes that were kept for this edit are damaged.";
  if (error instanceof GitError) return `Git could not be asked: ${error.message}`;
  if (error instanceof IndexLocked) {
    return `${error.message}. If no git is running, remove that file; then /${op} again.`;
  }
  throw error;
}

function isChange({ head, entries }: RepoMove): boolean {
  return head !== undefined ||
    entries.some(({ from, to, skipw }) => skipw === true || !isSameEntry(from, to));
}
