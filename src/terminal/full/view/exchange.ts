/** What frames an exchange: the rule with the time, what the person said, notices, errors, and what commands printed. */
import { localClock, localMinute } from "@/lib/local_time.ts";
import { visible } from "@/lib/visible.ts";
import { expandTabs } from "@/lib/width.ts";
import { wrapColumns, wrapText } from "@/lib/wrap.ts";
import { PROSE_CELLS_MAX } from "../prose_width.ts";
import { count, GUTTER } from "./gutter.ts";
import type { EventItem, PrintedItem, YouItem } from "./item.ts";
import { MARK, type Registers } from "./registers.ts";
import { prefixed, shownLine, shownLines } from "./shown.ts";

export type LineOptions = { columns: number; look: Registers };

/** Cells that prose takes at most. */
/** A longer message is known to the person who pasted it. */
const SAID_LINES_MAX = 30;
const EVENT_LINES_MAX = 4;

/** The thin rule that parts two exchanges, with the time; with the day too when it is another one. */
export function rule({ at }: YouItem, { look, today }: { look: Registers; today: Date }): string {
  const dashes = `${MARK.line}${MARK.line}`;
  return look.ink("rule")(at === undefined ? dashes : `${dashes} ${timeOf(at, today)}`);
}

/** What the person said, in the margin. */
export function saidLines(
  { text, attached }: YouItem,
  { columns, look, saidLinesMax = SAID_LINES_MAX }: LineOptions & { saidLinesMax?: number },
): string[] {
  const lines = shownLines(text.replace(/(?<!\s)\s+$/, ""));
  const shown = lines.slice(0, saidLinesMax);
  const more = lines.length - shown.length;
  const width = Math.min(columns - 1, PROSE_CELLS_MAX) - 2;
  const rows = shown.flatMap((line) => wrapText(line, width));
  return [
    ...prefixed(rows.length === 0 ? [""] : rows, `${MARK.you} `, "  ").map(look.you),
    ...(more > 0 ? [look.dim(`  ${MARK.more} ${count(more)} more (ctrl+o)`)] : []),
    ...attached.map((what) => look.dim(`  + ${shownLine(what)}`)),
  ];
}

/** A notice. Of a long one the first lines, unless more are asked for. */
export function eventLines(
  { text, isWarning, isWhole }: Omit<EventItem, "kind">,
  options: LineOptions & { eventLinesMax?: number },
): string[] {
  const { look, eventLinesMax = isWhole === true ? Infinity : EVENT_LINES_MAX } = options;
  const all = shownText(text).split("\n");
  const more = all.length - eventLinesMax;
  const shown = more <= 0
    ? all
    : [...all.slice(0, eventLinesMax), `${MARK.more} ${count(more)} more (ctrl+o)`];
  const word = isWarning === true ? "warning: " : "";
  const rows = proseRows(`${word}${shown.join("\n")}`, { ...options, indent: 6 });
  const lines = prefixed(rows, `    ${MARK.event} `, "      ");
  return isWarning === true ? lines : lines.map(look.ink("event"));
}

/** What failed. Without colour a word says that it is an error. */
export function errorLines(text: string, options: LineOptions): string[] {
  const word = options.look.isColored ? "" : "error: ";
  // As few rows as the window allows: what failed is one line where it can be.
  const width = options.columns - 1 - 2;
  const rows = `${word}${shownText(text)}`.split("\n").flatMap((line) => wrapText(line, width));
  return prefixed(rows, `${MARK.failed} `, "  ").map(options.look.error);
}

/** What a command of the person printed, whole. */
export function printedText({ text }: Pick<PrintedItem, "text">, options: LineOptions): string[] {
  const width = options.columns - 1 - GUTTER.length;
  const rows = shownLines(text.replace(/(?<!\n)\n+$/, "")).flatMap((line) =>
    wrapColumns(line, width)
  );
  return prefixed(rows, options.look.ink("result")(GUTTER));
}

/** A text as it is, only made visible. */
export function sourceLines(text: string): string[] {
  return visible(text.replaceAll(/(?<!\r)\r+\n/g, "\n").replace(/(?<!\n)\n+$/, "")).split("\n");
}

function proseRows(text: string, { columns, indent }: LineOptions & { indent: number }): string[] {
  const width = Math.min(columns - 1, PROSE_CELLS_MAX + indent) - indent;
  return text.split("\n").flatMap((line) => wrapText(line, width));
}

function shownText(text: string): string {
  return text.trim().split(/(?<!\r)\r*\n/).map((line) => visible(expandTabs(line))).join("\n");
}

function timeOf(at: Date, today: Date): string {
  return at.toDateString() === today.toDateString() ? localClock(at) : localMinute(at);
}
