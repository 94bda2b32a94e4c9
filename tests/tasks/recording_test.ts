/** The picture in README: what a terminal shows, cell by cell, and that it is the demo of this program. */
import { deepStrictEqual as equal, match, ok } from "node:assert";
import xterm from "@xterm/headless";
import { rowsOf, svgOf } from "../../tasks/recording_svg.ts";

Deno.test("cells that look alike are one text at its column, and nothing of it is markup", async () => {
  const term = new xterm.Terminal({ cols: 20, rows: 2, allowProposedApi: true });
  await new Promise<void>((done) => term.write("a  \x1b[31m<b> & c\x1b[0m\r\n 漢 d", () => done()));
  const rows = rowsOf(term);
  equal(rows[0]?.slice(0, 2), [{ at: 0, text: "a  ", look: "" }, {
    at: 3,
    text: "<b> & c",
    look: "red",
  }]);
  const svg = svgOf([{ rows, seconds: 1 }, { rows, seconds: 3 }], { columns: 20, alt: "a < b" });
  match(svg, /<title>a &lt; b<\/title>/);
  match(svg, /<tspan x="39\.2" class="red">&lt;b> &amp; c<\/tspan>/);
  match(svg, /@keyframes f0\{0%,25\.00%\{opacity:1\}25\.00%,100%\{opacity:0\}\}/);
  term.dispose();
});

Deno.test("the recording is small, says what is seen, and names no folder of this machine", async () => {
  const svg = await Deno.readTextFile(new URL("../../recording.svg", import.meta.url));
  ok(svg.length < 40_000, `${svg.length} bytes`);
  match(svg, /edit_file/);
  match(svg, /all windows are whole/);
  match(svg, /prefers-color-scheme:dark/);
  ok(!/harness-demo-|\/home\/|\/root\//.test(svg));
});
