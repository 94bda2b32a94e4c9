/** Text of the program itself, as lines for the scrollback: what a command printed, an event, an error, what was typed. */
import { expandTabs } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import { wrapText } from "@/lib/wrap.ts";
import type { Ink, Inks } from "./ink.ts";
import { PROSE_CELLS_MAX } from "./prose_width.ts";

/** How a text of the program reads. */
export type PrintRegister = "result" | "event" | "error" | "you";

/** Marks of the first row and of those after it. */
const MARKS: Readonly<Record<PrintRegister, readonly [first: string, more: string]>> = {
  you: ["❯ ", "  "],
  result: ["  │ ", "  │ "],
  event: ["    · ", "      "],
  error: ["✗ ", "  "],
};

/** Whole lines that end in a line feed. */
export function registerText(
  text: string,
  register: PrintRegister,
  { columns, ink }: { columns: number; ink: Inks },
): string {
  const [first, more] = MARKS[register];
  const width = Math.min(columns - 1, PROSE_CELLS_MAX) - first.length;
  const paint = paintOf(register, ink);
  const lines = visible(text.replace(/(?<!\n)\n+$/, "")).split("\n").map((line) =>
    expandTabs(line)
  );
  const rows = lines.flatMap((line) => wrapText(line, width));
  return rows.map((row, at) => `${paint(at === 0 ? first : more, row)}\n`).join("");
}

function paintOf(register: PrintRegister, ink: Inks): (mark: string, row: string) => string {
  const whole = (paint: Ink) => (mark: string, row: string) => paint(`${mark}${row}`.trimEnd());
  switch (register) {
    case "you":
      return whole(ink.you);
    case "event":
      return whole(ink.dim);
    case "error":
      return whole(ink.error);
    case "result":
      return (mark, row) => `${ink.dim(mark)}${row}`.trimEnd();
  }
}
