/**
 * Exclusive locks between processes and inside one, on a lock file beside the thing that is locked.
 * The operating system holds the lock for an open file handle, so it dies with its process: there are no stale locks.
 */
import { closing } from "@/lib/closing.ts";
import { basename } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";

/** How long to wait for whoever holds a lock, and what to call the locked thing in the error. */
export type LockOptions = { waitMs?: number; what?: string };

const WAIT_MS = 10_000;
const PAUSE_MS_MAX = 20;

/** Somebody else held the lock for the whole of the wait. Nothing was done. */
export class FileLocked extends PersonError {
  /** What is locked. */
  readonly path: string;

  constructor(path: string, { what, waitMs }: { what: string; waitMs: number }) {
    super(
      "state",
      `Cannot change ${what}: another process has kept it locked for ${waitMs / 1000} s`,
      `Try again, or end the other process; the lock file is "${lockFile(path)}"`,
    );
    this.path = path;
  }
}

/**
 * Run `body` while nobody else, in this process or another, holds the lock of `path`.
 * Not re-entrant. Throws `FileLocked` after `waitMs` (10 s).
 */
export async function withFileLock<T>(
  path: string,
  body: () => Promise<T>,
  { waitMs = WAIT_MS, what = `"${basename(path)}"` }: LockOptions = {},
): Promise<T> {
  // Closing the handle gives the lock back. The lock file stays: removing it could part two holders.
  return await closing(await openLockFile(lockFile(path)), async (file) => {
    const deadline = performance.now() + waitMs;
    // `lock()` would wait in a thread and could not be given up, so ask again and again.
    for (let tries = 0; !await file.tryLock(true); tries++) {
      if (performance.now() >= deadline) throw new FileLocked(path, { what, waitMs });
      await pause(tries);
    }
    return await body();
  });
}

/** Open a file to lock, for the person alone. Throws PersonError where something other than a file is in its place. */
export async function openLockFile(path: string): Promise<Deno.FsFile> {
  await assertFileOrNothing(path);
  return await Deno.open(path, { create: true, read: true, write: true, mode: 0o600 });
}

/** A link would make the file somewhere else, and a pipe would make us wait for its other end. */
async function assertFileOrNothing(path: string): Promise<void> {
  try {
    if ((await Deno.lstat(path)).isFile) return;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  throw new PersonError("state", `Cannot lock "${path}": it is not a file`, "Move it away");
}

/** Where the lock of a path lives. */
function lockFile(path: string): string {
  return `${path}.lock`;
}

/** Short at first, then longer, never in step with another process. */
function pause(tries: number): Promise<void> {
  const most = Math.min(PAUSE_MS_MAX, 1 + tries / 2);
  return new Promise((resolve) => setTimeout(resolve, most * (0.5 + Math.random() / 2)));
}
