/**
 * A session in short, read from its file without parsing what does not matter for that: most bytes of a session are
 * tool results, and a list must not cost as much as opening everything in it.
 */
import type { SessionRecord } from "@/protocol/session.ts";
import { eachLine, type JsonlLine, parseLine } from "@/lib/jsonl.ts";
import { type SessionSummary, SUMMARY_TYPES, SummaryFold } from "@/session/fold.ts";
import { decodeRecord } from "@/session/decode.ts";

/** Lines are written with these fields first, so that their start says what they are. */
const START = /^\{"v":1,"at":"([^"\\]{1,40})","event":\{"type":"(\w{1,40})"/;
const START_BYTES_MAX = 160;
const PERSON_MESSAGE = /"message":\{"role":"user"/;

/** Holds the start of the last record of nearly every session. */
const END_BYTES = 8 * 1024;

/** How far into a file its first `session` event is looked for: notices may come before it, for as long as nothing is said. */
const UID_LINES_MAX = 10_000;

// Not latin1, whose decoder takes twice as long in Deno 2.9.6; a character cut at the end does no harm here.
const decoder = new TextDecoder();

/** The summary of the session in an open file. */
export async function scanSummary(file: Deno.FsFile): Promise<SessionSummary> {
  const fold = new SummaryFold();
  await eachLine(file, (line) => see(fold, line));
  return fold.summary();
}

function see(fold: SummaryFold, { bytes, ended }: JsonlLine): void {
  if (bytes === undefined) return;
  const start = decoder.decode(bytes.subarray(0, START_BYTES_MAX));
  const [, at, type] = START.exec(start) ?? [];
  if (ended && at !== undefined && type !== undefined && !matters(type, start, fold)) {
    fold.see(at);
    return;
  }
  const record = recordOf(bytes);
  if (record !== undefined) fold.add(record);
}

function matters(type: string, start: string, fold: SummaryFold): boolean {
  if (type === "message") return fold.wantsText && PERSON_MESSAGE.test(start);
  return SUMMARY_TYPES.has(type);
}

/** The time of the last record in an open file, mostly from its last bytes alone; empty when it has none. */
export async function scanUpdatedAt(file: Deno.FsFile, size: number): Promise<string> {
  const end = new Uint8Array(Math.min(size, END_BYTES));
  await file.seek(size - end.length, Deno.SeekMode.Start);
  const count = await file.read(end) ?? 0;
  const lines = decoder.decode(end.subarray(0, count)).split("\n");
  // The first piece may be the middle of a line; each one behind it starts where a line does.
  for (const line of lines.slice(1).reverse()) {
    const [, at] = START.exec(line) ?? [];
    if (at !== undefined) return at;
  }
  await file.seek(0, Deno.SeekMode.Start);
  return (await scanSummary(file)).updatedAt;
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
  const [, , type] = START.exec(decoder.decode(bytes.subarray(0, START_BYTES_MAX))) ?? [];
  return type === undefined ? recordOf(bytes)?.event.type === "session" : type === "session";
}

/** Whether a line begins a turn. */
export function beginsTurn({ bytes }: JsonlLine, turn: number): boolean {
  if (bytes === undefined) return false;
  const [, , type] = START.exec(decoder.decode(bytes.subarray(0, START_BYTES_MAX))) ?? [];
  if (type !== undefined && type !== "turn_start") return false;
  const event = recordOf(bytes)?.event;
  return event?.type === "turn_start" && event.turn === turn;
}

function recordOf(bytes: Uint8Array): SessionRecord | undefined {
  const decoded = decodeRecord(parseLine(bytes));
  return decoded.kind === "record" ? decoded.record : undefined;
}
