/** Says which sessions have a living process here: a file that the process keeps locked. */
import { join } from "@/lib/path.ts";
import { PersonError } from "@/protocol/error.ts";
import { ensureDir } from "@/lib/atomic_write.ts";
import { openLockFile } from "@/lib/file_lock.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { isUntouched, lstat } from "./entry.ts";

const TRIES_MAX = 200;
const PAUSE_MS = 5;

/** Kept from `take` to `close`, or until the process ends, however it ends. */
export class LiveMark {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Mark a session as alive. Several processes may. */
  static async take(dir: string, session: string): Promise<LiveMark> {
    await ensureDir(join(dir, "live"), { mode: 0o700 });
    const path = markFile(dir, session);
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const file = await openLockFile(path);
      // Shared, and never long in coming: whoever asks lets go at once. Somebody may have cleared the file away meanwhile.
      const isHeld = await file.tryLock(false) &&
        isUntouched(lstat(path), file.statSync(), "inode");
      if (isHeld) return new LiveMark(file);
      file.close();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new PersonError("state", `"${path}" is locked by another process`, "End that one");
  }

  /** May be called again. */
  close(): void {
    this.#file[Symbol.dispose]();
  }
}

/** Whether a process has the session open. */
export function isLive(dir: string, session: string): boolean {
  try {
    return !isFree(markFile(dir, session));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Remove the marks of sessions that no process has open. */
export function clearMarks(dir: string): void {
  if (lstat(join(dir, "live")) === undefined) return;
  for (const { name } of Deno.readDirSync(join(dir, "live"))) {
    const path = join(dir, "live", name);
    isFree(path, () => Deno.removeSync(path));
  }
}

/** Whether nobody holds a mark; if so, `act` runs while we do. */
function isFree(path: string, act = () => {}): boolean {
  const file = Deno.openSync(path, { write: true });
  try {
    if (!file.tryLockSync(true)) return false;
    act();
    return true;
  } finally {
    file.close();
  }
}

function markFile(dir: string, session: string): string {
  return join(dir, "live", `${sha256Hex(session).slice(0, 16)}.lock`);
}
