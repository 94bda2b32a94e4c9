/** The plain screen in memory: what stands on which line, whoever wrote last. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { palette } from "@/terminal/color.ts";
import { LineWriter } from "@/terminal/line_writer.ts";
import { PlainScreen } from "@/terminal/plain.ts";

function plain({ color = false } = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const keyboard = writable.getWriter();
  let text = "";
  const screen = new PlainScreen({
    input: readable,
    write: (piece) => void (text += piece),
    setRaw: () => {},
    paint: palette(color),
    showsThinking: () => false,
  });
  return {
    screen,
    shown: () => text,
    type: (line: string) => keyboard.write(new TextEncoder().encode(line)),
    end: () => keyboard.close(),
  };
}

Deno.test("a question begins on a line of its own after text that was streamed", async () => {
  const { screen, shown, type, end } = plain();
  screen.sink({ type: "delta", channel: "text", text: "I write it." });
  const answer = screen.asker(
    [{ text: "Go on?", options: ["yes"], freeText: false }],
    new AbortController().signal,
  );
  await type("1\n");
  equal(await answer, ["yes"]);
  equal(shown(), "I write it.\nquestion: Go on?\n    1 = yes\n  number: ");
  await end();
});

Deno.test("what happens at the prompt stands on lines of its own, and the prompt comes again", async () => {
  const { screen, shown, type, end } = plain();
  const line = screen.line();
  screen.print("Ctrl+C again leaves", "event");
  screen.sink({ type: "notice", level: "warn", text: "Something" });
  equal(shown(), "> \nevent: Ctrl+C again leaves\n> \nwarning: Something\n> ");
  await type("hi\n");
  equal(await line, "hi");
  screen.sink({ type: "delta", channel: "text", text: "Hello" });
  // The terminal itself has shown what was typed, with its end of line.
  equal(shown().endsWith("> Hello"), true);
  await end();
});

Deno.test("an interrupted question is left on its line", async () => {
  const { screen, shown, end } = plain();
  const controller = new AbortController();
  const answer = screen.asker([{ text: "Go on?", options: [] }], controller.signal);
  controller.abort();
  await answer.catch(() => "interrupted");
  screen.sink({ type: "turn_end", turn: 1, stop: "abort" });
  equal(shown(), "question: Go on?\n  number or your own words: \nevent: interrupted\n");
  await end();
});

Deno.test("LineWriter sees the end of a line through colours that end after it", () => {
  let text = "";
  const out = new LineWriter((piece) => void (text += piece));
  out.write(palette(true).dim("thinking\n"));
  out.break();
  out.write("x");
  out.break();
  out.break();
  equal(text, "\x1b[2mthinking\n\x1b[0mx\n");
});
