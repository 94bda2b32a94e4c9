import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { Editor } from "@/terminal/full/editor.ts";
import { NO_INKS } from "../../support/ink.ts";
import { composeTail } from "@/terminal/full/tail.ts";

const many = (rowsMax: number) => Array.from({ length: rowsMax }, () => "x");

const composed = (rows: number, panel: (rowsMax: number) => readonly string[]) =>
  composeTail(
    {
      live: many,
      panel,
      notes: [],
      activity: "working",
      field: { editor: new Editor(), prompt: "❯ " },
      status: "status",
    },
    { columns: 80, rows },
    NO_INKS,
  ).rows;

Deno.test("composeTail() stays below 20 rows with everything that can be scrolled: windows that shrink keep it", () => {
  for (const rows of [20, 24, 40, 120]) {
    ok(composed(rows, many).length <= 20, `${rows}: ${composed(rows, many).length}`);
    ok(composed(rows, () => []).length <= 20, `${rows} without a panel`);
  }
});

Deno.test("composeTail() is lower than the window, and the input is the last to go", () => {
  for (const rows of [2, 3, 4, 5, 6, 10]) {
    const tail = composed(rows, many);
    ok(tail.length < rows, `${rows}: ${tail.length}`);
    ok(tail.includes("❯"));
  }
  equal(composed(3, () => []), ["❯", "status"]);
  equal(composed(3, () => ["a question"]), ["a question", "❯"]);
});
