/** Code fences: which are samples, which hold calls, and what calls they hold. */
import { closesPayload, readItems, readUnit } from "./envelope.ts";
import type { Envelope, Item, Region } from "./grammar.ts";
import { CALL_FENCES, MAYBE_FENCES, RESULT_FENCES } from "./markers.ts";
import type { Reader } from "./reader.ts";

/** A fence's opening line. `call`: holds calls; `maybe`: may hold calls, at the end of a reply. */
export type Fence = {
  start: number;
  bodyStart: number;
  /** The run of characters that opens it. */
  run: string;
  kind: "call" | "maybe" | "result" | "sample";
};

/** What a fence holds. `end` is behind its closing line and the raw blocks after it. */
export type FenceBody = { end: number; items: readonly Item[] };

const OPENING = /(`{3,}|~{3,})[ \t]*([^`\n]*)(\n|$)/y;

/** The fence that opens at `at`; "more" while its first line is not complete. */
export function fenceAt(reader: Reader, at: number): Fence | "more" | undefined {
  const { text } = reader;
  OPENING.lastIndex = at;
  const match = OPENING.exec(text);
  if (match === null) return undefined;
  const [whole, run = "", info = "", lineBreak = ""] = match;
  const isPartial = lineBreak === "" && !reader.isFinal;
  const kind = reader.tools.names.length === 0 ? "sample" : kindOf(info);
  // In the middle of a line a run of backticks opens a fence only if it says that calls are in it.
  if (!reader.source.isLineStart(at)) {
    if (run.startsWith("~")) return undefined;
    if (isPartial) {
      return CALL_FENCES.some((label) => label.startsWith(info.trim())) ? "more" : undefined;
    }
    if (kind !== "call") return undefined;
  }
  if (isPartial) return "more";
  return { start: at, bodyStart: at + whole.length, run, kind };
}

function kindOf(info: string): Fence["kind"] {
  const label = (info.trim().split(/[\s,{]/)[0] ?? "").toLowerCase();
  if (CALL_FENCES.includes(label)) return "call";
  if (RESULT_FENCES.includes(label)) return "result";
  return MAYBE_FENCES.includes(label) && info.trim().toLowerCase() === label ? "maybe" : "sample";
}

/** Where a fence's body ends and where the text goes on; without a closing line both are the end of the text. */
export function closingOf(reader: Reader, fence: Fence, from: number): { at: number; end: number } {
  const line = closingLine(fence);
  line.lastIndex = Math.max(from - 1, 0);
  const match = line.exec(reader.text);
  if (match === null) return { at: reader.text.length, end: reader.text.length };
  return { at: match.index, end: line.lastIndex };
}

/** A line of nothing but the fence's characters, at least as many as opened it. */
export function closingLine(fence: Pick<Fence, "run">): RegExp {
  const char = fence.run.charAt(0);
  return new RegExp(`(?:^|\\n)[ \\t]*${char}{${fence.run.length},}[ \\t]*(?=\\r?\\n|$)`, "g");
}

/** Read the calls of a fence. */
export function readFence(reader: Reader, fence: Fence): FenceBody {
  const start = reader.source.skipBlanks(fence.bodyStart);
  const isMarker = reader.token(start)?.role.kind === "open";
  const { items, end } = isMarker
    ? readMarkers(reader, start)
    : readItems(reader, fence.bodyStart, fenceEnvelope(reader, fence));
  if (items.length === 0) return { items, end: closingOf(reader, fence, fence.bodyStart).end };
  // A closing line that was passed over with the payload is not there any more.
  const isBehind = closesBefore(reader, fence, end);
  return { items, end: isBehind ? end : closingOf(reader, fence, end).end };
}

function readMarkers(reader: Reader, from: number): { items: Item[]; end: number } {
  const items: Item[] = [];
  let at = from;
  for (;;) {
    const next = reader.source.skipBlanks(at);
    const token = reader.token(next);
    if (token?.role.kind !== "open") return { items, end: at };
    const unit = readUnit(reader, { ...token, role: token.role });
    if (unit === undefined) return { items, end: at };
    items.push(...unit.items);
    at = unit.end;
  }
}

function fenceEnvelope(reader: Reader, fence: Fence): Envelope {
  return {
    kind: "fence",
    closes: (at) => closesPayload(reader, at),
    region(at) {
      // A raw block behind the fence has no other end than its own tag, or the next fence with a call.
      if (closesBefore(reader, fence, at)) {
        return { end: nextCallFence(reader, at), isClosed: false };
      }
      if (reader.text.charAt(at) === "<") return lastClosing(reader, fence, at);
      const closing = closingOf(reader, fence, at);
      return { end: closing.at, isClosed: closing.end > closing.at };
    },
  };
}

/** Whether the fence's closing line is the last thing before `at`. */
function closesBefore(reader: Reader, fence: Fence, at: number): boolean {
  const to = reader.source.skipBlanksBack(at, fence.bodyStart);
  const lineStart = reader.text.lastIndexOf("\n", to - 1);
  const line = reader.text.slice(Math.max(lineStart, fence.bodyStart - 1), to);
  return lineStart >= fence.bodyStart - 1 && closingLine(fence).test(line);
}

/** A body inside a fence may hold fences: the fence's own closing line is the last one. */
function lastClosing(reader: Reader, fence: Fence, from: number): Region {
  const end = nextCallFence(reader, from);
  const line = closingLine(fence);
  line.lastIndex = from;
  let last: number | undefined;
  const text = reader.text.slice(0, end);
  for (let match = line.exec(text); match !== null; match = line.exec(text)) last = match.index;
  return last === undefined ? { end, isClosed: false } : { end: last, isClosed: true };
}

function nextCallFence(reader: Reader, from: number): number {
  const opening = new RegExp(
    `\\n[ \\t]*(?:\`{3,}|~{3,})(?:${CALL_FENCES.join("|")})[ \\t]*\\r?\\n`,
    "gi",
  );
  opening.lastIndex = from;
  return opening.exec(reader.text)?.index ?? reader.text.length;
}
