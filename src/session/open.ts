/** Opens a session's file to go on with it: locked, read, and ready for the next record. */
import { dirname } from "@/lib/path.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { assertRegular, sessionError, sessionId } from "@/session/file.ts";
import { type SessionSummary, toSummary } from "@/session/fold.ts";
import { lockSession, type SessionLock } from "@/session/lock.ts";
import { omissions, readContents } from "@/session/read.ts";
import { readUid } from "@/session/scan.ts";
import { moveTailAside } from "@/session/torn.ts";

/** A file that is ours now. `rest` goes before the next record. */
export type OpenedFile = { file: Deno.FsFile; lock: SessionLock; rest: string };

/** What was found in it; `uid` is missing where its start says none. */
export type OpenedContents = {
  uid: string | undefined;
  opened: OpenedFile;
  records: readonly SessionRecord[];
  summary: SessionSummary;
  notices: readonly string[];
};

/**
 * A torn tail is moved aside; everything else stays in the file as it is. Throws SessionInUse when it is open in a living
 * process, PersonError when it cannot be opened.
 */
export async function openToWrite(path: string, now: Date): Promise<OpenedContents> {
  const id = sessionId(path);
  let file: Deno.FsFile | undefined;
  let lock: SessionLock | undefined;
  try {
    await assertRegular(path);
    file = await Deno.open(path, { read: true, append: true });
    const uid = await readUid(file);
    lock = await lockSession(dirname(path), { key: uid ?? id, id });
    await Deno.lstat(path); // Renamed before we had the lock: then this is not its name any more.
    const contents = await readContents(file);
    const { tail, records } = contents;
    const notices = [...omissions(id, contents)];
    if (tail !== undefined && !tail.isWhole) {
      notices.push(await moveTailAside(path, { start: tail.start, now }));
    }
    // A whole record that only lacks its LF gets it before anything is put after it.
    const opened = { file, lock, rest: tail?.isWhole ? "\n" : "" };
    return { uid, opened, records, summary: toSummary(records), notices };
  } catch (error) {
    file?.close();
    await lock?.release();
    throw sessionError(`open session "${id}"`, error);
  }
}
