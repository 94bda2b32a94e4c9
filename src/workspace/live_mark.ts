/** Says which sessions have a living process here: a file that the process keeps locked. */
import { join } from "node:path";
import { ensureDir } from "@/lib/atomic_write.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { isUntouched, lstat } from "./entry.ts";

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
    for (;;) {
      const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
      await file.lock(false); // Shared, and never long in coming: whoever asks lets go at once.
      // Somebody may have cleared the file away between the two.
      if (isUntouched(lstat(path), file.statSync(), "inode")) return new LiveMark(file);
      file.close();
    }
  }

  /** May be called again. */
  close(): void {
    this.#file[Symbol.dispose]();
  }
}

/** Whether a process has the session open. */
export function isLive(dir: string, session: string): boolean {
  try {
    using file = Deno.openSync(markFile(dir, session), { write: true });
    return !file.tryLockSync(true);
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
    using file = Deno.openSync(path, { write: true });
    if (file.tryLockSync(true)) Deno.removeSync(path);
  }
}

function markFile(dir: string, session: string): string {
  return join(dir, "live", `${sha256Hex(session).slice(0, 16)}.lock`);
}
