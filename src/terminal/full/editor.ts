/**
 * The input box: a text with its layout, so that Up and Down move by rows as they are drawn. Our own and not the editor of
 * pi-tui 1.6.0, which breaks Korean inside words, turns pasted tabs into blanks and trims what is sent.
 */
import type { EditAction } from "@/settings/key_binding.ts";
import { cutToWidth } from "@/lib/width.ts";
import { type Caret, caretOf, type InputRow, layOut, offsetAt } from "./input_layout.ts";
import { TextBuffer } from "./text_buffer.ts";

/** What is drawn: the rows that fit, the caret on them, and how many rows are out of sight. */
export type Drawn = { rows: readonly string[]; caret: Caret; above: number; below: number };

/** A longer text that is put in as a whole stands as one folded paste. */
const WHOLE_CHARS_MAX = 20_000;

/** An editable text of any number of lines. */
export class Editor {
  readonly buffer = new TextBuffer();
  #width = 80;
  /** The column that Up and Down keep to, over shorter rows. */
  #column: number | undefined;
  #top = 0;
  #layout: { text: string; width: number; rows: readonly InputRow[] } | undefined;

  /** What the person means, pastes unfolded. */
  get text(): string {
    return this.buffer.text;
  }

  get isEmpty(): boolean {
    return this.buffer.isEmpty;
  }

  /** Put another text in the place of this one. */
  set(text: string): void {
    this.#column = undefined;
    if (text.length <= WHOLE_CHARS_MAX) {
      this.buffer.set(text);
      return;
    }
    this.buffer.set("");
    this.buffer.paste(text);
  }

  /** Empty it without a way back, for the next message. */
  clear(): void {
    this.buffer.clear();
    this.#column = undefined;
    this.#top = 0;
  }

  insert(text: string): void {
    this.#column = undefined;
    this.buffer.insert(text);
  }

  paste(text: string): void {
    this.#column = undefined;
    this.buffer.paste(text);
  }

  /** Do it; false when Up or Down have nowhere to go. */
  do(action: EditAction): boolean {
    if (action === "up" || action === "down") return this.#vertical(action === "up" ? -1 : 1);
    this.#column = undefined;
    if (action === "newline") this.buffer.insert("\n");
    else this.buffer[action]();
    return true;
  }

  /** Lay it out for a width of cells and show at most so many rows around the caret. */
  draw(width: number, rowsMax: number): Drawn {
    this.#width = Math.max(1, width);
    const rows = this.#rows();
    const caret = caretOf(rows, this.buffer.caret, this.#width);
    const shown = Math.min(rows.length, Math.max(1, rowsMax));
    this.#top = Math.min(
      Math.max(this.#top, caret.row - shown + 1),
      caret.row,
      rows.length - shown,
    );
    const top = this.#top;
    return {
      rows: rows.slice(top, top + shown).map(({ text }) => cutToWidth(text, this.#width, "")),
      caret: { row: caret.row - top, column: caret.column },
      above: top,
      below: rows.length - top - shown,
    };
  }

  #vertical(step: -1 | 1): boolean {
    const rows = this.#rows();
    const caret = caretOf(rows, this.buffer.caret, this.#width);
    const target = rows[caret.row + step];
    if (target === undefined) return false;
    const column = this.#column ?? caret.column;
    const next = rows[caret.row + step + 1];
    const isLineEnd = next === undefined || next.start !== target.end;
    this.buffer.moveTo(offsetAt(target, column, isLineEnd));
    this.#column = column;
    return true;
  }

  #rows(): readonly InputRow[] {
    const text = this.buffer.marked;
    const width = this.#width;
    if (this.#layout?.text !== text || this.#layout.width !== width) {
      this.#layout = { text, width, rows: layOut(text, this.buffer.pastes, width) };
    }
    return this.#layout.rows;
  }
}
