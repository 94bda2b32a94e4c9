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

const CHASES_MAX = 50;
/** One look walks the path in several system calls and can be fooled by a swap between them; a run of them hardly. */
const LOOKS = 8;

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
      const taken = await persist(() => Deno.lstatSync(hidden));
      if (seen === undefined || !isSameInode(seen, taken)) {
        await persist(() => giveBack(hidden, path));
        throw new ChangedSince(path, "was replaced just now");
      }
      await persist(() => Deno.removeSync(hidden));
    } finally {
      if (!removeOurs(hide)) await chase(path, temp);
    }
    await syncDir(dirname(path));
  });
}

/** Nobody else knows the hidden name. If it is not found, its directory is being swapped, and will be back. */
async function persist<T>(act: () => T): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return act();
    } catch (error) {
      if (!hasMissed(error) || tries === CHASES_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
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
    removeOurs(at);
    throw error;
  }
  await syncDir(dirname(path));
}

/** Throws unless the temporary entry is really beside its destination. */
function assertLanded(path: string, at: string, made: Deno.FileInfo): void {
  for (let looks = 0; looks < LOOKS; looks++) {
    const info = lstat(at);
    if (info === undefined || !isSameInode(info, made)) throw new PlaceChanged(path);
    assertRealParent(path);
  }
}

/** Runs an attempt. If it fails, removes what may have strayed; says so when the directory was swapped under it. */
async function caught(path: string, temp: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    // That it is quiet now proves nothing when it was not found before: whoever swaps may be taking a break.
    if (!hasMissed(error) && isQuiet(path, temp)) throw error;
    const wasInPlace = await chase(path, temp);
    throw wasInPlace && !hasMissed(error) ? error : new PlaceChanged(path);
  }
}

/** A temporary entry that is not found where it was just made has landed elsewhere, or its directory was moved. */
function hasMissed(error: unknown): boolean {
  return error instanceof PlaceChanged || error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.NotADirectory;
}

/** Whether the directory stays where it is, with nothing of ours in it. */
function isQuiet(path: string, temp: string): boolean {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (lstat(join(dirname(path), temp)) !== undefined || !isReal(path)) return false;
  }
  return true;
}

function isReal(path: string): boolean {
  try {
    assertRealParent(path);
    return true;
  } catch (error) {
    if (error instanceof PlaceChanged) return false;
    throw error;
  }
}

/**
 * Nobody else uses the name, so whatever has it is ours, wherever the directory leads at this moment.
 * True if it was found and removed where it belongs.
 */
async function chase(path: string, temp: string): Promise<boolean> {
  const places = new Set<string>();
  for (let tries = 0; tries < CHASES_MAX; tries++) {
    const place = realOrNone(dirname(path));
    if (place !== undefined) places.add(place);
    for (const each of places) {
      if (removeOurs(join(each, temp))) return each === dirname(path);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return false;
}

function realOrNone(dir: string): string | undefined {
  try {
    return Deno.realPathSync(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined; // In the middle of a swap.
    throw error;
  }
}

/** Whether it was there and is removed. A directory may hide an entry that was taken away: that one stays. */
function removeOurs(stray: string): boolean {
  try {
    Deno.removeSync(stray);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
