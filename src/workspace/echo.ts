/** The neighbourhood of an edit, handed back as rows, so that the next edit needs no new read. */
import { boundedRow, type Row } from "./hashline.ts";

/** Lines `from` to `to` as they are numbered after the edit; `to < from` marks a place where lines were deleted. */
export type Changed = { from: number; to: number };

export type Echo = { text: string; shown: readonly Row[] };

const CONTEXT_LINES = 5;
const ROWS_MAX = 60;
/** A longer line is cut, and then has no anchor. */
const ECHO_LINE_CHARS_MAX = 400;

/** Windows of lines around what changed: five lines either side, joined where they overlap or touch. */
export function echoWindows(
  changed: readonly Changed[],
  lineCount: number,
  contextLines = CONTEXT_LINES,
): [number, number][] {
  const windows: [number, number][] = [];
  for (const { from, to } of changed) {
    const first = Math.max(1, from - contextLines);
    const last = Math.min(lineCount, Math.max(to, from - 1) + contextLines);
    const previous = windows.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], last);
    } else {
      windows.push([first, last]);
    }
  }
  return windows;
}

/** Rows of the windows, indented by two blanks, at most sixty of them. */
export function echo(
  texts: readonly string[],
  windows: readonly (readonly [number, number])[],
): Echo {
  const out: string[] = [];
  const shown: Row[] = [];
  let rows = 0;
  for (const [index, [from, to]] of windows.entries()) {
    if (rows >= ROWS_MAX) {
      out.push(
        `  … (rows from line ${from} on are left out; read_file with start=${from} shows them)`,
      );
      break;
    }
    if (index > 0) out.push("  …");
    const last = Math.min(to, from + ROWS_MAX - rows - 1);
    for (let line = from; line <= last; line += 1) {
      const each = { line, text: texts[line - 1] ?? "" };
      out.push(`  ${boundedRow(each, ECHO_LINE_CHARS_MAX)}`);
      if (each.text.length <= ECHO_LINE_CHARS_MAX) shown.push(each);
      rows += 1;
    }
    if (last < to) {
      out.push(`  … (${to - last} more rows; read_file with start=${last + 1} shows them)`);
      break;
    }
  }
  return { text: out.join("\n"), shown };
}
