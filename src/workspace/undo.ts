/**
 * /undo and /redo: folds over the edit journal. Everything is checked first and nothing is changed on a refusal; an undo is
 * itself a record. Only named paths are touched, and only where they are exactly what the edit left.
 */
import { fileErrorReason } from "@/lib/file_error.ts";
import { randomHex } from "@/lib/random.ts";
import { BlobGone } from "./blob_store.ts";
import { ChangedSince, lstat, PlaceChanged } from "./entry.ts";
import type { UndoStep } from "./commit/undo_step.ts";
import type { EditJournal } from "./journal.ts";
import type { Edit } from "./journal_fold.ts";
import type { MoveRecord } from "./journal_record.ts";
import { closeRecord, type JournalStore } from "./journal_store.ts";
import {
  modesMade,
  type Move,
  removeDirs,
  transit,
  TransitionFailed,
  withDirs,
} from "./transition.ts";
import { compare, type Comparison } from "./undo_compare.ts";
import { megabytes } from "./undo_limit.ts";
import { nameOf, NotOneChain, planMoves, type PlannedMove } from "./undo_plan.ts";

export { type ListedEdit, listEdits } from "./undo_list.ts";

/** What became of an undo or redo. `text` and `reason` are for the person; on a refusal nothing was changed. */
export type UndoResult =
  | { ok: true; text: string; paths: readonly string[]; ids: readonly string[] }
  | { ok: false; reason: string };

/** What of an undo happens in git. Without it nothing does, and nothing there is looked at. */
export interface UndoInGit {
  /** Run something while nobody commits edits of this journal, with everything unfinished in git finished. */
  held<T>(body: () => Promise<T>): Promise<T>;
  /** Whether HEAD still has these edits (newest first); a text says why that cannot be told from here. */
  hasStill(edits: readonly Edit[]): Promise<boolean | string>;
  /** Check and hold what is to change; a text says why it cannot be done. */
  begin(task: { edits: readonly Edit[]; op: MoveRecord["op"] }): Promise<UndoStep | string>;
}

/** Whose edits are meant (by default the journal's own session's), and what happens in git. */
export type UndoOptions = {
  session?: string;
  git?: UndoInGit | undefined;
  /** Holds what is to change (real absolute paths), so that nobody else does meanwhile; a text says who does already. */
  hold?: ((paths: readonly string[]) => Promise<string | undefined>) | undefined;
  /** What the person gives again where it was refused for now; by default the command itself. */
  again?: string | undefined;
};

/** Take back the newest edit of a session that stands. */
export async function undo(
  journal: EditJournal,
  { session = journal.session, git, hold }: UndoOptions = {},
): Promise<UndoResult> {
  return await alone(journal, git, async (store) => {
    const newest = standing(store, session)[0];
    if (newest === undefined) return nothingTo("undo", { journal, store });
    return await move(journal, { store, edits: [newest], op: "undo", git, hold });
  });
}

/** Take back all edits of the newest turn that has any, or none of them. */
export async function undoTurn(
  journal: EditJournal,
  { session = journal.session, git, hold }: UndoOptions = {},
): Promise<UndoResult> {
  return await alone(journal, git, async (store) => {
    const all = standing(store, session);
    const turn = all[0]?.record.turn;
    if (turn === undefined) return nothingTo("undo", { journal, store });
    const edits = all.filter(({ record }) => record.turn === turn);
    return await move(journal, { store, edits, op: "undo", git, hold, again: "/undo turn" });
  });
}

/** Take back all edits after a turn that stand, or none of them. */
export async function undoAfter(
  journal: EditJournal,
  turn: number,
  { session = journal.session, git, hold, again }: UndoOptions = {},
): Promise<UndoResult> {
  return await alone(journal, git, async (store) => {
    const edits = standing(store, session).filter(({ record }) => record.turn > turn);
    if (edits.length === 0) return nothingTo("undo", { journal, store });
    return await move(journal, { store, edits, op: "undo", git, hold, again });
  });
}

/** Bring back what was taken back last, unless a new edit came in between. */
export async function redo(
  journal: EditJournal,
  { session = journal.session, git, hold }: UndoOptions = {},
): Promise<UndoResult> {
  return await alone(journal, git, async (store) => {
    const ids = store.fold.redoable(session);
    if (ids === undefined) return nothingTo("redo", { journal, store });
    const edits = ids.map((id) => store.fold.edit(id)).filter((edit) => edit !== undefined);
    return await move(journal, { store, edits, op: "redo", git, hold });
  });
}

/** The session whose edit is the newest that stands and that no living process has open; for a start without a session. */
export async function lastEndedSession(journal: EditJournal): Promise<string | undefined> {
  return await journal.locked((store) => Promise.resolve(endedSession(journal, store)));
}

/** Git first: what commits there wants the journal in between, and must not find it taken for the whole time. */
async function alone<T>(
  journal: EditJournal,
  git: UndoInGit | undefined,
  body: (store: JournalStore) => Promise<T>,
): Promise<T> {
  const run = async () => await journal.locked(body);
  return await (git === undefined ? run() : git.held(run));
}

type ReadyMove = PlannedMove & Pick<Move, "dirs">;
type Task = {
  store: JournalStore;
  edits: readonly Edit[];
  op: MoveRecord["op"];
} & Pick<UndoOptions, "git" | "hold" | "again">;

async function move(journal: EditJournal, task: Task): Promise<UndoResult> {
  const session = task.edits[0]?.record.session ?? "";
  if (session !== journal.session && journal.isLive(session)) {
    return refuse(
      `The session "${session}" is open in another process, which may be working on these files.`,
    );
  }
  let planned: PlannedMove[];
  try {
    planned = planMoves(task.edits, { op: task.op, fold: task.store.fold });
  } catch (error) {
    if (!(error instanceof NotOneChain)) throw error;
    return refuse(`${error.message}. /undo takes back one edit at a time.`);
  }
  const reason = missingBytes(journal, { planned, task });
  if (reason !== undefined) return refuse(reason);
  const comparison = await compare(planned, journal.sizeMaxBytes);
  const { modes, drifted, moves } = comparison;
  if (drifted.length > 0) return await drift(journal, task, comparison);
  const held = await task.hold?.(moves.map(({ path }) => path));
  if (held !== undefined) return refuse(`Nothing was changed: ${held}.`);
  const inGit = await task.git?.begin(task);
  if (typeof inGit === "string") return refuse(inGit);
  try {
    return await carryOut(journal, { task, moves: withDirs(moves), modes, inGit });
  } finally {
    inGit?.end();
  }
}

async function carryOut(
  journal: EditJournal,
  { task, moves, modes, inGit }: {
    task: Task;
    moves: readonly ReadyMove[];
    modes: Record<string, number>;
    inGit: UndoStep | undefined;
  },
): Promise<UndoResult> {
  const { store, edits } = task;
  const record = {
    ...recordOf(journal, { task, moves, modes }),
    ...(inGit === undefined ? {} : { git: [...inGit.moves] }),
  };
  try {
    await store.appendSafely(record);
  } catch (error) {
    return refuse(`Cannot record the ${task.op}: ${fileErrorReason(error)}. Nothing was changed.`);
  }
  journal.step("recorded");
  try {
    await transit(moves, {
      ...journal.host,
      token: record.t,
      bytes: ({ h, n }) => store.blobs.get(h, n),
      onStep: () => journal.step("file"),
      last: async () => await inGit?.carryOut(),
    });
  } catch (error) {
    if (!(error instanceof TransitionFailed)) throw error;
    closeRecord(store, { op: "stayed", id: record.id });
    return refuse(failureReason(error, task));
  }
  journal.step("written");
  const gone = removeDirs(edits.flatMap((edit) => edit.dirs));
  closeRecord(store, {
    op: "moved",
    id: record.id,
    ...(gone.length === 0 ? {} : { gone }),
    ...modesMade(moves),
  });
  journal.step("done");
  const ids = edits.map((edit) => edit.record.id);
  const paths = moves.filter(({ implied }) => !implied).map(({ path }) => path);
  return { ok: true, text: successText(task, moves), paths, ids };
}

function recordOf(
  journal: EditJournal,
  { task: { edits, op }, moves, modes }: {
    task: Task;
    moves: readonly ReadyMove[];
    modes: Record<string, number>;
  },
): MoveRecord {
  const ids = edits.map((edit) => edit.record.id);
  return {
    v: 1,
    op,
    id: ids[0] ?? "",
    ...(ids.length > 1 ? { ids } : {}),
    session: journal.session,
    at: journal.now().toISOString(),
    t: randomHex(8),
    modes,
    dirs: moves.flatMap(({ dirs, implied, path }) => implied ? [...dirs, path] : dirs),
  };
}

/**
 * Paths that are not what the edits left. Where the person has taken all of it back by other means, that is noted, so that
 * what was before it can be taken back next.
 */
async function drift(
  journal: EditJournal,
  task: Task,
  { drifted, isBack, isGone }: Comparison,
): Promise<UndoResult> {
  const { store, edits, op, git } = task;
  const inGit = op === "undo" ? await git?.hasStill(edits) : undefined;
  if (typeof inGit === "string") return refuse(inGit);
  if (op === "redo" || !isBack || inGit === true) {
    return refuse(isGone ? goneReason(drifted, task) : driftReason(drifted, task));
  }
  const record = recordOf(journal, { task, moves: [], modes: {} });
  store.append(record);
  store.append({ op: "moved", id: record.id });
  const text = `${backSentence(drifted, { edits, isGone })}. That is noted; nothing was changed`;
  return { ok: true, text, paths: [], ids: edits.map((edit) => edit.record.id) };
}

/** A file that an edit made and that is not under its name any more may as well live on under another. */
function backSentence(
  drifted: readonly string[],
  { edits, isGone }: Pick<Task, "edits"> & Pick<Comparison, "isGone">,
): string {
  const names = edits.map(nameOf).join(", ");
  if (!isGone) return `${names} was taken back already, by other means than /undo`;
  const what = `${drifted.join(", ")} ${drifted.length === 1 ? "is" : "are"} not there any more`;
  return `${what}, so that nothing of ${names} can be taken back: moved, renamed or removed`;
}

/** Edits that can be taken back, newest first. */
function standing(store: JournalStore, session: string): Edit[] {
  return store.fold.edits().filter(({ status, record }) =>
    status === "live" && record.session === session
  ).reverse();
}

function missingBytes(
  journal: EditJournal,
  { planned, task }: { planned: readonly PlannedMove[]; task: Task },
): string | undefined {
  for (const { to, rel } of planned) {
    if (to.k !== "file") continue;
    if (to.big) {
      const verb = task.op === "undo" ? "taken back" : "brought back";
      return `${rel} (${megabytes(to.n)}) was over the undo limit; this change cannot be ${verb}.`;
    }
    if (task.store.blobs.has(to.h)) continue;
    const { daysMax, bytesMax } = journal.limits;
    const side = task.op === "undo" ? "before" : "after";
    return `Too old: the bytes ${side} this edit were removed ` +
      `(limit ${daysMax} days / ${megabytes(bytesMax)}).`;
  }
  return undefined;
}

function driftReason(drifted: readonly string[], task: Task): string {
  const { store, edits, op, again = `/${op}` } = task;
  const what = `${drifted.join(", ")} ${drifted.length === 1 ? "has" : "have"} changed since`;
  const theirs = edits.filter(({ paths }) => paths.some(({ rel }) => drifted.includes(rel)));
  const names = theirs.map(nameOf).join(", ");
  if (op === "redo") {
    return `${what} ${names} was taken back. Save or discard that change, then ${again} again.`;
  }
  const other = laterSession(drifted, { store, edits });
  const by = other === undefined ? "" : ` It was edited by the session "${other}" meanwhile.`;
  return `${what} ${names}.${by} Save or discard that change, then ${again} again. /undo show prints the edit.`;
}

function goneReason(drifted: readonly string[], { op, again = `/${op}` }: Task): string {
  const one = drifted.length === 1;
  return `${drifted.join(", ")} ${one ? "is" : "are"} not there any more. ` +
    `Bring ${
      one ? "it" : "them"
    } back under that name, then ${again} again. /undo show prints the edit.`;
}

/** Another session that edited one of these files after the edit. */
function laterSession(
  drifted: readonly string[],
  { store, edits }: Pick<Task, "store" | "edits">,
): string | undefined {
  const first = edits.at(-1)?.record;
  const all = store.fold.edits();
  const later = all.slice(all.findIndex(({ record }) => record.id === first?.id) + 1);
  return later.findLast(({ status, paths, record }) =>
    status === "live" && record.session !== first?.session &&
    paths.some(({ rel }) => drifted.includes(rel))
  )?.record.session;
}

function failureReason({ cause, stuck, message }: TransitionFailed, task: Task): string {
  if (cause instanceof BlobGone) {
    return "The bytes that were kept for this edit are damaged; nothing was changed.";
  }
  const path = cause instanceof ChangedSince || cause instanceof PlaceChanged ? cause.path : "";
  const drifted = task.edits.flatMap(({ paths }) => paths).find(({ p }) => p === path)?.rel;
  if (drifted !== undefined && stuck.length === 0) return driftReason([drifted], task);
  const kept = stuck.length === 0 ? "" : ` (changed all the same: ${stuck.join(", ")})`;
  return `Not done: ${message}${kept}.`;
}

function successText({ edits, op }: Task, moves: readonly ReadyMove[]): string {
  const [first] = edits;
  const verb = op === "undo" ? "Took back" : "Brought back";
  const rels = [...new Set(edits.flatMap(({ paths }) => paths.map(({ rel }) => rel)))];
  const what = edits.length === 1 && first !== undefined
    ? nameOf(first)
    : `${edits.length} edits of ${turnsOf(edits)}: ${rels.join(", ")}`;
  const full = moves.filter(({ path, to }) => to.k === "absent" && lstat(path) !== undefined);
  const kept = full.map(({ rel }) => rel).join(", ");
  return `${verb} ${what}${kept === "" ? "" : ` (kept, because it is not empty: ${kept})`}`;
}

function turnsOf(edits: readonly Edit[]): string {
  const turns = edits.map(({ record }) => record.turn);
  const [from, to] = [Math.min(...turns), Math.max(...turns)];
  return from === to ? `turn ${from}` : `turns ${from} to ${to}`;
}

function nothingTo(
  op: MoveRecord["op"],
  { journal, store }: { journal: EditJournal; store: JournalStore },
): UndoResult {
  if (op === "redo") return refuse("Nothing to bring back in this session.");
  const nothing = "Nothing to take back in this session.";
  const session = endedSession(journal, store);
  if (session === undefined) return refuse(nothing);
  const files = new Set(standing(store, session).flatMap(({ paths }) => paths.map(({ p }) => p)));
  const count = files.size === 1 ? "1 file" : `${files.size} files`;
  return refuse(`${nothing} The last session here changed ${count}: /undo list`);
}

function endedSession(journal: EditJournal, store: JournalStore): string | undefined {
  const others = store.fold.edits().filter(({ status, record }) =>
    status === "live" && record.session !== journal.session
  ).map(({ record }) => record.session);
  return [...new Set(others.reverse())].find((session) => !journal.isLive(session));
}

function refuse(reason: string): UndoResult {
  return { ok: false, reason };
}
