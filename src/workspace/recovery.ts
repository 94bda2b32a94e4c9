/** Finishes what a process that died left half done. Runs under the journal's lock, so the writer is certainly gone. */
import { dirname, join } from "node:path";
import { BlobGone } from "./blob_store.ts";
import { isSameContent, look, lstat, PlaceChanged } from "./entry.ts";
import type { Edit } from "./journal_fold.ts";
import type { MoveRecord, Stored } from "./journal_record.ts";
import type { JournalStore } from "./journal_store.ts";
import { giveBack, removeEmptyDir, tempName } from "./place.ts";
import { removeDirs, transit, TransitionFailed, withDirs } from "./transition.ts";
import { planMoves } from "./undo_plan.ts";

type Options = { bytesMax: number };

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
    for (const temp of temps) await clearTemp(temp, { path: path.p, was: path.b });
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
  for (const planned of planMoves(edits, move.op)) {
    await clearTemp(tempBeside(planned.path, move.t, planned.number), {
      path: planned.path,
      was: planned.from,
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
    const mode = move.modes[planned.path];
    const exact = mode === undefined ? planned.mode : { mode };
    await transit(withDirs([{ ...planned, mode: exact }]), {
      token: move.t,
      bytesMax: options.bytesMax,
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
  return join(dirname(path), tempName(token, number));
}

/** Remove a temporary entry. One that hides the file being deleted gives it back, unless it is what the journal keeps. */
async function clearTemp(
  temp: string,
  { path, was }: { path: string; was: Stored },
): Promise<void> {
  const hidden = join(temp, "x");
  try {
    const info = lstat(temp);
    if (info === undefined || Deno.realPathSync(dirname(temp)) !== dirname(temp)) return;
    if (!info.isDirectory) return Deno.removeSync(temp);
    if (lstat(hidden) !== undefined) {
      const isKept = isSameContent((await look(hidden, 0)).stored, was) &&
        lstat(path) === undefined;
      if (isKept) Deno.removeSync(hidden);
      else giveBack(hidden, path);
    }
    removeEmptyDir(temp);
  } catch (error) {
    // What cannot be cleared is left where it is: nothing may be lost for tidiness.
    if (!(error instanceof PlaceChanged) && !(error instanceof Error && "code" in error)) {
      throw error;
    }
  }
}
