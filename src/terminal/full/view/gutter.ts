/** What was printed, down a gutter of its own: the beginning of it, or the end where something failed. */
import { cutToWidth } from "@/lib/width.ts";
import type { Registers } from "./registers.ts";

/** Lines of one printed text that stand in the transcript; the others are a key away. */
export const PRINTED_LINES_MAX = 12;
/** A line takes so many rows at most. */
const ROWS_A_LINE_MAX = 3;
export const GUTTER = "  │ ";

export type GutterOptions = {
  columns: number;
  look: Registers;
  /** Which end is shown when there is more. */
  keep: "start" | "end";
  linesMax?: number;
};

/** The lines in the gutter. They are not wrapped: a line that is copied is one line. */
export function gutterLines(lines: readonly string[], options: GutterOptions): string[] {
  const { columns, look, keep, linesMax = PRINTED_LINES_MAX } = options;
  const gutter = look.ink("result")(GUTTER);
  const widthMax = columns * ROWS_A_LINE_MAX - GUTTER.length - 1;
  const row = (line: string) => `${gutter}${cutToWidth(line, widthMax)}`.trimEnd();
  if (lines.length <= linesMax) return lines.map(row);
  const more = lines.length - linesMax;
  const note = (where: string) =>
    look.ink("result")(`${GUTTER}… ${count(more)} more${where} (ctrl+o)`);
  return keep === "start"
    ? [...lines.slice(0, linesMax).map(row), note("")]
    : [note(" above"), ...lines.slice(-linesMax).map(row)];
}

/** A number as people write it. The system's own way to write one takes 20 ms to load. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
