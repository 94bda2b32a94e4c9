/**
 * The screen: what is finished goes to the terminal's own scrollback and is never touched again; below it stands a short
 * tail that is redrawn. Everything is relative to the cursor: no clearing of the screen, no scroll regions, no absolute
 * rows. One write a frame, inside a synchronised update (mode 2026; terminals without it ignore it).
 */
import { textWidth } from "@/lib/width.ts";
import { guarded } from "./guard.ts";
import { heightOfAll, hiddenOf, NOTHING_HIDDEN, withHidden } from "./hidden.ts";

/** Where the caret stands in the tail, in rows from its top and cells from the left. */
export type Place = { row: number; column: number };

/** The tail as it is to be: rows shorter than the window, and the caret; none hides the cursor. */
export type Tail = { rows: readonly string[]; caret: Place | undefined };

export type Size = { columns: number; rows: number };

const BEGIN = "\x1b[?2026h\x1b[?25l";
const END = "\x1b[?2026l";
const SHOW = "\x1b[?25h";
/**
 * A row of the tail that is wider than we think (terminals differ about emoji) is cut by the terminal at the edge. If it
 * wrapped, the count of rows would be wrong from there on.
 */
const WRAP_OFF = "\x1b[?7l";
const WRAP_ON = "\x1b[?7h";
const ERASE_ROW = "\x1b[2K";
/**
 * From the cursor's row on. tmux 3.3a takes "erase below" in the first cell of the screen for a clear and moves everything
 * into the scrollback, so it is said in the second cell.
 */
const ERASE_BELOW = "\x1b[2K\x1b[C\x1b[J\r";

const EMPTY: Tail = { rows: [], caret: undefined };

/**
 * A row of the tail that is wrapped when the window gets narrower pushes a row at the top of the screen into the
 * scrollback, although there is room at the bottom (tmux 3.3a). A tail that stands at the very top would go there itself,
 * out of reach: after a resize it keeps this distance, with empty rows that the next finished line takes the place of.
 */
const MARGIN_ROWS = 6;

/** What is known about the screen after a resize. */
export type Resized = {
  /** Where the cursor is; undefined when the terminal does not say. */
  cursor?: Place | undefined;
  /** The tail was drawn when the window already had its new width: its rows were cut and not wrapped. */
  isCut?: boolean;
  /** The terminal moves the cursor down for rows below it that are wrapped. */
  shiftsCursor?: boolean;
};

/** Draws on one terminal. Nobody else writes to it. */
export class Frame {
  readonly #write: (text: string) => void;
  #finished = "";
  #drawn: Tail = EMPTY;
  /** The row of the tail on which the cursor was left. */
  #row = 0;
  /** Empty rows above the tail, a part of it. */
  #filler = 0;
  /** Rows of earlier tails right above this one. */
  #hidden = NOTHING_HIDDEN;
  /** Whether the tail that is on the screen has to be drawn anew. */
  #isStale = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Whole lines for the scrollback, written with the next frame. */
  commit(text: string): void {
    this.#finished += text;
  }

  get hasFinished(): boolean {
    return this.#finished !== "";
  }

  /** Rows of the tail that are on the screen. */
  get height(): number {
    return this.#drawn.rows.length;
  }

  /**
   * Bring the screen to this tail, with what was finished above it, in whole lines and about so many characters. Writes
   * nothing when nothing changed.
   */
  draw(tail: Tail, finishedCharsMax = Infinity): void {
    if (this.#finished !== "") this.#filler = 0;
    const filler = Array.from({ length: this.#filler }, () => "");
    const own = tail.rows.length === 0 ? [""] : tail.rows.map((row) => guarded(row));
    const rows = [...filler, ...own];
    const caret = tail.caret === undefined
      ? undefined
      : { row: tail.caret.row + this.#filler, column: tail.caret.column };
    const next = { rows, caret };
    const isSame = this.#finished === "" && !this.#isStale && isEqual(next, this.#drawn);
    if (isSame) return;
    const isWhole = this.#finished !== "" || this.#isStale || this.height === 0;
    const body = isWhole ? this.#whole(rows, finishedCharsMax) : this.#changes(rows);
    this.#drawn = next;
    this.#write(BEGIN + body + this.#place(caret) + END);
  }

  /** Take the tail off the screen; the cursor stands where it began. What was finished is written first. */
  clear(): void {
    const lines = asLines(this.#finished);
    this.#finished = "";
    this.#write(BEGIN + this.#toTop() + ERASE_BELOW + lines + SHOW + END);
    this.#nothingDrawn();
  }

  /** Draw the whole tail anew with the next frame, over whatever stands there. */
  redraw(): void {
    this.#isStale = true;
  }

  /**
   * The window has another size now, and the terminal has wrapped anew what it holds: find out how far the top of the
   * tail is above the cursor. tmux wraps the row of the cursor as well, xterm.js 6 cuts it; where the cursor is now tells.
   */
  resized({ columns, rows: height }: Size, known: Resized = {}): void {
    const { cursor, isCut = false, shiftsCursor = false } = known;
    const width = Math.max(1, columns);
    const { rows, caret } = this.#drawn;
    const hidden = cursor === undefined ? NOTHING_HIDDEN : this.#hidden;
    // How much of a row was cut is not known: it takes one row at least.
    const cells = rows.map((row) => isCut ? 0 : textWidth(row));
    const column = caret?.column ?? 0;
    const isRowCut = isCut || (cursor !== undefined && cursor.column !== column % width);
    const below = shiftsCursor ? cells.slice(this.#row + 1) : [];
    const shift = heightOfAll(below, width) - below.length;
    const standing = withHidden(hidden, cells.slice(0, this.#row), rows[0] === "");
    this.#row = heightOfAll(standing, width) + (isRowCut ? 0 : Math.floor(column / width)) + shift;
    this.#isStale = true;
    this.#hidden = NOTHING_HIDDEN;
    if (cursor === undefined) return;
    // What of the tail is pushed out of sight cannot be reached; a window that gets larger again brings it back.
    const outOfSight = Math.max(0, this.#row - cursor.row);
    this.#row -= outOfSight;
    this.#hidden = hiddenOf(standing, outOfSight, width);
    const free = height - 1 - (rows.length - this.#filler);
    this.#filler = Math.max(0, Math.min(MARGIN_ROWS - (cursor.row - this.#row), free));
  }

  /** The cursor was put onto a fresh line by somebody else: nothing of the tail is on the screen any more. */
  forget(): void {
    this.#nothingDrawn();
    this.#isStale = true;
  }

  #nothingDrawn(): void {
    this.#drawn = EMPTY;
    this.#row = 0;
    this.#filler = 0;
    this.#hidden = NOTHING_HIDDEN;
  }

  #whole(rows: readonly string[], finishedCharsMax: number): string {
    const end = endOfLines(this.#finished, finishedCharsMax);
    const lines = asLines(this.#finished.slice(0, end));
    const top = this.#toTop();
    this.#finished = this.#finished.slice(end);
    if (end > 0) this.#hidden = NOTHING_HIDDEN;
    this.#isStale = false;
    this.#row = rows.length - 1;
    return `${top}${ERASE_BELOW}${lines}${WRAP_OFF}${rows.join("\r\n")}${WRAP_ON}`;
  }

  /** Only the rows that differ. */
  #changes(rows: readonly string[]): string {
    const before = this.#drawn.rows;
    let out = "";
    rows.forEach((row, at) => {
      if (at < before.length && before[at] === row) return;
      // A row that is not there yet is made by a line feed, which scrolls where a movement would stop.
      out += at < before.length ? this.#toRow(at) : `${this.#toRow(at - 1)}\r\n`;
      this.#row = at;
      out += `${ERASE_ROW}${WRAP_OFF}${row}${WRAP_ON}`;
    });
    if (rows.length < before.length) {
      out += this.#toRow(rows.length) + ERASE_BELOW;
    }
    return out;
  }

  #place(caret: Place | undefined): string {
    if (caret === undefined) return "";
    return `${this.#toRow(caret.row)}\x1b[${caret.column + 1}G${SHOW}`;
  }

  #toTop(): string {
    return this.#toRow(0);
  }

  /** To the first cell of a row of the tail. */
  #toRow(row: number): string {
    const steps = row - this.#row;
    this.#row = row;
    if (steps === 0) return "\r";
    return steps < 0 ? `\r\x1b[${-steps}A` : `\r\x1b[${steps}B`;
  }
}

/** Where the last whole line ends within so many characters; the first one is taken however long it is. */
function endOfLines(text: string, charsMax: number): number {
  if (text.length <= charsMax) return text.length;
  const within = text.lastIndexOf("\n", charsMax - 1);
  const end = within < 0 ? text.indexOf("\n") : within;
  return end < 0 ? text.length : end + 1;
}

/** A raw terminal does not return the carriage by itself. */
function asLines(text: string): string {
  if (text === "") return "";
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  return `${guarded(whole, { isText: true }).replaceAll("\n", "\r\n")}\x1b[0m`;
}

function isEqual(a: Tail, b: Tail): boolean {
  return a.caret?.row === b.caret?.row && a.caret?.column === b.caret?.column &&
    a.rows.length === b.rows.length && a.rows.every((row, at) => row === b.rows[at]);
}
