/** Looking for words in what the viewer shows: from where one looks, around the end, every match marked. */
import { withoutStyles } from "@/lib/width.ts";
import type { Ink } from "./ink.ts";

/** A row of the document: the item it is of, and which of its rows. */
export type Spot = { item: number; row: number };

/** What is searched. Rows are laid out for items that hold the words alone. */
export type Searched = {
  count: number;
  /** The lines of an item as they are before they are laid out. */
  lines(item: number): readonly string[];
  rows(item: number): readonly string[];
};

export type Found = {
  spot: Spot;
  /** The end was passed on the way. */
  isAround: boolean;
};

/**
 * The next match in a direction, around the end if need be, and the one at `from` itself last; with `isFirst` it counts
 * as the next one.
 */
export function findWords(
  words: string,
  searched: Searched,
  { from, direction, isFirst }: { from: Spot; direction: 1 | -1; isFirst: boolean },
): Found | undefined {
  const { count } = searched;
  for (let step = 0; step <= count; step++) {
    const at = from.item + direction * step;
    const item = ((at % count) + count) % count;
    const rows = matches(words, item, searched).filter((row) => {
      const isAhead = direction === 1 ? row > from.row : row < from.row;
      if (step === 0) return isAhead || (isFirst && row === from.row);
      return step < count || !isAhead;
    });
    const row = direction === 1 ? rows[0] : rows.at(-1);
    if (row !== undefined) return { spot: { item, row }, isAround: at !== item };
  }
  return undefined;
}

/** Rows of an item that hold the words; its first one where they are broken between two. */
function matches(words: string, item: number, searched: Searched): readonly number[] {
  const isIn = (line: string) => withoutStyles(line).toLowerCase().includes(words.toLowerCase());
  if (!searched.lines(item).some(isIn)) return [];
  const rows = searched.rows(item).flatMap((row, at) => isIn(row) ? [at] : []);
  return rows.length === 0 ? [0] : rows;
}

/** A row with every match marked, without its own styles; as it is where there is none. */
export function marked(row: string, words: string, ink: Ink): string {
  if (words === "") return row;
  const plain = withoutStyles(row);
  const lower = plain.toLowerCase();
  // Letters that are longer or shorter in lower case: where a match stands is not known then.
  if (lower.length !== plain.length) return row;
  let out = "";
  let at = 0;
  for (;;) {
    const next = lower.indexOf(words.toLowerCase(), at);
    if (next < 0) break;
    out += plain.slice(at, next) + ink(plain.slice(next, next + words.length));
    at = next + words.length;
  }
  return at === 0 ? row : out + plain.slice(at);
}
