/** An input as rows of a terminal: where each stretch of the text stands, and where the caret is. */
import type { Cell, Row } from "@/lib/wrap.ts";
import { breakRows } from "@/lib/wrap.ts";
import { graphemes, textWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Pastes } from "./text_buffer.ts";

/** One row: its text as drawn, and its cells with their offsets in the input. */
export type InputRow = { text: string; cells: readonly Cell[]; start: number; end: number };

/** A place on the rows. */
export type Caret = { row: number; column: number };

/** What a tab of the input is drawn as; its own width would depend on where it stands. */
const TAB = "    ";

/** Lay an input out at a width of cells. There is always at least one row. */
export function layOut(text: string, pastes: Pastes, width: number): InputRow[] {
  const rows: InputRow[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const cells = cellsOfLine(line, pastes, offset);
    for (const { start, end } of breakRows(cells, width)) {
      rows.push(rowOf(cells, { start, end }, offset + line.length));
    }
    offset += line.length + 1;
  }
  return rows;
}

/** Where an offset of the input stands. At a break it stands at the start of the next row. */
export function caretOf(rows: readonly InputRow[], offset: number, width: number): Caret {
  let row = rows.findIndex(({ start, end }) => offset >= start && offset < end);
  if (row === -1) row = rows.findLastIndex(({ start, end }) => offset >= start && offset <= end);
  const { cells } = rows[row] ?? { cells: [] };
  let column = 0;
  for (const cell of cells) if (cell.at < offset) column += cell.width;
  return { row: Math.max(0, row), column: Math.min(column, width) };
}

/** The offset nearest to a column of a row. */
export function offsetAt({ cells, start, end }: InputRow, column: number, isLast: boolean): number {
  let at = 0;
  for (const cell of cells) {
    if (at + cell.width > column) return cell.at;
    at += cell.width;
  }
  // The end of a row that goes on in the next one belongs to the next one.
  return isLast || cells.length === 0 ? end : cells.at(-1)?.at ?? start;
}

function rowOf(cells: readonly Cell[], { start, end }: Row, lineEnd: number): InputRow {
  const own = cells.slice(start, end);
  return {
    text: own.map((cell) => cell.text).join(""),
    cells: own,
    start: cells[start]?.at ?? lineEnd,
    end: cells[end]?.at ?? lineEnd,
  };
}

/** How single characters are drawn: a text uses few different ones, and each key lays its line out anew. */
const drawnBefore = new Map<string, { text: string; width: number }>();
const DRAWN_MAX = 4_096;

function cellsOfLine(line: string, pastes: Pastes, offset: number): Cell[] {
  const cells: Cell[] = [];
  let at = offset;
  for (const grapheme of graphemes(line)) {
    cells.push({ ...pasteCell(grapheme, pastes) ?? drawn(grapheme), at });
    at += grapheme.length;
  }
  return cells;
}

function pasteCell(grapheme: string, pastes: Pastes): { text: string; width: number } | undefined {
  if (pastes.size === 0) return undefined;
  const [first = ""] = grapheme;
  const paste = pastes.get(first);
  if (paste === undefined) return undefined;
  const text = paste.label + visible(grapheme.slice(first.length));
  return { text, width: textWidth(text) };
}

function drawn(grapheme: string): { text: string; width: number } {
  const before = drawnBefore.get(grapheme);
  if (before !== undefined) return before;
  const text = grapheme === "\t" ? TAB : visible(grapheme, { oneLine: true });
  const made = { text, width: textWidth(text) };
  if (drawnBefore.size >= DRAWN_MAX) drawnBefore.clear();
  drawnBefore.set(grapheme, made);
  return made;
}
