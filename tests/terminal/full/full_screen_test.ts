/** The screen as a whole, on a terminal in memory: typing, menus, queue, interrupts and questions. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import type { Choice } from "@/terminal/full/completion.ts";
import { testScreen, type TestScreenOptions } from "../../support/full_screen.ts";
import { commandCall } from "../../support/guarded_call.ts";

const COMMANDS: readonly Choice[] = [
  { label: "help", detail: "List the commands", insert: "help" },
  { label: "model [NAME]", detail: "Say or choose the model", insert: "model" },
  { label: "models", detail: "List the models", insert: "models" },
  { label: "exit", detail: "Leave", insert: "exit" },
];

const PATHS: Readonly<Record<string, readonly Choice[]>> = {
  "": [
    { label: "src/", detail: "", insert: "src/", goesOn: true },
    { label: "my file.txt", detail: "12 B", insert: "my file.txt" },
  ],
  "src/": [{ label: "src/rank.ts", detail: "2 KB", insert: "src/rank.ts" }],
  "my": [{ label: "my file.txt", detail: "12 B", insert: "my file.txt" }],
};

const OPTIONS: TestScreenOptions = {
  driver: {
    commands: () => COMMANDS,
    paths: (prefix) => Promise.resolve(PATHS[prefix] ?? []),
  },
};

const said = (text: string): Event => ({
  type: "message",
  message: { role: "user", origin: "person", content: [{ type: "text", text }] },
});

Deno.test("the menu of commands opens with a slash, narrows, and completes", async () => {
  await using test = testScreen(OPTIONS);
  test.terminal.send("/");
  await test.terminal.until(/exit/);
  equal(
    test.terminal.screen(),
    `
❯ /help          List the commands
  /model [NAME]  Say or choose the model
  /models        List the models
  /exit          Leave
──
❯ /`.trimStart(),
  );
  test.terminal.send("mo");
  await test.terminal.until(/^❯ \/model \[NAME\].*\n {2}\/models/);
  test.terminal.send("\x1b[B\t");
  await test.terminal.until(/^──\n❯ \/models$/);
});

Deno.test("a command that is typed whole is sent by one Enter, whatever the menu shows", async () => {
  await using test = testScreen(OPTIONS);
  const line = test.screen.line();
  test.terminal.send("/exit\r");
  equal(await line, "/exit");
});

Deno.test("Enter on a menu takes its item and sends nothing", async () => {
  await using test = testScreen(OPTIONS);
  const line = test.screen.line();
  test.terminal.send("/mo");
  await test.terminal.until(/\/models/);
  test.terminal.send("\r");
  await test.terminal.until(/^──\n❯ \/model$/);
  test.terminal.send("x\r");
  equal(await line, "/model x");
});

Deno.test("the menu of paths opens with an at sign, goes down with a slash, and quotes blanks", async () => {
  await using test = testScreen(OPTIONS);
  const line = test.screen.line();
  test.terminal.send("read @");
  await test.terminal.until(/@src\//);
  test.terminal.send("\t");
  await test.terminal.until(/❯ @src\/rank\.ts {2}2 KB/);
  test.terminal.send("\t");
  await test.terminal.until(/^──\n❯ read @src\/rank\.ts$/);
  test.terminal.send("and @my");
  await test.terminal.until(/12 B/);
  test.terminal.send("\r");
  await test.terminal.until(/@"my file\.txt"/);
  test.terminal.send("\r");
  equal(await line, 'read @src/rank.ts and @"my file.txt" ');
});

Deno.test("Escape closes the menu for this text, and the text stays", async () => {
  await using test = testScreen(OPTIONS);
  test.terminal.send("/mo");
  await test.terminal.until(/\/models/);
  test.terminal.send("\x1b");
  await test.terminal.until(/^──\n❯ \/mo$/);
  test.terminal.send("d");
  await test.terminal.until(/\/models/);
});

Deno.test("a mail address opens no menu", async () => {
  await using test = testScreen(OPTIONS);
  test.terminal.send("write to me@");
  await test.terminal.until(/me@/);
  await test.terminal.settle(60);
  equal(test.terminal.screen(), "──\n❯ write to me@");
});

Deno.test("lines are made by every key that is known for it, and sent by Enter alone", async () => {
  await using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("one\x1b\rtwo\nthree\x1b[13;2ufour\\\rfive");
  await test.terminal.until(/❯ one\n {2}two\n {2}three\n {2}four\n {2}five/);
  test.terminal.send("\r");
  equal(await line, "one\ntwo\nthree\nfour\nfive");
});

Deno.test("Up goes through earlier messages and comes back to the draft", async () => {
  await using test = testScreen();
  for (const text of ["first", "second"]) {
    const line = test.screen.line();
    test.terminal.send(`${text}\r`);
    await line;
  }
  void test.screen.line();
  test.terminal.send("draft");
  test.terminal.send("\x1b[A");
  await test.terminal.until(/❯ second$/);
  test.terminal.send("\x1b[A");
  await test.terminal.until(/❯ first$/);
  test.terminal.send("\x1b[B\x1b[B");
  await test.terminal.until(/❯ draft$/);
});

Deno.test("Ctrl+R finds what was typed before and puts it into the input, unsent", async () => {
  await using test = testScreen();
  for (const text of ["fix the parser", "run the tests", "fix the tests"]) {
    const line = test.screen.line();
    test.terminal.send(`${text}\r`);
    await line;
  }
  const line = test.screen.line();
  test.terminal.send("\x12fix");
  await test.terminal.until(/ {2}fix the tests\nsearch fix/);
  test.terminal.send("\x12");
  await test.terminal.until(/ {2}fix the parser\nsearch fix/);
  test.terminal.send("\r");
  await test.terminal.until(/^❯ fix the parser$/m);
  test.terminal.send(" now\r");
  equal(await line, "fix the parser now");
  test.terminal.send("\x12zzz");
  await test.terminal.until(/nothing holds zzz/);
});

Deno.test("what is sent is shown until an event shows it", async () => {
  await using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("hello\r");
  await line;
  await test.terminal.until(/❯ hello\n\S working · \d+s\n──\n❯$/);
  test.screen.sink(said("hello"));
  void test.screen.line();
  await test.terminal.until(/^❯ hello\n──\n❯$/);
});

Deno.test("messages are queued while the program works, and the newest is taken back by Up", async () => {
  await using test = testScreen();
  const first = test.screen.line();
  test.terminal.send("one\r");
  await first;
  test.screen.sink(said("one"));
  test.terminal.send("two\rthree\r");
  await test.terminal.until(/queued: two\n {2}· queued: three\n {4}Up takes the last one back/);
  test.terminal.send("\x1b[A");
  await test.terminal.until(/queued: two[\s\S]*❯ three$/);
  test.terminal.send("\x03");
  await test.terminal.until(/Cleared/);
  equal(await test.screen.line(), "two");
});

Deno.test("an interrupt gives back what is queued, and otherwise what the turn began with", async () => {
  for (const key of ["\x1b", "\x03"]) {
    await using test = testScreen();
    const line = test.screen.line();
    test.terminal.send("do it\r");
    await line;
    test.running.is = true;
    test.terminal.send(key);
    await test.terminal.until(/❯ do it/);
    equal(test.told, ["interrupt"]);
  }
  await using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("do it\r");
  await line;
  test.running.is = true;
  test.terminal.send("later\rdraft");
  await test.terminal.until(/❯ draft/);
  test.terminal.send("\x1b");
  await test.terminal.until(/❯ later\n {2}draft/);
});

Deno.test("Ctrl+C clears, then leaves; Escape twice clears; both keep the text in the history", async () => {
  await using test = testScreen();
  test.terminal.send("some text");
  await test.terminal.until(/some text/);
  test.terminal.send("\x1b");
  await test.terminal.until(/Esc again clears the text/);
  test.terminal.send("\x1b");
  await test.terminal.until(/^──\n❯$/);
  test.terminal.send("\x1b[A");
  await test.terminal.until(/❯ some text$/);
  test.terminal.send("\x03");
  await test.terminal.until(/Cleared; Ctrl\+C again leaves/);
  test.terminal.send("\x03");
  await test.terminal.settle(30);
  equal(test.told, ["leave 130"]);
});

Deno.test("Ctrl+D on an empty input is the end; on a text it deletes", async () => {
  await using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("ab\x01\x04");
  await test.terminal.until(/❯ b$/);
  test.terminal.send("\x04\x04");
  equal(await line, undefined);
});

Deno.test("a terminal that goes away is the end of input and a no to every question", async () => {
  await using test = testScreen();
  const signal = new AbortController().signal;
  const answer = test.screen.approver(commandCall("x"), "r", [], signal);
  await test.terminal.until(/◆/);
  test.terminal.hangUp();
  equal(await answer, { answer: "no" });
  equal(await test.screen.line(), undefined);
});

Deno.test("what is typed while the terminal is given back is sent to nobody, and kept in the history", async () => {
  await using test = testScreen();
  const line = test.screen.line();
  await test.terminal.settle();
  await test.screen.settled();
  test.terminal.send("ls\rnext");
  await test.terminal.until(/❯ next/);
  test.screen.close();
  equal([await line, test.history.older("")], [undefined, "ls"]);
});

Deno.test("a question with options is answered by number or in one's own words", async () => {
  await using test = testScreen();
  const signal = new AbortController().signal;
  const answers = test.screen.asker([
    { text: "12 tool calls were made. Go on?", options: ["yes", "no"], freeText: false },
    { text: "Which colour?", options: ["red", "green"] },
  ], signal);
  await test.terminal.until(/Go on/);
  equal(
    test.terminal.screen(),
    `
◆ 12 tool calls were made. Go on?
  › 1. yes
    2. no
    Enter or a number takes it · Esc leaves it unanswered
──
❯`.trimStart(),
  );
  test.terminal.send("1");
  await test.terminal.until(/colour/);
  test.terminal.send("3");
  await test.terminal.until(/answer ❯/);
  test.terminal.send("blue\r");
  equal(await answers, ["yes", "blue"]);
});

Deno.test("whoever begins to type at a question with options answers in words, where these are taken", async () => {
  await using test = testScreen();
  const signal = new AbortController().signal;
  const answers = test.screen.asker([
    { text: "Which colour?", options: ["red", "green"] },
    { text: "Go on?", options: ["yes", "no"], freeText: false },
  ], signal);
  await test.terminal.until(/colour/);
  test.terminal.send("blue, and");
  await test.terminal.until(/answer ❯ blue, and$/);
  for (const letter of " yes\r") test.terminal.send(letter);
  await test.terminal.until(/Go on/);
  test.terminal.send("no");
  await test.terminal.settle(100);
  match(test.terminal.screen(), /Go on[^]*❯$/);
  test.terminal.send("2");
  equal(await answers, ["blue, and yes", "no"]);
});
