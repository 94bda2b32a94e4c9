/**
 * A session in short, read from its file without parsing what does not matter for that: most bytes of a session are
 * tool results, and a list must not cost as much as opening everything in it.
 */
import type { SessionRecord } from "@/protocol/session.ts";
import { eachLine, type JsonlLine, parseLine } from "@/lib/jsonl.ts";
import { type SessionSummary, SUMMARY_TYPES, SummaryFold } from "@/session/fold.ts";
import { decodeRecord } from "@/session/record.ts";

/** Lines are written with these fields first, so that their start says what they are. */
const START = /^\{"v":1,"at":"([^"\\]{1,40})","event":\{"type":"(\w{1,40})"/;
const START_BYTES_MAX = 160;
const PERSON_MESSAGE = /"message":\{"role":"user"/;

/** How far into a file its first `session` event is looked for. */
const UID_LINES_MAX = 100;

const latin1 = new TextDecoder("latin1");

/** The summary of the session in an open file. */
export async function scanSummary(file: Deno.FsFile): Promise<SessionSummary> {
  const fold = new SummaryFold();
  await eachLine(file, (line) => {
    const { bytes } = line;
    if (bytes === undefined) return;
    const start = latin1.decode(bytes.subarray(0, START_BYTES_MAX));
    const [, at, type] = START.exec(start) ?? [];
    if (line.ended && at !== undefined && type !== undefined && !matters(type, start, fold)) {
      fold.see(at);
      return;
    }
    const record = recordOf(bytes);
    if (record !== undefined) fold.add(record);
  });
  return fold.summary();
}

function matters(type: string, start: string, fold: SummaryFold): boolean {
  if (type === "message") return fold.wantsText && PERSON_MESSAGE.test(start);
  return SUMMARY_TYPES.has(type);
}

/** The uid that the session in an open file was created with; undefined when its start says none. */
export async function readUid(file: Deno.FsFile): Promise<string | undefined> {
  let uid: string | undefined;
  let lines = 0;
  await eachLine(file, (line: JsonlLine) => {
    lines += 1;
    const event = line.bytes === undefined ? undefined : recordOf(line.bytes)?.event;
    if (event?.type === "session") uid = event.uid;
    return uid === undefined && lines < UID_LINES_MAX;
  });
  return uid;
}

/** Whether a line says which session this is. */
export function isSessionLine({ bytes }: JsonlLine): boolean {
  if (bytes === undefined) return false;
  const [, , type] = START.exec(latin1.decode(bytes.subarray(0, START_BYTES_MAX))) ?? [];
  return type === undefined ? recordOf(bytes)?.event.type === "session" : type === "session";
}

function recordOf(bytes: Uint8Array): SessionRecord | undefined {
  const decoded = decodeRecord(parseLine(bytes));
  return decoded.kind === "record" ? decoded.record : undefined;
}
