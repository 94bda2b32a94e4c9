/** The live part of the screen, put together: what is live of the transcript, the panel, the input, the status line. */
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { elapsed } from "@/lib/spoken_time.ts";
import { visible } from "@/lib/visible.ts";
import type { Editor } from "./editor.ts";
import type { Size, Tail } from "./frame.ts";
import type { Inks } from "./ink.ts";
import { spinner } from "./spinner.ts";

/** Where text is typed now. */
export type TailField = { editor: Editor; prompt: string; isSecret?: boolean };

/** Its parts from top to bottom. Each row they give is shorter than the window. */
export type TailParts = {
  /** Live rows of the transcript, at most so many. */
  live(rowsMax: number): readonly string[];
  /** The panel that is up; without one, nothing. */
  panel(rowsMax: number): readonly string[];
  /** What is sent and not taken yet, what is queued, what is alive, the menu. */
  notes: readonly string[];
  /** What runs. */
  activity: string;
  field: TailField;
  /** The last row: the status, or a hint. */
  status: string;
};

const INPUT_ROWS_MAX = 10;
/**
 * More live rows than this help nobody, and what of the tail leaves the screen when a window shrinks stays in the
 * scrollback for good.
 */
const LIVE_ROWS_MAX = 16;
/** Likewise for a panel, in which what is longer is scrolled; with the input and the status it fits 20 rows. */
const PANEL_ROWS_MAX = 15;
/** Above the input; with less than this a panel gets all of it. */
const LOW_ROWS = 5;

/** Two dashes and not a line across: a row as wide as the window would be wrapped when the window is made narrower. */
const RULE = "──";

/** Put it together for a window. It is always lower than the window. */
export function composeTail(parts: TailParts, { columns, rows }: Size, ink: Inks): Tail {
  const room = Math.max(1, rows - 1);
  const input = inputRows(parts.field, { columns, rowsMax: Math.min(INPUT_ROWS_MAX, room) });
  let left = room - input.rows.length;
  const take = (wanted: readonly string[]): readonly string[] => {
    const taken = wanted.slice(0, Math.max(0, left));
    left -= taken.length;
    return taken;
  };
  // In the order of what matters when the window is low; the order on the screen is another. Where hardly anything fits,
  // a question comes before the status: nobody answers what they do not see.
  const panelOf = () => take(left > 0 ? parts.panel(Math.min(left, PANEL_ROWS_MAX)) : []);
  const first = left < LOW_ROWS ? panelOf() : undefined;
  const hint = take(parts.status === "" ? [] : [parts.status]);
  const rule = take([ink.dim(RULE)]);
  const panel = first ?? panelOf();
  const activity = take(parts.activity === "" ? [] : [parts.activity]);
  const notes = take(parts.notes);
  const liveMax = Math.min(left, LIVE_ROWS_MAX - panel.length);
  const live = take(liveMax > 0 ? parts.live(liveMax) : []);
  const above = [...live, ...panel, ...activity, ...notes, ...rule];
  const all = [...above, ...input.rows, ...hint].map((row) => shorter(row, columns));
  return {
    rows: all,
    caret: { row: above.length + input.caret.row, column: input.caret.column },
  };
}

function inputRows(
  { editor, prompt, isSecret = false }: TailField,
  { columns, rowsMax }: { columns: number; rowsMax: number },
): { rows: readonly string[]; caret: { row: number; column: number } } {
  const first = textWidth(prompt);
  const width = Math.max(4, columns - first - 1);
  const { rows, caret } = editor.draw(width, rowsMax);
  const indent = " ".repeat(first);
  const shown = isSecret ? rows.map((row) => "*".repeat([...row].length)) : rows;
  const column = isSecret ? shown[caret.row]?.length ?? 0 : caret.column;
  return {
    rows: shown.map((row, at) => `${at === 0 ? prompt : indent}${row}`.trimEnd()),
    caret: { row: caret.row, column: Math.min(columns - 1, first + column) },
  };
}

function shorter(row: string, columns: number): string {
  return textWidth(row) < columns ? row : cutToWidth(row, columns - 1);
}

/** A message that was sent and that no event has shown yet. */
export function sentRow(text: string, columns: number, ink: Inks): string {
  const [first = "", ...more] = text.split("\n");
  const rest = more.length > 0 ? " …" : "";
  return ink.dim(cutToWidth(`❯ ${visible(first, { oneLine: true })}${rest}`, columns - 1));
}

/** What goes on, for how long, and how it is stopped. */
export function activityRow(
  { label, ms, hint }: { label: string; ms: number; hint: string },
  ink: Inks,
): string {
  return ink.dim(`${spinner(ms)} ${label} · ${elapsed(ms)}${hint === "" ? "" : ` · ${hint}`}`);
}
