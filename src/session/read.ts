/** Reading a session file without changing it, also while another process writes to it. */
import { closing } from "@/lib/closing.ts";
import { counted } from "@/lib/counted.ts";
import type { SessionRecord } from "@/protocol/session.ts";
import { eachLine, type JsonlLine, parseLine } from "@/lib/jsonl.ts";
import { decodeRecord } from "@/session/decode.ts";
import { assertRegular, sessionError, sessionId } from "@/session/file.ts";

/** What a session file holds. */
export type SessionContents = {
  records: readonly SessionRecord[];
  /** Lines of a later version, skipped here. */
  foreign: number;
  /** Lines that are no record at all, skipped here. */
  damaged: number;
  /** What stands after the last LF: a whole record that only lacks its LF, or the start of one that was cut. */
  tail?: { start: number; byteLength: number; isWhole: boolean };
};

/** Reads a session. Throws PersonError when there is no file or it cannot be read. */
export async function readSession(path: string): Promise<SessionContents> {
  try {
    await assertRegular(path);
    return await closing(await Deno.open(path), readContents);
  } catch (error) {
    throw sessionError(`read session "${sessionId(path)}"`, error);
  }
}

/** Reads an open session file from its start. */
export async function readContents(file: Deno.FsFile): Promise<SessionContents> {
  const records: SessionRecord[] = [];
  const contents: SessionContents = { records, foreign: 0, damaged: 0 };
  await file.seek(0, Deno.SeekMode.Start);
  await eachLine(file, (line) => {
    if (isBlank(line)) return;
    const decoded = decodeLine(line);
    if (!line.ended) {
      const { start, byteLength } = line;
      // A record begins with "{" and ends with its "}": a cut one is never whole.
      contents.tail = { start, byteLength, isWhole: decoded.kind !== "damaged" };
    }
    if (decoded.kind === "record") records.push(decoded.record);
    else if (decoded.kind === "foreign") contents.foreign += 1;
    else if (line.ended) contents.damaged += 1;
  });
  return contents;
}

function decodeLine(line: JsonlLine): ReturnType<typeof decodeRecord> {
  return line.bytes === undefined ? { kind: "damaged" } : decodeRecord(parseLine(line.bytes));
}

function isBlank(line: JsonlLine): boolean {
  return line.ended && line.bytes?.length === 0;
}

/** What was left out, in sentences for the person; empty when everything was read. */
export function omissions(id: string, { foreign, damaged }: SessionContents): readonly string[] {
  const notices: string[] = [];
  if (foreign > 0) {
    notices.push(
      `Session "${id}" holds ${counted(foreign, "record")} of a form that this version does not ` +
        "know; they are left out here and stay in the file",
    );
  }
  if (damaged > 0) {
    notices.push(
      `Session "${id}" holds ${counted(damaged, "damaged line")}; what is readable is here, and ` +
        "nothing was removed from the file",
    );
  }
  return notices;
}
