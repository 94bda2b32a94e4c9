/** A unified diff as rows with line numbers: of the new file for what is added or stays, of the old one for what goes. */

export type DiffRow = {
  kind: "added" | "removed" | "same" | "gap" | "note";
  /** Undefined for a gap and for a note. */
  line: number | undefined;
  text: string;
};

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** Read it; undefined when the text is no unified diff. */
export function diffRows(patch: string): readonly DiffRow[] | undefined {
  const lines = patch.split("\n");
  const first = lines.findIndex((line) => HUNK.test(line));
  if (first === -1 || !lines.slice(0, first).every(isHead)) return undefined;
  const rows: DiffRow[] = [];
  let [before, after] = [0, 0];
  for (const line of lines.slice(first)) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      const said = (hunk[3] ?? "").trim();
      if (rows.length > 0) rows.push({ kind: "gap", line: undefined, text: "" });
      if (said !== "") rows.push({ kind: "note", line: undefined, text: said });
      continue;
    }
    const text = line.slice(1);
    if (line.startsWith("+")) rows.push({ kind: "added", line: after++, text });
    else if (line.startsWith("-")) rows.push({ kind: "removed", line: before++, text });
    else if (line.startsWith(" ") || line === "") {
      rows.push({ kind: "same", line: after++, text });
      before++;
    } else rows.push({ kind: "note", line: undefined, text: line.replace(/^\\ /, "") });
  }
  return rows;
}

/** How many lines are added and taken away. */
export function diffCount(rows: readonly DiffRow[]): { added: number; removed: number } {
  const count = (kind: DiffRow["kind"]) => rows.filter((row) => row.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}

function isHead(line: string): boolean {
  return line === "" || /^(---|\+\+\+|Index:|diff |=+$)/.test(line);
}
