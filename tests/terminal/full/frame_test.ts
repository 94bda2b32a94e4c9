/** The frame on a real screen in memory: what stands where, and what is never written. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../../support/property.ts";
import { Frame, type Tail } from "@/terminal/full/frame.ts";
import { TestTerminal } from "../../support/test_terminal.ts";

function framed(options: { columns?: number; rows?: number } = {}) {
  const terminal = new TestTerminal(options);
  return { terminal, frame: new Frame((text) => terminal.device.write(text)) };
}

const tail = (...rows: readonly string[]): Tail => ({
  rows,
  caret: { row: rows.length - 1, column: rows.at(-1)?.length ?? 0 },
});

Deno.test("Frame writes what is finished above the tail, and the tail in its place", async () => {
  const { terminal, frame } = framed();
  frame.draw(tail("──", "❯ a"));
  frame.commit("one\n");
  frame.draw(tail("──", "❯ ab"));
  frame.draw(tail("menu", "──", "❯ ab", "status"));
  frame.commit("two\nthree\n");
  frame.draw({ rows: ["──", "❯ "], caret: { row: 1, column: 2 } });
  await terminal.drawn();
  equal(terminal.screen(), "one\ntwo\nthree\n──\n❯");
  equal(terminal.cursor(), { row: 4, column: 2, line: "❯ " });
});

Deno.test("Frame writes nothing when nothing changed, and only the rows that did", async () => {
  const { terminal, frame } = framed();
  frame.draw(tail("first", "second", "third"));
  const before = terminal.written.length;
  frame.draw(tail("first", "second", "third"));
  equal(terminal.written.length, before);
  frame.draw(tail("first", "SECOND", "third"));
  const change = terminal.written.slice(before);
  ok(change.includes("SECOND") && !change.includes("first") && !change.includes("third"));
  await terminal.drawn();
});

Deno.test("Frame keeps every finished line once, in order, whatever the tail does meanwhile", async () => {
  const step = fc.record({
    lines: fc.integer({ min: 0, max: 3 }),
    rows: fc.array(fc.constantFrom("short", "a row of some length", "한글 줄", "✅ done", ""), {
      minLength: 1,
      maxLength: 8,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { terminal, frame } = framed({ columns: 30, rows: 10 });
      let [count, last] = [0, [""] as readonly string[]];
      for (const { lines, rows } of steps) {
        for (let n = 0; n < lines; n++) frame.commit(`line ${count++}\n`);
        frame.draw({ rows, caret: { row: 0, column: 0 } });
        last = rows;
      }
      await terminal.drawn();
      const expected = [...Array.from({ length: count }, (_, n) => `line ${n}`), ...last];
      equal(terminal.all(), expected.join("\n").replace(/\n+$/, ""));
    }),
    { numRuns: 60 },
  );
});

Deno.test("Frame leaves long lines to the terminal, so that they are copied whole", async () => {
  const { terminal, frame } = framed({ columns: 20 });
  frame.draw(tail("❯ "));
  frame.commit(`${"x".repeat(50)}\n`);
  frame.draw(tail("❯ "));
  await terminal.drawn();
  terminal.resize(60, 24);
  equal(terminal.screen().split("\n")[0], "x".repeat(50));
});

Deno.test("Frame never lets a row of the tail wrap, however wide the terminal thinks it is", async () => {
  const { terminal, frame } = framed({ columns: 20 });
  frame.draw(tail("❤️".repeat(15), "next"));
  frame.commit("done\n");
  frame.draw(tail("next"));
  await terminal.drawn();
  equal(terminal.screen(), "done\nnext");
});

Deno.test("clear() takes the tail away and leaves what is finished, with the cursor below it", async () => {
  const { terminal, frame } = framed();
  frame.draw(tail("──", "❯ text"));
  frame.commit("kept\n");
  frame.clear();
  await terminal.drawn();
  equal([terminal.screen(), terminal.cursor().row, terminal.cursor().column], ["kept", 1, 0]);
});

Deno.test("resized() finds the top of a tail that the terminal has wrapped anew", async () => {
  const { terminal, frame } = framed({ columns: 40, rows: 12 });
  frame.commit("above\n");
  frame.draw(tail("a row that is thirty cells wide", "❯ some text of the person here"));
  await terminal.drawn();
  terminal.resize(20, 12);
  // xterm.js cuts the row of the cursor, and leaves the cursor at the edge.
  frame.resized({ columns: 20, rows: 12 }, { cursor: { row: 3, column: 19 } });
  frame.draw(tail("a row cut shorter", "❯ some text"));
  await terminal.drawn();
  equal(terminal.all(), "above\n\n\n\n\n\na row cut shorter\n❯ some text");
  // The empty rows that keep the tail from the top of the screen are gone with the next finished line.
  frame.commit("next\n");
  frame.draw(tail("a row cut shorter", "❯ some text"));
  await terminal.drawn();
  equal(terminal.all(), "above\nnext\na row cut shorter\n❯ some text");
});

Deno.test("resized() takes back what a smaller window pushed out of sight, and no finished line with it", async () => {
  // Ten rows of 60 cells stand two by two in a window half as wide; in one that is wider each is one row again.
  const wide = Array.from("abcdefghij", (letter) => letter.repeat(60));
  for (
    const [columns, isFinished, up] of [[80, false, 7], [80, true, 2], [30, false, 7]] as const
  ) {
    const { terminal, frame } = framed();
    frame.draw(tail(...(columns === 30 ? [...wide.slice(0, 5), ..."ABCDE"] : "abcdefghij")));
    // Five rows of the tail stand above the window now; a narrow one has wrapped these, and none of the others.
    frame.resized({ columns, rows: 5 }, { cursor: { row: 4, column: 0 } });
    if (isFinished) frame.commit("finished\n");
    frame.draw(tail(..."xyz"));
    // The terminal has brought them back.
    frame.resized({ columns: 80, rows: 24 }, { cursor: { row: 20, column: 0 } });
    terminal.written = "";
    frame.draw(tail(..."xyz"));
    ok(terminal.written.includes(`25l\r\x1b[${up}A`), terminal.written);
    await terminal.drawn(); // Its own timer is part of the test.
  }
});

Deno.test("Frame uses no sequence that clears the screen, scrolls a region or moves to an absolute row", async () => {
  const { terminal, frame } = framed();
  for (let n = 0; n < 50; n++) {
    frame.commit(`line ${n}\n`);
    frame.draw(tail(...Array.from({ length: n % 7 + 1 }, (_, row) => `row ${row}`)));
    if (n % 9 === 0) frame.resized({ columns: 70 + n, rows: 24 });
  }
  frame.clear();
  const sequences = new Set(terminal.written.match(/\x1b\[[0-?]*[ -/]*[@-~]/g));
  for (const sequence of sequences) {
    ok(
      /^\x1b\[(?:\?(?:2026|25|7)[hl]|\d*[ABCG]|J|2K|0m)$/.test(sequence),
      JSON.stringify(sequence),
    );
  }
  await terminal.drawn(); // Its own timer is part of the test.
});

Deno.test("Frame draws control characters of any line visibly: 10,000 cut streams leave none", () => {
  const foreign = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        "\x1b[2J",
        "\x1b]52;c;aGk=\x07",
        "\x1b[",
        "\x9b3J",
        "\r",
        "\x08",
        "\x1bc",
        "\x00",
      ),
      // What the frame itself writes.
      fc.constantFrom(
        "\x1b[J",
        "\x1b[2K",
        "\x1b[5A",
        "\x1b[3G",
        "\x1b[?25l",
        "\x1b[?2026l",
        "\x1b[5n",
      ),
      fc.constantFrom("\x1b[31m", "\x1b[0m", "\u202e", "\u{e0041}", "\x1b]8;;http://a\x1b\\"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
    ),
    maxLength: 12,
  });
  let written = "";
  const frame = new Frame((text) => written += text);
  const style = /\x1b\[[0-9;:]*m|\x1b\]8;[^\x00-\x1f\x7f-\x9f]*\x1b\\/g;
  /** Everything that a terminal acts on, but styles and links. */
  const controls = (above: string, row: string) => {
    written = "";
    frame.commit(`${above}\n`);
    frame.draw({ rows: [row], caret: { row: 0, column: 0 } });
    return written.replace(style, "").match(
      /\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u202a-\u202e\u{e0000}-\u{e007f}]/gu,
    );
  };
  fc.assert(
    fc.property(foreign, fc.nat(), (text, cut) => {
      const at = cut % (text.length + 1);
      const [above, row] = [text.slice(0, at), text.slice(at).replaceAll("\n", " ")];
      const harmless = above.replaceAll(/[^\n]/g, "a");
      equal(controls(above, row)?.filter((one) => one !== "\t"), controls(harmless, "a"));
    }),
    { numRuns: 10_000 },
  );
});
