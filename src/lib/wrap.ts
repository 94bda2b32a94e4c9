/**
 * Where a line may be broken: Latin and Korean between words, Han and Kana between characters, never before closing
 * punctuation and never after an opening one. A word that is longer than the row is cut.
 */
import { graphemes, graphemeWidth, textWidth } from "./width.ts";

/** One character of a line. `at` is its offset in the text; `width` its cells. */
export type Cell = { text: string; width: number; at: number };

/** Cells of one row: from `start` up to `end`. Blanks at the end of a row may stand beyond its width. */
export type Row = { start: number; end: number };

/** A style sequence of our own, in front of the cell `before`. */
type Style = { sequence: string; before: number };

/**
 * What a character is for breaking. "ideograph" may be parted from its neighbours (Han, Kana, pictures), "closing" does
 * not begin a row, "opening" does not end one.
 */
type Kind = "letter" | "blank" | "ideograph" | "closing" | "opening" | "hyphen";

const STYLE = /\x1b(?:\[[0-9;:]*m|\]8;[^\x07\x1b]*(?:\x07|\x1b\\))/g;
/** How far a cut goes back so that the next row does not begin with closing punctuation. */
const BACK_MAX = 3;

const kinds = new Map<string, Kind>();
const KINDS_MAX = 4_096;

/** The cells of a text without styles. */
export function cellsOf(text: string): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (const grapheme of graphemes(text)) {
    cells.push({ text: grapheme, width: graphemeWidth(grapheme), at });
    at += grapheme.length;
  }
  return cells;
}

/** Break a line into rows of at most `width` cells. There is always at least one row. */
export function breakRows(cells: readonly Cell[], width: number): Row[] {
  const rows: Row[] = [];
  let [start, used, chance] = [0, 0, 0];
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    if (cell === undefined) break;
    if (at > start && mayBreak(cells, at)) chance = at;
    // Blanks hang over the edge. After a break at an earlier chance the rest may still be too wide for a row of its own.
    while (at > start && used + cell.width > width && kindOf(cell.text) !== "blank") {
      const end = chance > start ? chance : cutAt(cells, start, at);
      rows.push({ start, end });
      start = end;
      used = widthOf(cells, start, at);
    }
    used += cell.width;
  }
  rows.push({ start, end: cells.length });
  return rows;
}

/** Wrap a text of any number of lines. Styles go on in the next row; blanks at the end of a row are left out. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(1, width)));
}

/** With less room than this beside its first column, a line goes on below it. */
const BESIDE_CELLS_MIN = 24;

/** Wrap a line without styles. Of one in columns, what follows the first column goes on under itself. */
export function wrapColumns(line: string, width: number): string[] {
  const [first = ""] = textWidth(line) <= width ? [] : FIRST_COLUMN.exec(line) ?? [];
  const indent = textWidth(first);
  if (indent === 0 || width - indent < BESIDE_CELLS_MIN) return wrapText(line, width);
  return wrapText(line.slice(first.length), width - indent)
    .map((row, at) => `${at === 0 ? first : " ".repeat(indent)}${row}`);
}

const FIRST_COLUMN = /^ *\S+(?: \S+)* {2,}(?=\S)/;

function wrapLine(line: string, width: number): string[] {
  const { cells, styles } = styledCells(line);
  const rows = breakRows(cells, width);
  const active: string[] = [];
  let next = 0;
  return rows.map(({ start, end }, index) => {
    const isLast = index === rows.length - 1;
    let row = active.join("");
    let keep = end;
    while (!isLast && keep > start && kindOf(cells[keep - 1]?.text ?? "") === "blank") keep--;
    for (let at = start; at <= end; at++) {
      while (next < styles.length && (styles[next]?.before ?? 0) <= at && (at < end || isLast)) {
        const { sequence } = styles[next] ?? { sequence: "" };
        row += sequence;
        note(active, sequence);
        next++;
      }
      if (at < keep) row += cells[at]?.text ?? "";
    }
    return active.length > 0 ? row + closing(active) : row;
  });
}

function styledCells(line: string): { cells: Cell[]; styles: Style[] } {
  if (!line.includes("\x1b")) return { cells: cellsOf(line), styles: [] };
  const cells: Cell[] = [];
  const styles: Style[] = [];
  let at = 0;
  for (const match of line.matchAll(STYLE)) {
    cells.push(...cellsOf(line.slice(at, match.index)));
    styles.push({ sequence: match[0], before: cells.length });
    at = match.index + match[0].length;
  }
  cells.push(...cellsOf(line.slice(at)));
  return { cells, styles };
}

/** Keep in mind which styles are on: a reset ends all of them, an empty hyperlink ends the link. */
function note(active: string[], sequence: string): void {
  if (/^\x1b\[0*m$/.test(sequence)) {
    const links = active.filter((one) => one.startsWith("\x1b]"));
    active.splice(0, active.length, ...links);
  } else if (sequence.startsWith("\x1b]")) {
    const others = active.filter((one) => !one.startsWith("\x1b]"));
    const isEnd = /^\x1b\]8;[^;]*;(?:\x07|\x1b\\)$/.test(sequence);
    active.splice(0, active.length, ...others, ...(isEnd ? [] : [sequence]));
  } else {
    active.push(sequence);
  }
}

function closing(active: readonly string[]): string {
  const link = active.some((one) => one.startsWith("\x1b]")) ? "\x1b]8;;\x1b\\" : "";
  return active.some((one) => one.startsWith("\x1b[")) ? `${link}\x1b[0m` : link;
}

/** Whether the line may be broken in front of this cell. */
function mayBreak(cells: readonly Cell[], at: number): boolean {
  const before = kindOf(cells[at - 1]?.text ?? "");
  const after = kindOf(cells[at]?.text ?? "");
  if (after === "blank") return false;
  if (before === "blank") return true;
  if (after === "closing" || before === "opening") return false;
  if (before === "ideograph" || after === "ideograph") return true;
  // After punctuation of an ideographic text: "、x"; not in "3.14" or "a:b".
  if (before === "closing") return (cells[at - 1]?.width ?? 1) === 2;
  return before === "hyphen" && after === "letter" && at >= 2 &&
    kindOf(cells[at - 2]?.text ?? "") === "letter";
}

/** Where a word that does not fit is cut: at the edge, or before it when closing punctuation would begin a row. */
function cutAt(cells: readonly Cell[], start: number, edge: number): number {
  let at = edge;
  while (
    at - 1 > start && edge - at < BACK_MAX &&
    (kindOf(cells[at]?.text ?? "") === "closing" ||
      kindOf(cells[at - 1]?.text ?? "") === "opening")
  ) at--;
  return kindOf(cells[at]?.text ?? "") === "closing" ? edge : at;
}

function widthOf(cells: readonly Cell[], start: number, end: number): number {
  let width = 0;
  for (let at = start; at < end; at++) width += cells[at]?.width ?? 0;
  return width;
}

function kindOf(grapheme: string): Kind {
  const before = kinds.get(grapheme);
  if (before !== undefined) return before;
  const kind = classified(grapheme);
  if (kinds.size >= KINDS_MAX) kinds.clear();
  kinds.set(grapheme, kind);
  return kind;
}

/** Made when they are first needed: the tables of Unicode behind them take 15 to 30 ms. */
let classes: ReturnType<typeof makeClasses> | undefined;

function makeClasses() {
  return {
    blank: /^[[\t\p{Zs}]--[\u00a0\u202f\u2007]]/v,
    /** Closing brackets and quotes, full stops and their like, small kana, and what lengthens or repeats the one before. */
    closing:
      /^[\p{Pe}\p{Pf}!?.,:;%…‥·、。，．・：；！？％‰°′″ーゝゞヽヾ々〻～〜ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶｧ-ｯｰ｡､･]/u,
    opening: /^[\p{Ps}\p{Pi}$￥＄£€₩]/u,
    ideograph:
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60\u{1f1e6}-\u{1f1ff}]/u,
  };
}

const ASCII_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^[ \t]/, "blank"],
  [/^-/, "hyphen"],
  [/^[!?.,:;%)\]}]/, "closing"],
  [/^[([{$]/, "opening"],
  [/^[\x21-\x7e]/, "letter"],
];

function classified(grapheme: string): Kind {
  const ascii = ASCII_KINDS.find(([form]) => form.test(grapheme));
  if (ascii !== undefined) return ascii[1];
  if (grapheme === "‐") return "hyphen";
  const { blank, closing, opening, ideograph } = classes ??= makeClasses();
  if (blank.test(grapheme)) return "blank";
  if (closing.test(grapheme)) return "closing";
  if (opening.test(grapheme)) return "opening";
  if (/^[©®]/.test(grapheme)) return "letter";
  return ideograph.test(grapheme) ? "ideograph" : "letter";
}
