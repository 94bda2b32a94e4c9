/** What a session took, as a table: a row a turn with a bar, then the sums. */
import type { Usage } from "@/protocol/provider.ts";

/** One row. `cost` is in dollars, null where the price is not known. */
export type UsageRow = { name: string; requests: number; usage: Usage; cost: number | null };

/** Of more turns the latest are shown. */
const TURNS_MAX = 20;
const BAR_CELLS = 20;
const HEAD = ["", "requests", "input", "output", "cache read", "cache write", "cost"] as const;

/** The rows of turns, then those below the line. */
export function usageTable(turns: readonly UsageRow[], sums: readonly UsageRow[]): string {
  const shown = turns.slice(-TURNS_MAX);
  const most = Math.max(1, ...shown.map(({ usage }) => tokensOf(usage)));
  const cells = [...shown, ...sums].map(cellsOf);
  const widths = HEAD.map((head, at) =>
    Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0))
  );
  const line = (row: readonly string[], bar = "") =>
    `${
      row.map((cell, at) => at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))
        .join("  ")
    }  ${bar}`.trimEnd();
  const rows = shown.map((row, at) =>
    line(cells[at] ?? [], "▰".repeat(Math.ceil(tokensOf(row.usage) / most * BAR_CELLS)))
  );
  const left = turns.length - shown.length;
  return [
    line(HEAD),
    ...(left > 0 ? [`… ${left} earlier turns, counted below`] : []),
    ...rows,
    ...cells.slice(shown.length).map((row) => line(row)),
  ].join("\n");
}

/** All tokens of a usage. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

function cellsOf({ name, requests, usage, cost }: UsageRow): readonly string[] {
  const { input, output, cacheRead, cacheWrite } = usage;
  const counts = [requests, input, output, cacheRead, cacheWrite].map((count) =>
    count.toLocaleString("en-US")
  );
  return [name, ...counts, cost === null ? "?" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`];
}
