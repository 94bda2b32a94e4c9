/**
 * Puts entries in their place, and takes them away, so that a directory swapped for a link makes the attempt miss.
 *
 * Deno has no openat: every call walks the path from the root, and a process that wants us outside may swap a directory
 * between two calls. So the last steps go through a pin: a link to "." with a name nobody can predict, in the directory
 * itself. `dir/<pin>/name` leads to that one directory or nowhere, because no other has the pin (measured: without it, one
 * rename in 150 went astray under a process that exchanged the two names all the time). It exists for about 0.1 ms.
 * What is left is an empty entry with such a name that lands outside and is chased and removed.
 */
import { basename, dirname, join } from "@/lib/path.ts";
import { replaceFile, syncDir, type WriteMode } from "@/lib/atomic_write.ts";
import { errorCode, withSentence } from "@/lib/file_error.ts";
import { randomHex } from "@/lib/random.ts";
import { assertRealParent, ChangedSince, isUntouched, lstat, PlaceChanged } from "./entry.ts";

/** Looks at the destination for the last time and gives what is there; throws to stop. */
export type LastLook = () => Promise<Deno.FileInfo | undefined>;

/** What a placement needs: a token for its temporary names, and the last look. */
export type PlaceOptions = {
  temp: string;
  look: LastLook;
  /** Where what a file has beside bytes and mode is put when it is removed, and found when it comes back. */
  carrier?: string;
};

/** How entries are put in their place: in this process, or elsewhere (placing_inside.ts). */
export type Placing = {
  /** Put a file at a real path. Its mode is kept if it exists. */
  file(path: string, bytes: Uint8Array, options: PlaceOptions & { mode: WriteMode }): Promise<void>;
  /** Make a directory at a real path where nothing is. */
  dir(path: string, options: PlaceOptions): Promise<void>;
  /** Make a link at a real path. */
  link(path: string, target: string, options: PlaceOptions): Promise<void>;
  /** Remove a file or a link, the one that `look` saw and no other. */
  away(path: string, options: PlaceOptions): Promise<void>;
};

/** In this process. */
export const PLACING_HERE: Placing = {
  file: placeFile,
  dir: placeDir,
  link: placeLink,
  away: takeAway,
};

/** Names of temporary entries that were made and are not known to be gone. */
type Litter = { temp: string; litter: Set<string> };

const CHASES_MAX = 300;
const CHASE_PAUSE_MS_MAX = 5;
/** One look walks the path in several system calls and can be fooled by a swap between them; a run of them hardly. */
const LOOKS = 8;
/** What a file system without links answers. On Windows, making one needs a right that few have. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** The name of a temporary entry: the token makes it unpredictable, the number unique within an edit. */
export function moveTempName(token: string, number: number | string): string {
  return `.harness-${token}-${number}.tmp`;
}

/** The pin that goes with a temporary name. */
export function pinName(temp: string): string {
  return temp.replace(/\.tmp$/, ".pin");
}

/** Put a file at a real path. Its mode is kept if it exists. */
export async function placeFile(
  path: string,
  bytes: Uint8Array,
  { temp, look, mode }: PlaceOptions & { mode: WriteMode },
): Promise<void> {
  let seen: Deno.FileInfo | undefined;
  let made: Deno.FileInfo | undefined;
  await caught(path, (litter) =>
    replaceFile(path, bytes, {
      ...mode,
      temp,
      keepsAttributes: true,
      landed: (at, info) => {
        litter.add(temp);
        assertLanded(path, at, made = info);
      },
      ready: async () => void (seen = await look()),
      rename: () =>
        pinned(path, { temp, litter }, (dir) => {
          assertSame(path, lstat(join(dir, basename(path))), seen);
          if (!isUntouched(lstat(join(dir, temp)), made, "inode")) throw new PlaceChanged(path);
          Deno.renameSync(join(dir, temp), join(dir, basename(path)));
          litter.delete(temp);
        }),
      discard: (at) => void (isRemoved(at) && litter.delete(temp)),
    }));
}

/** Make a directory at a real path where nothing is. */
export async function placeDir(path: string, { temp, look }: PlaceOptions): Promise<void> {
  await caught(path, async (litter) => {
    await look();
    pinned(path, { temp, litter }, (dir) => {
      assertSame(path, lstat(join(dir, basename(path))), undefined);
      Deno.mkdirSync(join(dir, basename(path)));
    });
    await syncDir(dirname(path));
  });
}

/** Make a link at a real path. */
export async function placeLink(
  path: string,
  target: string,
  { temp, look }: PlaceOptions,
): Promise<void> {
  await caught(path, async (litter) => {
    const seen = await look();
    pinned(path, { temp, litter }, (dir) => {
      Deno.symlinkSync(target, join(dir, temp));
      litter.add(temp);
      assertSame(path, lstat(join(dir, basename(path))), seen);
      Deno.renameSync(join(dir, temp), join(dir, basename(path)));
      litter.delete(temp);
    });
    await syncDir(dirname(path));
  });
}

/** Remove a file or a link, the one that `look` saw and no other. */
export async function takeAway(path: string, { temp, look }: PlaceOptions): Promise<void> {
  const hidden = join(dirname(path), temp);
  await caught(path, async (litter) => {
    const seen = await look();
    pinned(path, { temp, litter }, (dir) => {
      assertSame(path, lstat(join(dir, basename(path))), seen);
      // Out of the way first, so that it can be given back if it turns out to be another one.
      Deno.renameSync(join(dir, basename(path)), join(dir, temp));
    });
    if (isUntouched(await persist(() => Deno.lstatSync(hidden)), seen, "inode")) {
      litter.add(temp);
      return;
    }
    const kept = await persist(() => giveBack(hidden, path));
    throw new ChangedSince(path, `was replaced just now; the other one is "${kept}"`);
  });
  await syncDir(dirname(path));
}

/** Nobody else knows the hidden name. If it is not found, its directory is being swapped, and will be back. */
async function persist<T>(act: () => T): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return act();
    } catch (error) {
      if (!hasMissed(error) || tries === CHASES_MAX) throw error;
      await pause(Math.min(CHASE_PAUSE_MS_MAX, tries / 20));
    }
  }
}

/** Remove a directory that is empty. False if it is not, or is no directory (any more). */
export function removeEmptyDir(path: string): boolean {
  try {
    assertRealParent(path);
    if (!lstat(path)?.isDirectory || !Deno.readDirSync(path)[Symbol.iterator]().next().done) {
      return false;
    }
    Deno.removeSync(path);
    return true;
  } catch (error) {
    // Not empty any more, busy, or not ours to remove.
    if (error instanceof PlaceChanged || errorCode(error) !== "") return false;
    throw error;
  }
}

/** Put an entry back under its name, or under one beside it if somebody has taken the name. Gives the name. */
export function giveBack(hidden: string, path: string): string {
  const name = lstat(path) === undefined ? path : `${path}.kept-${randomHex(4)}`;
  Deno.renameSync(hidden, name);
  return basename(name);
}

/**
 * Run `act` on a name for the directory of `path` that leads nowhere else, whatever is swapped meanwhile.
 * Synchronous throughout, so that nothing of ours comes in between and the pin is soon gone.
 */
function pinned(path: string, { temp, litter }: Litter, act: (dir: string) => void): void {
  const name = pinName(temp);
  const pin = join(dirname(path), name);
  if (!makePin(pin)) return act(dirname(path));
  litter.add(name);
  try {
    for (let looks = 0; looks < LOOKS; looks++) {
      // The pin is a link to ".", so its real path is the directory that has it.
      if (realOrNone(pin) !== dirname(path)) throw new PlaceChanged(path);
    }
    act(pin);
  } finally {
    if (isRemoved(pin)) litter.delete(name);
  }
}

function makePin(pin: string): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    Deno.symlinkSync(".", pin);
    return true;
  } catch (error) {
    if (NO_LINKS.includes(errorCode(error))) return false;
    throw error;
  }
}

/** Throws unless what is at the destination is what the last look saw, untouched. */
function assertSame(
  path: string,
  now: Deno.FileInfo | undefined,
  seen: Deno.FileInfo | undefined,
): void {
  if (now === undefined && seen === undefined) return;
  if (!isUntouched(now, seen)) throw new ChangedSince(path, "was changed just now");
}

/** Throws unless the temporary entry is really beside its destination. */
function assertLanded(path: string, at: string, made: Deno.FileInfo): void {
  for (let looks = 0; looks < LOOKS; looks++) {
    if (!isUntouched(lstat(at), made, "inode")) throw new PlaceChanged(path);
    assertRealParent(path);
  }
}

/** Runs an attempt, and removes what it leaves lying about. Says so when the directory was swapped under it. */
async function caught(
  path: string,
  attempt: (litter: Set<string>) => Promise<void>,
): Promise<void> {
  const litter = new Set<string>();
  try {
    await attempt(litter);
  } catch (error) {
    throw hasMissed(error)
      ? new PlaceChanged(path)
      : withSentence(error, `Cannot change "${path}"`);
  } finally {
    await chase(path, litter);
  }
}

/** A temporary entry that is not found where it was just made has landed elsewhere, or its directory was moved. */
function hasMissed(error: unknown): boolean {
  return error instanceof PlaceChanged || ["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error));
}

/** Nobody else uses these names, so whatever has one is ours, wherever the directory leads at this moment. */
async function chase(path: string, litter: Set<string>): Promise<void> {
  const places = new Set<string>([dirname(path)]);
  for (let tries = 0; litter.size > 0 && tries < CHASES_MAX; tries++) {
    const place = realOrNone(dirname(path));
    if (place !== undefined) places.add(place);
    for (const name of litter) {
      if ([...places].some((each) => isRemoved(join(each, name)))) litter.delete(name);
    }
    if (litter.size > 0) await pause(Math.min(CHASE_PAUSE_MS_MAX, tries / 20));
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function realOrNone(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (errorCode(error) !== "") return undefined;
    throw error;
  }
}

/** Whether this removed it; not whether it is gone, which cannot be known while somebody swaps. */
function isRemoved(path: string): boolean {
  try {
    Deno.removeSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "") throw error;
    return false;
  }
}
