/**
 * Says that a session is open in a living process. The operating system holds the lock for an open file, so it dies
 * with its process: a session is never locked by a dead one. The lock is not on the session file itself, because
 * Windows would then let nobody read it.
 */
import { join } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { ensureDir } from "@/lib/atomic_write.ts";
import { errorCode } from "@/lib/file_error.ts";
import { openLockFile } from "@/lib/file_lock.ts";

/** The session is open in another process, or a second time in this one. It can be forked instead. */
export class SessionInUse extends PersonError {
  constructor(id: string, pid: number | undefined) {
    const where = pid === undefined ? "another harness" : `another harness (process ${pid})`;
    super(
      "state",
      `Cannot open session "${id}": it is open in ${where}`,
      "Go on there, or end that one; -r with --fork goes on with a copy",
    );
  }
}

/** A held lock. */
export interface SessionLock {
  release(): Promise<void>;
}

/** Somebody may remove the lock file between our opening and our locking it; then it is made anew. */
const TRIES_MAX = 20;

/** Takes the lock of a session without waiting. Throws SessionInUse when somebody has it. */
export async function lockSession(
  dir: string,
  { key, id }: { key: string; id: string },
): Promise<SessionLock> {
  const locks = join(dir, ".open");
  await ensureDir(locks, { mode: 0o700 });
  const path = join(locks, `${key}.lock`);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const file = await openLockFile(path);
    let isHeld = false;
    try {
      if (!await file.tryLock(true)) throw new SessionInUse(id, await pidIn(path));
      isHeld = await isStillAt(path, file);
      if (isHeld) await notePid(file);
    } finally {
      if (!isHeld) file.close();
    }
    if (isHeld) return { release: () => release(path, file) };
  }
  throw new SessionInUse(id, undefined);
}

async function release(path: string, file: Deno.FsFile): Promise<void> {
  try {
    // Removed while it is still locked: whoever opened it meanwhile sees that it is not at its place any more.
    if (Deno.build.os !== "windows") await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  } finally {
    file.close();
  }
}

/** Whether the locked file is the one that others would open. */
async function isStillAt(path: string, file: Deno.FsFile): Promise<boolean> {
  if (Deno.build.os === "windows") return true; // Never removed there.
  try {
    const [mine, there] = await Promise.all([file.stat(), Deno.stat(path)]);
    return mine.ino === there.ino && mine.dev === there.dev;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Only a sentence rests on it: on a full disk the lock holds without. */
async function notePid(file: Deno.FsFile): Promise<void> {
  try {
    await file.truncate(0);
    await file.write(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch (error) {
    if (errorCode(error) === "") throw error;
  }
}

/** Whose lock it is; undefined where that cannot be read (Windows, or the holder has not written it yet). */
async function pidIn(path: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await Deno.readTextFile(path), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch (error) {
    if (error instanceof Error) return undefined; // Only the sentence is poorer without it.
    throw error;
  }
}
