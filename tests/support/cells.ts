/** What stands on a terminal, cell by cell, as a text that a person can read and compare: rows, and how they look. */
import xterm from "@xterm/headless";

/** The rows that a text takes on a terminal of this width, with the style of each run of cells that has one. */
export async function frameOf(text: string, columns: number): Promise<string> {
  const term = new xterm.Terminal({
    cols: columns,
    rows: 40,
    scrollback: 100_000,
    allowProposedApi: true,
  });
  await new Promise<void>((resolve) => term.write(text.replaceAll("\n", "\r\n"), () => resolve()));
  const buffer = term.buffer.active;
  const rows: string[] = [];
  for (let at = 0; at < buffer.length; at++) {
    const line = buffer.getLine(at);
    if (line === undefined) break;
    const mark = line.isWrapped ? "~" : "|";
    rows.push(`${mark}${line.translateToString(true)}`.trimEnd());
    const looks = looksOf(line, columns);
    if (looks !== "") rows.push(`  ${looks}`);
  }
  while (rows.at(-1) === "|") rows.pop();
  term.dispose();
  return `${rows.join("\n")}\n`;
}

type Line = NonNullable<
  ReturnType<InstanceType<typeof xterm.Terminal>["buffer"]["active"]["getLine"]>
>;

/** Runs of cells that look alike: `0-4 bold yellow`. */
function looksOf(line: Line, columns: number): string {
  const runs: { from: number; to: number; look: string }[] = [];
  for (let at = 0; at < columns; at++) {
    const cell = line.getCell(at);
    // The second cell of a wide character belongs to the first.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const look = lookOf(cell);
    const last = runs.at(-1);
    const end = at + cell.getWidth() - 1;
    if (last !== undefined && last.look === look && last.to === at - 1) last.to = end;
    else runs.push({ from: at, to: end, look });
  }
  return runs.filter(({ look }) => look !== "").map(({ from, to, look }) =>
    `[${from === to ? from : `${from}-${to}`} ${look}]`
  ).join(" ");
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey"];

function lookOf(cell: NonNullable<ReturnType<Line["getCell"]>>): string {
  const colour = cell.isFgDefault() ? "" : COLOURS[cell.getFgColor()] ?? `${cell.getFgColor()}?`;
  return [
    cell.isBold() !== 0 ? "bold" : "",
    cell.isDim() !== 0 ? "faint" : "",
    cell.isUnderline() !== 0 ? "underlined" : "",
    cell.isItalic() !== 0 ? "italic?" : "",
    cell.isInverse() !== 0 ? "inverse?" : "",
    cell.isBgDefault() ? "" : "background?",
    colour,
  ].filter((word) => word !== "").join(" ");
}

/**
 * Compare with the text in tests/testdata/terminal/, or write it when the test run was given `--update` (behind `--`).
 * Throws with both when they differ.
 */
export async function matchFrame(name: string, frame: string): Promise<void> {
  const path = new URL(`../testdata/terminal/${name}.txt`, import.meta.url);
  if (Deno.args.includes("--update")) {
    await Deno.writeTextFile(path, frame);
    return;
  }
  const kept = await Deno.readTextFile(path);
  if (kept === frame) return;
  throw new Error(`The screen differs from ${path.pathname}\nkept:\n${kept}\nnow:\n${frame}`);
}
