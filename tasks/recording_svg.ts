/** Screens of a terminal as one SVG that shows them in turn: text, in the colours of the reader's light or dark mode. */
import type { Terminal } from "@xterm/headless";

/** Cells that stand side by side and look alike. `at`: the first column, from 0. `look`: class names, "" for plain text. */
export type Run = { at: number; text: string; look: string };

/** A screen: its rows from the top, and how long it is shown, in seconds. */
export type Frame = { rows: readonly (readonly Run[])[]; seconds: number };

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey"];

const CELL = { width: 8.4, height: 18, margin: 14 };

/** What stands on a terminal now. */
export function rowsOf(term: Terminal): Run[][] {
  const buffer = term.buffer.active;
  return Array.from({ length: term.rows }, (_, row) => {
    const runs: Run[] = [];
    const line = buffer.getLine(buffer.baseY + row);
    for (let at = 0; line !== undefined && at < term.cols; at++) {
      const cell = line.getCell(at);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const look = [
        cell.isFgDefault() ? "" : COLOURS[cell.getFgColor()] ?? "",
        cell.isBold() === 0 ? "" : "bold",
        cell.isDim() === 0 ? "" : "faint",
      ].filter((name) => name !== "").join(" ");
      const text = cell.getChars() || " ";
      const last = runs.at(-1);
      if (last !== undefined && last.look === look) last.text += text;
      else runs.push({ at, text, look });
    }
    return runs.filter(({ text }) => text.trim() !== "");
  });
}

/** The picture. `alt` says in words what is seen. */
export function svgOf(
  frames: readonly Frame[],
  { columns, alt }: { columns: number; alt: string },
): string {
  const rows = Math.max(...frames.map(({ rows }) => rows.length));
  const width = Math.ceil(columns * CELL.width + 2 * CELL.margin);
  const height = rows * CELL.height + 2 * CELL.margin;
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let from = 0;
  const shown = frames.map(({ seconds }, index) => {
    const [start, end] = [from, from + seconds / total].map((part) =>
      `${(part * 100).toFixed(2)}%`
    );
    from += seconds / total;
    const times = index === 0
      ? `0%,${end}{opacity:1}${end},100%{opacity:0}`
      : `0%,${start}{opacity:0}${start},${end}{opacity:1}${end}${
        end === "100.00%" ? "" : ",100%"
      }{opacity:${end === "100.00%" ? 1 : 0}}`;
    return `@keyframes f${index}{${times}}.f${index}{animation:f${index} ${total}s step-end infinite}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">
<title>${escaped(alt)}</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:#1f2328}
rect{fill:#ffffff;stroke:#d0d7de}
.red{fill:#b3261e}.green{fill:#116329}.yellow{fill:#7d4e00}.blue{fill:#0550ae}.magenta{fill:#8250df}.cyan{fill:#0b6a75}.grey,.faint{fill:#59636e}.bold{font-weight:bold}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}rect{fill:#0d1117;stroke:#30363d}.red{fill:#ff8b82}.green{fill:#7ee787}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}.grey,.faint{fill:#9198a1}}
g{opacity:0}.f0{opacity:1}
@media(prefers-reduced-motion:no-preference){${shown.join("")}}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${
    frames.map(({ rows }, index) =>
      `<g class="f${index}">\n${rows.flatMap(rowText).join("\n")}\n</g>`
    ).join("\n")
  }
</svg>
`;
}

function rowText(runs: readonly Run[], row: number): string[] {
  if (runs.length === 0) return [];
  const y = CELL.margin + (row + 0.75) * CELL.height;
  const spans = runs.map(({ at, text, look }) => {
    const x = (CELL.margin + at * CELL.width).toFixed(1);
    return `<tspan x="${x}"${look === "" ? "" : ` class="${look}"`}>${
      escaped(text.trimEnd())
    }</tspan>`;
  });
  return [`<text y="${y}">${spans.join("")}</text>`];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
