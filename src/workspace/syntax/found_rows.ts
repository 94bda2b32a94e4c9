/** Rows of a file, as anchors for edits, around the places that something was found at. */
import { boundedRow, type Row } from "../hashline.ts";

/** What is shown of a line, in characters; a longer one carries no anchor. */
const ROW_CHARS_MAX = 300;

/** Rows as they are shown, and those of them that were shown whole. */
export type ShownRows = { text: string; shown: Row[] };

/** Lines `from` to `to` (counted from 1), each row indented by two. */
export function rowsBetween(texts: readonly string[], from: number, to: number): ShownRows {
  const rows = texts.slice(Math.max(0, from - 1), to)
    .map((text, index): Row => ({ line: Math.max(1, from) + index, text }));
  return {
    text: rows.map((each) => `  ${boundedRow(each, ROW_CHARS_MAX)}`).join("\n"),
    shown: rows.filter(({ text }) => text.length <= ROW_CHARS_MAX),
  };
}
