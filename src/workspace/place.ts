/**
 * Puts entries in their place, and takes them away, so that a directory swapped for a link makes the attempt miss.
 *
 * Deno has no openat: each call walks the path from the root again, and the process that wants to be outside may swap a
 * directory in between. So everything passes through an entry with a name nobody can predict, beside its destination:
 * made empty, looked at under the real name of its directory, filled, renamed. In the last step both names go through the
 * same directory within one system call. If that directory is not the one looked at, the entry is not in it and the rename
 * fails. What remains is a swap inside that one call, and, outside, an empty stray that is chased and removed.
 */
import { dirname, join } from "node:path";
import { replaceFile, syncDir, type WriteMode } from "@/lib/atomic_write.ts";
import { assertRealParent, ChangedSince, isSameInode, lstat, PlaceChanged } from "./entry.ts";

/** Looks at the destination for the last time; throws to stop. Gives what it saw there. Its last act is synchronous. */
export type LastLook = () => Promise<Deno.FileInfo | undefined>;

const STRAY_TRIES_MAX = 50;

/** The name of a temporary entry: the token makes it unpredictable, the number unique within an edit. */
export function tempName(token: string, number: number | string): string {
  return `.harness-${token}-${number}.tmp`;
}

/** Put a file at a real path. Its mode is kept if it exists. */
export async function placeFile(
  path: string,
  bytes: Uint8Array,
  { temp, look, mode }: { temp: string; look: LastLook; mode: WriteMode },
): Promise<void> {
  await caught(path, temp, () =>
    replaceFile(path, bytes, {
      ...mode,
      temp,
      landed: (at, info) => assertLanded(path, at, info),
      ready: async () => void await look(),
    }));
}

/** Make a directory at a real path where nothing is. */
export async function placeDir(
  path: string,
  { temp, look }: { temp: string; look: LastLook },
): Promise<void> {
  const at = join(dirname(path), temp);
  await caught(path, temp, async () => {
    Deno.mkdirSync(at);
    await renamed(path, { at, look });
  });
}

/** Make a link at a real path. */
export async function placeLink(
  path: string,
  target: string,
  { temp, look }: { temp: string; look: LastLook },
): Promise<void> {
  const at = join(dirname(path), temp);
  await caught(path, temp, async () => {
    Deno.symlinkSync(target, at);
    await renamed(path, { at, look });
  });
}

/** Remove a file or a link, the one that `look` saw and no other. */
export async function takeAway(
  path: string,
  { temp, look }: { temp: string; look: LastLook },
): Promise<void> {
  const hide = join(dirname(path), temp);
  const hidden = join(hide, "x");
  await caught(path, temp, async () => {
    Deno.mkdirSync(hide, { mode: 0o700 });
    try {
      assertLanded(path, hide, Deno.lstatSync(hide));
      const seen = await look();
      Deno.renameSync(path, hidden);
      const taken = Deno.lstatSync(hidden);
      if (seen === undefined || !isSameInode(seen, taken)) {
        giveBack(hidden, path);
        throw new ChangedSince(path, "was replaced just now");
      }
      Deno.removeSync(hidden);
    } finally {
      if (lstat(hidden) === undefined && lstat(hide) !== undefined) Deno.removeSync(hide);
    }
    await syncDir(dirname(path));
  });
}

/** Remove a directory that is empty. False if it is not, or is no directory (any more). */
export function removeEmptyDir(path: string): boolean {
  try {
    assertRealParent(path);
    if (
      !lstat(path)?.isDirectory || Deno.readDirSync(path)[Symbol.iterator]().next().done !== true
    ) {
      return false;
    }
    Deno.removeSync(path);
    return true;
  } catch (error) {
    if (error instanceof PlaceChanged || error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Error && "code" in error) return false; // Not empty any more, busy, or not ours to remove.
    throw error;
  }
}

/** Put an entry back under its name, unless somebody has taken the name: then it stays where it is. */
export function giveBack(hidden: string, path: string): boolean {
  if (lstat(path) !== undefined) return false;
  Deno.renameSync(hidden, path);
  return true;
}

async function renamed(path: string, { at, look }: { at: string; look: LastLook }): Promise<void> {
  try {
    assertLanded(path, at, Deno.lstatSync(at));
    await look();
    Deno.renameSync(at, path);
  } catch (error) {
    if (lstat(at) !== undefined) Deno.removeSync(at);
    throw error;
  }
  await syncDir(dirname(path));
}

/** Throws unless the temporary entry is really beside its destination. */
function assertLanded(path: string, at: string, made: Deno.FileInfo): void {
  assertRealParent(path);
  const info = lstat(at);
  if (info === undefined || !isSameInode(info, made)) throw new PlaceChanged(path);
}

/** Runs an attempt. When the directory may have been swapped under it, removes what strayed and says so. */
async function caught(path: string, temp: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (!mayHaveStrayed(error)) throw error;
    await chase(path, temp);
    throw new PlaceChanged(path);
  }
}

/** A temporary entry that is not found where it was just made has landed elsewhere, or its directory was moved. */
function mayHaveStrayed(error: unknown): boolean {
  return error instanceof PlaceChanged || error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.NotADirectory;
}

/** Nobody else uses the name, so whatever has it is ours, wherever the directory leads at this moment. */
async function chase(path: string, temp: string): Promise<void> {
  const places = new Set<string>([dirname(path)]);
  for (let tries = 0; tries < STRAY_TRIES_MAX; tries++) {
    try {
      places.add(Deno.realPathSync(dirname(path)));
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error; // In the middle of a swap: look again.
    }
    for (const place of places) {
      const stray = lstat(join(place, temp));
      // A directory may hide an entry that was taken away: that one is not ours to remove.
      if (stray === undefined) continue;
      if (!stray.isDirectory) Deno.removeSync(join(place, temp));
      else removeEmptyDir(join(place, temp));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
