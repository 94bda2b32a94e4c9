/**
 * Says that an agent is alive: a file that its process keeps locked. The operating system takes the lock away with the
 * process, however that ends, and gives it to nobody else: a pid that is used again by another program says nothing here.
 */
import { closing } from "@/lib/closing.ts";
import { join } from "@/lib/path.ts";

/** "gone": its process has ended. "unknown": this file system cannot tell. */
export type Sign = "alive" | "gone" | "unknown";

/** Kept from `take` to `close`, or until the process ends. */
export class Mark {
  readonly #file: Deno.FsFile;

  private constructor(file: Deno.FsFile) {
    this.#file = file;
  }

  /** Mark an agent as alive. To be called where nobody sweeps meanwhile. */
  static take(dir: string, uid: string): Mark {
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const file = Deno.openSync(join(dir, uid), { create: true, write: true, mode: 0o600 });
    try {
      file.tryLockSync(true);
    } catch (error) {
      // A file system without locks: then others go by the last sign of life.
      if (!(error instanceof Error)) throw error;
    }
    return new Mark(file);
  }

  close(): void {
    this.#file[Symbol.dispose]();
  }
}

/** What the mark of an agent says. Those who ask do not stand in each other's way. */
export function signOf(dir: string, uid: string): Sign {
  try {
    const file = Deno.openSync(join(dir, uid), { read: true });
    return closing(file, (mark) => mark.tryLockSync(false) ? "gone" : "alive");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "gone";
    if (error instanceof Error) return "unknown";
    throw error;
  }
}

/** Remove the marks of those that have ended. To be called where nobody takes one meanwhile. */
export function sweepMarks(dir: string): void {
  try {
    for (const { name } of Deno.readDirSync(dir)) {
      if (signOf(dir, name) === "gone") removeMark(dir, name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Remove one. */
export function removeMark(dir: string, uid: string): void {
  try {
    Deno.removeSync(join(dir, uid));
  } catch (error) {
    // On Windows somebody who looks at it just now keeps it there for the next sweep.
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) {
      throw error;
    }
  }
}
