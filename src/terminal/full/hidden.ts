/**
 * Rows that stand above the screen because a resize has pushed them there. Nothing reaches them until a window that grows
 * brings them back; how many rows they take then is all that is to be known, and never too many: what stands above them is
 * the conversation.
 */

export type Hidden = {
  /** The cells of each row that is out of sight, topmost first. */
  rows: readonly number[];
  /** Cells of the row that is half out of sight. */
  half: number;
};

export const NOTHING_HIDDEN: Hidden = { rows: [], half: 0 };

/** Of rows with so many cells, what is out of sight when the first `count` rows of the terminal are. */
export function hiddenOf(cells: readonly number[], count: number, columns: number): Hidden {
  const rows: number[] = [];
  let left = count;
  for (const row of cells) {
    const height = heightOf(row, columns);
    // A wide character leaves the last cell empty where it does not fit.
    if (height > left) return { rows, half: left * (columns - 1) };
    rows.push(row);
    left -= height;
  }
  return { rows, half: 0 };
}

/**
 * The cells of the rows that stand one below the other, hidden ones first. `below` is what was written under these: tmux 3.3a
 * takes it for the end of a row that is half out of sight, unless nothing stands there.
 */
export function withHidden(
  { rows, half }: Hidden,
  below: readonly number[],
  isFirstEmpty: boolean,
): readonly number[] {
  if (half === 0) return [...rows, ...below];
  if (isFirstEmpty) return [...rows, half, ...below];
  return [...rows, ...below.map((row, at) => at === 0 ? half + row : row)];
}

/** Rows of the terminal that a row takes at a width. */
export function heightOf(cells: number, columns: number): number {
  return Math.max(1, Math.ceil(cells / columns));
}

export function heightOfAll(cells: readonly number[], columns: number): number {
  return cells.reduce((sum, row) => sum + heightOf(row, columns), 0);
}
