/** A table in lines: as wide as it needs, narrower by wrapping its cells, or one cell a line where not even that fits. */
import type { Tokens } from "marked";
import { textWidth } from "@/lib/width.ts";
import { wrapText } from "@/lib/wrap.ts";
import { inlineText } from "./inline.ts";
import type { Registers } from "./registers.ts";

type Align = "left" | "right" | "center" | null;

/** A column is not made narrower than this, unless its cells are. */
const COLUMN_CELLS_MIN = 8;
/** What a column costs besides its text: a bar and two blanks. */
const FRAME_CELLS = 3;

/** The lines, none wider than `width` where that is possible. */
export function tableLines(
  token: Tokens.Table,
  { width, look }: { width: number; look: Registers },
): string[] {
  const header = token.header.map(({ tokens }) => inlineText(tokens, look, ["bold"]));
  const rows = token.rows.map((row) => row.map(({ tokens }) => inlineText(tokens, look)));
  const natural = header.map((_, at) =>
    Math.max(1, ...[header, ...rows].map((row) => widest(row[at] ?? "")))
  );
  const widths = fitted(natural, width - FRAME_CELLS * natural.length - 1);
  if (widths === undefined) return records(header, rows, look);
  const isWrapped = widths.some((cells, at) => cells < (natural[at] ?? 0));
  const layout = { widths, align: token.align, look };
  const body = rows.map((row) => rowLines(row, layout));
  const rule = (left: string, cross: string, right: string) =>
    look.dim(`${left}${widths.map((cells) => "─".repeat(cells + 2)).join(cross)}${right}`);
  // Where a row takes several lines, a rule says where it ends.
  const between = isWrapped ? [rule("├", "┼", "┤")] : [];
  return [
    rule("┌", "┬", "┐"),
    ...rowLines(header, layout),
    ...(rows.length === 0 ? [] : [rule("├", "┼", "┤")]),
    ...body.flatMap((lines, at) => at === 0 ? lines : [...between, ...lines]),
    rule("└", "┴", "┘"),
  ];
}

/** Widths that fit in `room`: the widest columns give way first. Undefined when they cannot. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const floor = natural.map((cells) => Math.min(cells, COLUMN_CELLS_MIN));
  if (sum(floor) > room) return undefined;
  if (sum(natural) <= room) return natural;
  // The largest bound under which they fit, by halving.
  let [low, high] = [0, Math.max(...natural)];
  const bounded = (bound: number) =>
    natural.map((cells, at) => Math.max(floor[at] ?? 1, Math.min(cells, bound)));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sum(bounded(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return bounded(low);
}

function rowLines(
  cells: readonly string[],
  { widths, align, look }: { widths: readonly number[]; align: readonly Align[]; look: Registers },
): string[] {
  const wrapped = widths.map((width, at) => wrapText(cells[at] ?? "", width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  const bar = look.dim("│");
  return Array.from({ length: height }, (_, line) => {
    const pieces = widths.map((width, at) =>
      ` ${aligned(wrapped[at]?.[line] ?? "", width, align[at] ?? null)} `
    );
    return `${bar}${pieces.join(bar)}${bar}`;
  });
}

function aligned(text: string, width: number, align: Align): string {
  const left = Math.max(0, width - textWidth(text));
  if (align === "right") return " ".repeat(left) + text;
  if (align !== "center") return text + " ".repeat(left);
  const half = left >> 1;
  return " ".repeat(half) + text + " ".repeat(left - half);
}

/** One cell a line, each with the name of its column. */
function records(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  look: Registers,
): string[] {
  if (rows.length === 0) return [header.join(" · ")];
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [look.dim("──")]),
    ...header.flatMap((name, column) => {
      const cell = row[column] ?? "";
      return `${name}: ${cell}`.split("\n");
    }),
  ]);
}

function widest(text: string): number {
  return Math.max(0, ...text.split("\n").map(textWidth));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
