/** Finishes what a process that died left half done. Runs under the journal's lock, so the writer is certainly gone. */
import { basename, dirname, join } from "@/lib/path.ts";
import { errorCode } from "@/lib/file_error.ts";
import { BlobGone } from "./blob_store.ts";
import { isSameContent, look, lstat, PlaceChanged } from "./entry.ts";
import type { Edit } from "./journal_fold.ts";
import type { MoveRecord, Stored } from "./journal_record.ts";
import type { JournalStore } from "./journal_store.ts";
import { giveBack, moveTempName, pinName } from "./place.ts";
import {
  removeDirs,
  transit,
  TransitionFailed,
  type TransitionHost,
  withDirs,
} from "./transition.ts";
import { planMoves } from "./undo_plan.ts";

type Options = Pick<TransitionHost, "bytesMax" | "placing" | "carriers">;
type Cleared = { path: string; was: Stored; to: Stored };

/** Close every record that was begun and not finished. */
export async function recover(store: JournalStore, options: Options): Promise<void> {
  for (const edit of store.fold.openEdits()) await closeEdit(store, edit, options);
  for (const move of store.fold.openMoves()) await closeMove(store, move, options);
}

/** A path that is as after the edit was written; one as before was not; any other was changed since, and is kept. */
async function closeEdit(store: JournalStore, edit: Edit, options: Options): Promise<void> {
  const drop: string[] = [];
  for (const [number, path] of edit.record.paths.entries()) {
    const temps = [
      ...path.dirs.map((dir, index) => tempBeside(dir, edit.record.t, `${number}d${index}`)),
      tempBeside(path.p, edit.record.t, number),
    ];
    for (const temp of temps) await clearTemp(temp, { path: path.p, was: path.b, to: path.a });
    const now = await stored(path.p, options);
    if (now === undefined || !isSameContent(now, path.b)) continue;
    drop.push(path.p);
    removeDirs(path.dirs);
  }
  store.append({ op: "done", id: edit.record.id, ...(drop.length === 0 ? {} : { drop }) });
}

/** Rolled forward: what is still in the old state is moved, the rest is left as it is. */
async function closeMove(store: JournalStore, move: MoveRecord, options: Options): Promise<void> {
  const ids = move.ids ?? [move.id];
  const edits = ids.map((id) => store.fold.edit(id)).filter((edit) => edit !== undefined);
  const moves = planMoves(edits, { op: move.op, fold: store.fold });
  for (const planned of moves) {
    await clearTemp(tempBeside(planned.path, move.t, planned.number), {
      path: planned.path,
      was: planned.from,
      to: planned.to,
    });
    const now = await stored(planned.path, options);
    if (now === undefined || !isSameContent(now, planned.from)) continue;
    await tryMove(store, { move, planned, options });
  }
  const gone = removeDirs(edits.flatMap((edit) => edit.dirs));
  store.append({ op: "moved", id: move.id, ...(gone.length === 0 ? {} : { gone }) });
}

async function tryMove(
  store: JournalStore,
  { move, planned, options }: {
    move: MoveRecord;
    planned: ReturnType<typeof planMoves>[number];
    options: Options;
  },
): Promise<void> {
  try {
    await transit(withDirs([planned]), {
      ...options,
      token: move.t,
      bytes: ({ h, n }) => store.blobs.get(h, n),
    });
  } catch (error) {
    // Changed since, or the bytes are gone: it stays as it is, and shows as changed.
    if (!(error instanceof TransitionFailed) && !(error instanceof BlobGone)) throw error;
  }
}

async function stored(path: string, { bytesMax }: Options): Promise<Stored | undefined> {
  try {
    return (await look(path, bytesMax)).stored;
  } catch (error) {
    if (error instanceof Error) return undefined; // It cannot be looked at, so it is not what we left.
    throw error;
  }
}

function tempBeside(path: string, token: string, number: number | string): string {
  return join(dirname(path), moveTempName(token, number));
}

/**
 * Remove a temporary entry and its pin. In a deletion the entry is the person's file, out of the way: it is given back
 * unless it is what the journal keeps.
 */
async function clearTemp(temp: string, { path, was, to }: Cleared): Promise<void> {
  try {
    if (Deno.realPathSync(dirname(temp)) !== dirname(temp)) return;
    const pin = join(dirname(temp), pinName(basename(temp)));
    if (lstat(pin)?.isSymlink) Deno.removeSync(pin);
    if (lstat(temp) === undefined) return;
    const isTheirs = to.k === "absent" && !isSameContent((await look(temp, 0)).stored, was);
    if (!isTheirs) Deno.removeSync(temp);
    else giveBack(temp, path);
  } catch (error) {
    // What cannot be cleared is left where it is: nothing may be lost for tidiness.
    if (!(error instanceof PlaceChanged) && errorCode(error) === "") throw error;
  }
}
