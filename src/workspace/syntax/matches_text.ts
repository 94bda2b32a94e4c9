/** What the model reads of the matches of a query. */
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import type { Capture, QueryFound } from "@/workers/syntax/answer.ts";
import type { Row } from "../hashline.ts";
import { rowsBetween } from "./found_rows.ts";

/** Lines shown of one match, with one line before and after. */
const LINES_MAX = 11;
/** All of it, in characters. */
const TEXT_CHARS_MAX = 12_000;
const CAPTURE_CHARS_MAX = 80;

/** The text, and the rows that it shows whole. */
export function matchesText(
  { matches, total, more }: QueryFound,
  { where, texts }: { where: string; texts: readonly string[] },
): { text: string; shown: Row[]; count: number } {
  const all = `${more ? "At least " : ""}${counted(total, "match", "matches")}`;
  if (matches.length === 0) return { text: `No match in ${where}`, shown: [], count: 0 };
  const blocks: string[] = [];
  const shown: Row[] = [];
  let chars = 0;
  for (const captures of matches) {
    const block = blockOf(captures, texts);
    chars += block.text.length + 1;
    if (chars > TEXT_CHARS_MAX && blocks.length > 0) break;
    blocks.push(block.text);
    shown.push(...block.shown);
  }
  const clipped = blocks.length < total ? `; the first ${blocks.length} are shown` : "";
  return { text: [`${all} in ${where}${clipped}`, ...blocks].join("\n"), shown, count: total };
}

function blockOf(captures: readonly Capture[], texts: readonly string[]) {
  const first = Math.min(...captures.map(({ line }) => line));
  const last = Math.max(...captures.map(({ endLine }) => endLine));
  const from = Math.max(1, first - 1);
  const to = Math.min(texts.length, last + 1, from + LINES_MAX - 1);
  const rows = rowsBetween(texts, from, to);
  const left = last - to;
  const head = captures.map((capture) => captureText(capture, captures.length > 1)).join(", ");
  const rest = left > 0 ? `\n  (${counted(left, "more line")}, to line ${last})` : "";
  return { text: `${head}\n${rows.text}${rest}`, shown: rows.shown };
}

function captureText({ name, type, text, line, column, endLine }: Capture, isOneOfMany: boolean) {
  const where = `@${name} ${type} ${line}:${column}${endLine > line ? `-${endLine}` : ""}`;
  const isShort = isOneOfMany && endLine === line;
  return isShort ? `${where} ${JSON.stringify(clipEnd(text, CAPTURE_CHARS_MAX))}` : where;
}
