/** What is alive besides the conversation: sub-agents, commands in the background, other instances, servers. */
import { cutToWidth, textWidth } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Inks } from "./ink.ts";

/** One of them. `needs` says that it waits on the person, whatever else its state is. */
export type RailItem = { name: string; detail?: string; needs?: boolean };

/** Narrower windows start with the rail closed. */
export const RAIL_COLUMNS_MIN = 100;
const OPEN_ROWS_MAX = 8;

/** One row when closed to a line, a row an item when opened; nothing when nothing is alive. */
export function railRows(
  items: readonly RailItem[],
  { columns, isOpen, ink }: { columns: number; isOpen: boolean; ink: Inks },
): readonly string[] {
  if (items.length === 0) return [];
  const ordered = [...items].sort((a, b) => Number(b.needs ?? false) - Number(a.needs ?? false));
  if (!isOpen) return columns < RAIL_COLUMNS_MIN ? [] : [line(ordered, columns, ink)];
  const rows = ordered.slice(0, OPEN_ROWS_MAX).map((item) =>
    cutToWidth(`    ${mark(item, ink)} ${named(item, ink)}`, columns - 1)
  );
  const left = ordered.length - rows.length;
  return left > 0 ? [...rows, ink.dim(`    … ${left} more`)] : rows;
}

/** For the status line of a narrow window: that something waits. */
export function railCount(items: readonly RailItem[]): string {
  const needing = items.filter(({ needs }) => needs === true).length;
  if (needing > 0) return `◆ ${needing} waiting`;
  return items.length === 0 ? "" : `${items.length} alive`;
}

/** As many as fit, then how many more. */
function line(items: readonly RailItem[], columns: number, ink: Inks): string {
  let row = "   ";
  for (const [at, item] of items.entries()) {
    const piece = ` ${mark(item, ink)} ${named(item, ink)} `;
    const isLast = at === items.length - 1;
    const after = isLast ? "" : more(items.length - at - 1);
    if (textWidth(row + piece.trimEnd() + after) >= columns) {
      return cutToWidth(row.trimEnd() + ink.dim(more(items.length - at)), columns - 1);
    }
    row += piece;
  }
  return row.trimEnd();
}

function more(count: number): string {
  return ` … ${count} more (ctrl+t)`;
}

function mark({ needs }: RailItem, ink: Inks): string {
  return needs === true ? ink.ask("◆") : ink.dim("·");
}

function named({ name, detail, needs }: RailItem, ink: Inks): string {
  const text = [name, detail ?? ""].filter((part) => part !== "").join(" ");
  const shown = visible(text, { oneLine: true });
  return needs === true ? shown : ink.dim(shown);
}
