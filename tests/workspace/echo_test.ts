import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { echo, echoWindows } from "@/workspace/echo.ts";
import { row } from "@/workspace/hashline.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

Deno.test("echoWindows() shows five lines either side and joins windows that touch", () => {
  const at = (line: number) => ({ from: line, to: line });
  equal(echoWindows([at(3)], 10), [[1, 8]]);
  equal(echoWindows([at(10), at(21)], 200), [[5, 26]]);
  equal(echoWindows([at(10), at(22)], 200), [[5, 15], [17, 27]]);
  equal(echoWindows([{ from: 10, to: 30 }], 200), [[5, 35]]);
  equal(echoWindows([at(1)], 1), [[1, 1]]);
});

Deno.test("echoWindows() shows what stands around deleted lines", () => {
  equal(echoWindows([{ from: 10, to: 9 }], 200), [[5, 14]]);
  equal(echoWindows([{ from: 5, to: 4 }], 4), [[1, 4]]);
  equal(echoWindows([{ from: 1, to: 0 }], 1), [[1, 1]]);
});

Deno.test("echo() indents its rows, separates windows and counts all rows as shown", () => {
  const texts = lines(40);
  const { text, shown } = echo(texts, [[1, 2], [9, 9]]);
  const rows = [1, 2, 9].map((line) => ({ line, text: texts[line - 1] ?? "" }));
  equal(
    text,
    [
      `  ${row(rows[0] ?? { line: 0, text: "" })}`,
      `  ${row(rows[1] ?? { line: 0, text: "" })}`,
      "  …",
      `  ${row(rows[2] ?? { line: 0, text: "" })}`,
    ].join("\n"),
  );
  equal(shown, rows);
});

Deno.test("echo() stops at sixty rows and says how to read on", () => {
  const { text, shown } = echo(lines(500), [[1, 300]]);
  equal(shown.length, 60);
  ok(text.endsWith("… (240 more rows; read_file with start=61 shows them)"), text.slice(-80));
  const two = echo(lines(500), [[1, 60], [100, 110]]);
  equal(two.shown.length, 60);
  ok(two.text.includes("start=100"));
});

Deno.test("echo() cuts a long line, which then is not shown", () => {
  const { text, shown } = echo(["x".repeat(10_000), "b"], [[1, 2]]);
  ok(text.length < 600);
  equal(shown, [{ line: 2, text: "b" }]);
});
