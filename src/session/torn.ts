/** The end of a session file that was cut while it was written. */
import { basename } from "@/lib/path.ts";
import { writeAll } from "@/lib/atomic_write.ts";
import { nameTime } from "@/lib/name_time.ts";
import { SESSION_SUFFIX, sessionId } from "@/session/file.ts";
import { idsInOrder } from "@/session/title.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Moves what stands from `start` to the end of the file into `<id>.torn-<time>` beside it, and cuts it off. The copy
 * is on disk before anything is cut. Returns the sentence that says so.
 */
export async function moveTailAside(
  path: string,
  { start, now }: { start: number; now: Date },
): Promise<string> {
  // A handle of its own: on Windows one that appends may not cut.
  using file = await Deno.open(path, { read: true, write: true });
  const stem = path.slice(0, -SESSION_SUFFIX.length);
  const aside = await createAside(`${stem}.torn-${nameTime(now)}`);
  let byteLength = 0;
  try {
    await file.seek(start, Deno.SeekMode.Start);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const count = await file.read(chunk);
      if (count === null) break;
      await writeAll(aside.file, chunk.subarray(0, count));
      byteLength += count;
    }
    await aside.file.sync();
  } finally {
    aside.file.close();
  }
  await file.truncate(start);
  await file.syncData();
  return `The end of session "${sessionId(path)}" was cut while it was written; its last ` +
    `${byteLength} bytes are now in "${
      basename(aside.path)
    }" beside it, and everything before is here`;
}

async function createAside(wanted: string): Promise<{ path: string; file: Deno.FsFile }> {
  for (const path of idsInOrder(wanted)) {
    try {
      return { path, file: await Deno.open(path, { createNew: true, write: true, mode: 0o600 }) };
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
  throw new Error(`every file name for "${basename(wanted)}" is taken`);
}
