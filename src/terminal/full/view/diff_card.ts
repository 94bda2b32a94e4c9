/** A change in lines with their numbers: only what changed for a closed card, everything for an open one. */
import { META_DIFF } from "@/lib/tool_meta.ts";
import { visible } from "@/lib/visible.ts";
import { expandTabs } from "@/lib/width.ts";
import { diffCount, type DiffRow, diffRows } from "../diff_rows.ts";
import type { Call } from "./item.ts";
import type { Registers } from "./registers.ts";

const TAB = 4;
const MARKS = { added: "+", removed: "-", same: " ", gap: "…", note: " " } as const;

/** The change that a call made; undefined when it says none. */
export function changeOf({ result }: Call): readonly DiffRow[] | undefined {
  const diff = result?.meta?.[META_DIFF];
  return typeof diff === "string" ? diffRows(diff) : undefined;
}

/** `(+1 −1)` */
export function countedChange(rows: readonly DiffRow[]): string {
  const { added, removed } = diffCount(rows);
  return `(+${added} −${removed})`;
}

/** The lines that were added and taken away, and where some stand apart a sign of it. */
export function changedLines(rows: readonly DiffRow[], look: Registers): string[] {
  const changed: DiffRow[] = [];
  let isApart = false;
  for (const row of rows) {
    const isChange = row.kind === "added" || row.kind === "removed";
    if (isChange && isApart && changed.length > 0) {
      changed.push({ kind: "gap", line: undefined, text: "" });
    }
    if (isChange) changed.push(row);
    isApart = !isChange;
  }
  return diffLines(changed, look);
}

/** All rows as lines. */
export function diffLines(rows: readonly DiffRow[], look: Registers): string[] {
  const width = Math.max(2, ...rows.map(({ line }) => String(line ?? "").length));
  return rows.map((row) => {
    const number = String(row.line ?? "").padStart(width);
    const text = `${number} ${MARKS[row.kind]} ${visible(expandTabs(row.text, TAB))}`.trimEnd();
    return painted(row.kind, text, look);
  });
}

function painted(kind: DiffRow["kind"], text: string, look: Registers): string {
  switch (kind) {
    case "added":
      return look.added(text);
    case "removed":
      return look.removed(text);
    case "gap":
    case "note":
      return look.dim(text);
    case "same":
      return text;
  }
}
