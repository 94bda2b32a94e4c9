/** The plain screen in memory: what stands on which line, whoever wrote last. */
import { deepStrictEqual as equal } from "node:assert/strict";
import type { DurableEvent } from "@/protocol/event.ts";
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
  const before = shown();
  screen.sink({ type: "title", title: "About something" });
  equal(shown(), before, "of what shows nothing the prompt does not come again");
  await type("hi\n");
  equal(await line, "hi");
  screen.sink({ type: "delta", channel: "text", text: "Hello" });
  // The terminal itself has shown what was typed, with its end of line.
  equal(shown().endsWith("> Hello"), true);
  await end();
});

Deno.test("open() shows the prompt before a message is taken, and it comes again below what is told meanwhile", async () => {
  const { screen, shown, type, end } = plain();
  screen.open();
  equal(shown(), "> ");
  screen.print("harness in /work", "event");
  const line = screen.line();
  equal(shown(), "> \nevent: harness in /work\n> ");
  await type("hi\n");
  equal(await line, "hi");
  await end();
});

Deno.test("open() takes a line as the first message, and shows no second prompt for it", async () => {
  const { screen, shown, type, end } = plain();
  screen.open();
  await type("hi\n");
  await new Promise((resolve) => setTimeout(resolve));
  screen.print("harness in /work", "event");
  equal(await screen.line(), "hi");
  // The terminal has shown the line and its end.
  equal(shown(), "> event: harness in /work\n");
  await end();
});

Deno.test("open() gives no line that came before a question as its answer", async () => {
  const { screen, type, end } = plain();
  screen.open();
  await type("y\n");
  const answer = screen.ask("Do you accept this? ");
  await new Promise((resolve) => setTimeout(resolve, 100));
  await type("no\n");
  equal(await answer, "no");
  equal(await screen.line(), "y");
  await end();
});

Deno.test("take() takes a line behind those that were typed before it", async () => {
  const { screen, type, end } = plain();
  screen.open();
  await type("first\n");
  const answer = screen.ask("go on? ");
  // A paste would be one message: the lines come apart.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await type("second\n");
  screen.take(await answer);
  equal([await screen.line(), await screen.line()], ["first", "second"]);
  await end();
});

Deno.test("close() ends the line of a prompt that nobody answered", async () => {
  const { screen, shown, end } = plain();
  screen.open();
  screen.close();
  screen.close();
  equal(shown(), "> \n");
  await end();
});

Deno.test("an answer that is taken for the end of a paste is told, and the question's last row comes again", async () => {
  const { screen, shown, type, end } = plain();
  await type("y\ny\n");
  const answer = screen.asker([{ text: "Go on?", options: ["yes"] }], new AbortController().signal);
  await type("2\n");
  const row = "  number or your own words: ";
  const told =
    `question: Go on?\n    1 = yes\n${row}\nevent: queued as the next message: y\n${row}`;
  while (shown() !== told) await new Promise((resolve) => setTimeout(resolve, 10));
  await type("1\n");
  equal(await answer, ["yes"]);
  equal(shown(), told);
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

Deno.test("what was said before is shown again, without the turns that were taken back", async () => {
  const { screen, shown, end } = plain();
  const events: DurableEvent[] = [
    { type: "turn_start", turn: 1 },
    person("fix it"),
    {
      type: "message",
      message: {
        role: "tool",
        callId: "c1",
        name: "read_file",
        result: { status: "ok", text: "" },
      },
    },
    { type: "tool_end", callId: "c1", summary: "read a.ts", ms: 3 },
    reply("It is\x1b[2J fixed."),
    { type: "turn_start", turn: 2 },
    person("and again"),
    { type: "rewind", toTurn: 1 },
    { type: "turn_start", turn: 2 },
    person("thanks"),
  ];
  await screen.begin(events.map((event) => ({ v: 1, at: "2026-11-30T03:00:00.000Z", event })));
  const rows = shown().split("\n");
  equal(rows, [
    "you: fix it",
    "tool: read_file, read a.ts, 3 ms",
    "It is\\x1b[2J fixed.",
    "you: thanks",
    "",
  ]);
  await end();
});

Deno.test("of calls in which the program was ended the past says that nothing is known of them", async () => {
  const { screen, shown, end } = plain();
  const content = [{ type: "tool_call", id: "c1", name: "run_cmd", input: {} }] as const;
  const asked: DurableEvent = {
    type: "message",
    message: { role: "assistant", content, stop: "tool_calls" },
  };
  const events: DurableEvent[] = [
    { type: "turn_start", turn: 1 },
    person("fix it"),
    asked,
    { type: "turn_start", turn: 2 },
    person("again"),
    asked,
    { type: "rewind", toTurn: 1 },
  ];
  await screen.begin(events.map((event) => ({ v: 1, at: "2026-11-30T03:00:00.000Z", event })));
  const ended =
    "event: the program was ended before a result of run_cmd came; what it did is not known";
  equal(shown().split("\n"), ["you: fix it", ended, ""]);
  await end();
});

Deno.test("of a long past its end is shown, and how much stands before it", async () => {
  const { screen, shown, end } = plain();
  const events = Array.from({ length: 100 }, (_, at) => person(`line ${at}`));
  await screen.begin(events.map((event) => ({ v: 1, at: "2026-11-30T03:00:00.000Z", event })));
  const rows = shown().trimEnd().split("\n");
  equal(rows.length, 61);
  equal([rows[0], rows[1]], ["… 40 earlier items; /export holds them", "you: line 40"]);
  await end();
});

function person(text: string): DurableEvent {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "user", content: [...content], origin: "person" } };
}

function reply(text: string): DurableEvent {
  const content = [{ type: "text", text }] as const;
  return { type: "message", message: { role: "assistant", content: [...content], stop: "end" } };
}
