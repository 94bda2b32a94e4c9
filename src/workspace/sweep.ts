/**
 * Gives back the disk space of old edits. Their lines stay, so that a list can still name them; only bytes go.
 * Never those of the newest edits, nor of a session that a living process has open.
 */
import { join } from "@/lib/path.ts";
import { FileLocked } from "@/lib/file_lock.ts";
import { lstat } from "./entry.ts";
import type { UndoLimits } from "./journal.ts";
import type { Edit } from "./journal_fold.ts";
import { JournalStore, undoDir } from "./journal_store.ts";
import { clearMarks, isLive } from "./live_mark.ts";
import { carrierHash } from "./transition.ts";

/** What a sweep needs to know. `bytesMax` may be tighter for one workspace, to keep all of them within theirs. */
export type SweepOptions = {
  limits: UndoLimits;
  now: Date;
  lockWaitMs?: number;
  /** How many of the newest edits are kept whatever they take (100). */
  keepNewest?: number;
  /** Above this size a journal forgets edits whose bytes are gone (2 MB). */
  linesBytesMax?: number;
};

/** What a sweep did. */
export type Swept = { edits: number; blobs: number; bytes: number };

const DAY_MS = 86_400_000;
const LOCK_WAIT_MS = 1000;
const KEEP_NEWEST = 100;
const BATCH_BLOBS = 200;
const LINES_BYTES_MAX = 2_000_000;
const KEEP_FREED = 500;

/** Sweep the journals of all workspaces, the least recently used first where all of them together take too much. */
export async function sweepAll(stateDir: string, options: SweepOptions): Promise<Swept> {
  const swept: Swept = { edits: 0, blobs: 0, bytes: 0 };
  const stores = journalsOf(stateDir, options);
  for (const store of stores) add(swept, await sweepIfFree(store, options));
  const sizes = await Promise.all(stores.map(bytesOf));
  let excess = sizes.reduce((sum, bytes) => sum + bytes, 0) - options.limits.allBytesMax;
  for (const [index, store] of stores.entries()) {
    if (excess <= 0) break;
    const bytesMax = Math.max(0, (sizes[index] ?? 0) - excess);
    const limits = { ...options.limits, bytesMax };
    const done = await sweepIfFree(store, { ...options, limits });
    add(swept, done);
    excess -= done.bytes;
  }
  return swept;
}

/** A journal that is busy is left for the next time. */
async function sweepIfFree(store: JournalStore, options: SweepOptions): Promise<Swept> {
  try {
    return await sweepStore(store, options);
  } catch (error) {
    if (error instanceof FileLocked) return { edits: 0, blobs: 0, bytes: 0 };
    throw error;
  }
}

/** Sweep one journal: too old first, then the oldest until the rest fits. Blobs that nothing names go as well. */
async function sweepStore(store: JournalStore, options: SweepOptions): Promise<Swept> {
  const { edits, unused } = await store.withLock(async () => await free(store, options));
  const swept: Swept = { edits, blobs: 0, bytes: 0 };
  // In batches, so that nobody's edit waits for a long sweep; what was used again in between is left.
  for (let start = 0; start < unused.length; start += BATCH_BLOBS) {
    await store.withLock(() => {
      const used = usedBlobs(store.fold.edits());
      for (const { hash, bytes } of unused.slice(start, start + BATCH_BLOBS)) {
        if (used.has(hash)) continue;
        store.blobs.remove(hash);
        swept.blobs += 1;
        swept.bytes += bytes;
      }
      return Promise.resolve();
    });
  }
  return swept;
}

type Sized = { hash: string; bytes: number };

/** Decide which edits lose their bytes, write that down, and name the blobs that nothing needs any more. */
async function free(
  store: JournalStore,
  options: SweepOptions,
): Promise<{ edits: number; unused: Sized[] }> {
  const blobs: Sized[] = [];
  for await (const entry of store.blobs.list()) {
    // Whoever wrote it held the lock, so nobody is writing it now.
    if ("leftover" in entry) Deno.removeSync(entry.leftover);
    else blobs.push(entry);
  }
  const edits = store.fold.edits();
  const freed = chooseFreed(edits, {
    store,
    sizes: new Map(blobs.map((b) => [b.hash, b.bytes])),
    options,
  });
  if (freed.size > 0) await store.appendSafely({ op: "freed", ids: [...freed] });
  await shorten(store, options.linesBytesMax ?? LINES_BYTES_MAX);
  clearMarks(store.dir);
  const used = usedBlobs(store.fold.edits());
  clearCarriers(store, used);
  return { edits: freed.size, unused: blobs.filter(({ hash }) => !used.has(hash)) };
}

/** What a file had beside its bytes goes with them. */
function clearCarriers({ carriers }: JournalStore, used: ReadonlySet<string>): void {
  if (lstat(carriers) === undefined) return;
  for (const { name } of Deno.readDirSync(carriers)) {
    if (!used.has(carrierHash(name))) Deno.removeSync(join(carriers, name));
  }
}

/** A journal that has grown long forgets edits without bytes, the oldest first, but no session altogether. */
async function shorten(store: JournalStore, linesBytesMax: number): Promise<void> {
  if (store.size() <= linesBytesMax) return;
  const edits = store.fold.edits();
  const newest = new Map(edits.map(({ record }) => [record.session, record.id]));
  const freed = edits.filter(({ freed, record }) =>
    freed && newest.get(record.session) !== record.id
  );
  const ids = freed.slice(0, Math.max(0, freed.length - KEEP_FREED)).map(({ record }) => record.id);
  if (ids.length > 0) await store.forget(new Set(ids));
}

type Choice = { store: JournalStore; sizes: ReadonlyMap<string, number>; options: SweepOptions };

function chooseFreed(edits: readonly Edit[], { store, sizes, options }: Choice): Set<string> {
  const { limits, now, keepNewest = KEEP_NEWEST } = options;
  const alive = new Map<string, boolean>();
  const isAlive = (session: string) => {
    const known = alive.get(session) ?? isLive(store.dir, session);
    alive.set(session, known);
    return known;
  };
  const kept = edits.filter(({ freed }) => !freed);
  const uses = countUses(kept);
  let total = uses.keys().reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
  const chosen = new Set<string>();
  for (const edit of kept.slice(0, Math.max(0, kept.length - keepNewest))) {
    const isOld = now.getTime() - Date.parse(edit.record.at) > limits.daysMax * DAY_MS;
    if (!isOld && total <= limits.bytesMax) continue;
    if (isAlive(edit.record.session)) continue;
    chosen.add(edit.record.id);
    for (const hash of blobsOf(edit)) {
      const left = (uses.get(hash) ?? 1) - 1;
      uses.set(hash, left);
      if (left === 0) total -= sizes.get(hash) ?? 0;
    }
  }
  return chosen;
}

function countUses(edits: readonly Edit[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const hash of edits.flatMap(blobsOf)) uses.set(hash, (uses.get(hash) ?? 0) + 1);
  return uses;
}

function usedBlobs(edits: readonly Edit[]): Set<string> {
  return new Set(edits.filter(({ freed }) => !freed).flatMap(blobsOf));
}

function blobsOf({ record }: Edit): string[] {
  return record.paths.flatMap(({ b, a }) =>
    [b, a].flatMap((stored) => stored.k === "file" && !stored.big ? [stored.h] : [])
  );
}

/** Least recently used first. */
function journalsOf(stateDir: string, { lockWaitMs = LOCK_WAIT_MS }: SweepOptions): JournalStore[] {
  const undo = undoDir(stateDir);
  if (lstat(undo) === undefined) return [];
  const dirs = [...Deno.readDirSync(undo)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => join(undo, name))
    .filter((dir) => lstat(join(dir, "journal.jsonl")) !== undefined);
  const usedAt = (dir: string) => lstat(join(dir, "journal.jsonl"))?.mtime?.getTime() ?? 0;
  return dirs.sort((one, other) => usedAt(one) - usedAt(other))
    .map((dir) => new JournalStore(dir, lockWaitMs));
}

async function bytesOf(store: JournalStore): Promise<number> {
  let sum = 0;
  for await (const entry of store.blobs.list()) if ("bytes" in entry) sum += entry.bytes;
  return sum;
}

function add(sum: Swept, { edits, blobs, bytes }: Swept): void {
  sum.edits += edits;
  sum.blobs += blobs;
  sum.bytes += bytes;
}
