/** A second session that begins as a copy of another one, which may be open elsewhere. */
import { dirname, join } from "@/lib/path.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { writeAll } from "@/lib/atomic_write.ts";
import { eachLine } from "@/lib/jsonl.ts";
import { createFree } from "@/session/create.ts";
import { assertRegular, SESSION_SUFFIX, sessionError, sessionId } from "@/session/file.ts";
import { encodeRecord } from "@/session/record.ts";
import { beginsTurn, isSessionLine } from "@/session/scan.ts";
import { newUid } from "@/session/uid.ts";

const CHUNK_BYTES = 256 * 1024;

/**
 * Copies every complete line of a session, read or not by this version, into a new session with a uid of its own (`uid`,
 * else a new one); with `beforeTurn` those before the one that begins this turn.
 * Returns the path of the new file. Throws PersonError; nothing is left behind then.
 */
export async function forkSession(
  path: string,
  { cwd, profile, beforeTurn, now = new Date(), uid = newUid(now) }: {
    cwd: string;
    profile: string;
    beforeTurn?: number | undefined;
    now?: Date;
    uid?: string;
  },
): Promise<string> {
  const id = sessionId(path);
  let made: string | undefined;
  try {
    await assertRegular(path);
    using from = await Deno.open(path);
    const ranges = await linesToCopy(from, beforeTurn);
    const { id: newId, file } = await createFree(dirname(path), id);
    using to = file;
    made = join(dirname(path), `${newId}${SESSION_SUFFIX}`);
    const line = (event: DurableEvent) =>
      new TextEncoder().encode(encodeRecord({ v: 1, at: now.toISOString(), event }));
    await writeAll(to, line({ type: "session", uid, cwd, profile }));
    for (const range of ranges) await copyRange(from, to, range);
    await writeAll(
      to,
      line({ type: "notice", level: "info", text: `Forked from session "${id}"` }),
    );
    await to.sync();
    return made;
  } catch (error) {
    if (made !== undefined) await Deno.remove(made);
    throw sessionError(`fork session "${id}"`, error);
  }
}

type Range = { start: number; end: number };

/** Where the complete lines are that do not say which session this is; neighbours are joined. */
async function linesToCopy(
  file: Deno.FsFile,
  beforeTurn: number | undefined,
): Promise<readonly Range[]> {
  const ranges: Range[] = [];
  await eachLine(file, (line) => {
    if (beforeTurn !== undefined && beginsTurn(line, beforeTurn)) return false;
    if (!line.ended || isSessionLine(line)) return;
    const last = ranges.at(-1);
    const end = line.start + line.byteLength + 1;
    if (last?.end === line.start) last.end = end;
    else ranges.push({ start: line.start, end });
  });
  return ranges;
}

async function copyRange(from: Deno.FsFile, to: Deno.FsFile, { start, end }: Range): Promise<void> {
  await from.seek(start, Deno.SeekMode.Start);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let left = end - start; left > 0;) {
    const count = await from.read(chunk.subarray(0, Math.min(left, chunk.length)));
    if (count === null) throw new Error("its file became shorter while it was copied");
    await writeAll(to, chunk.subarray(0, count));
    left -= count;
  }
}
