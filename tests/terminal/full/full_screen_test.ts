/** The screen as a whole, on a terminal in memory: typing, menus, queue, interrupts, picker, viewer, and giving it back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
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
  using test = testScreen(OPTIONS);
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
  using test = testScreen(OPTIONS);
  const line = test.screen.line();
  test.terminal.send("/exit\r");
  equal(await line, "/exit");
});

Deno.test("Enter on a menu takes its item and sends nothing", async () => {
  using test = testScreen(OPTIONS);
  const line = test.screen.line();
  test.terminal.send("/mo");
  await test.terminal.until(/\/models/);
  test.terminal.send("\r");
  await test.terminal.until(/^──\n❯ \/model$/);
  test.terminal.send("x\r");
  equal(await line, "/model x");
});

Deno.test("the menu of paths opens with an at sign, goes down with a slash, and quotes blanks", async () => {
  using test = testScreen(OPTIONS);
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
  using test = testScreen(OPTIONS);
  test.terminal.send("/mo");
  await test.terminal.until(/\/models/);
  test.terminal.send("\x1b");
  await test.terminal.until(/^──\n❯ \/mo$/);
  test.terminal.send("d");
  await test.terminal.until(/\/models/);
});

Deno.test("a mail address opens no menu", async () => {
  using test = testScreen(OPTIONS);
  test.terminal.send("write to me@");
  await test.terminal.until(/me@/);
  await test.terminal.settle(60);
  equal(test.terminal.screen(), "──\n❯ write to me@");
});

Deno.test("lines are made by every key that is known for it, and sent by Enter alone", async () => {
  using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("one\x1b\rtwo\nthree\x1b[13;2ufour\\\rfive");
  await test.terminal.until(/❯ one\n {2}two\n {2}three\n {2}four\n {2}five/);
  test.terminal.send("\r");
  equal(await line, "one\ntwo\nthree\nfour\nfive");
});

Deno.test("Up goes through earlier messages and comes back to the draft", async () => {
  using test = testScreen();
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
  using test = testScreen();
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
  using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("hello\r");
  await line;
  await test.terminal.until(/❯ hello\n⠋ working · 0s\n──\n❯$/);
  test.screen.sink(said("hello"));
  void test.screen.line();
  await test.terminal.until(/^❯ hello\n──\n❯$/);
});

Deno.test("messages are queued while the program works, and the newest is taken back by Up", async () => {
  using test = testScreen();
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
    using test = testScreen();
    const line = test.screen.line();
    test.terminal.send("do it\r");
    await line;
    test.running.is = true;
    test.terminal.send(key);
    await test.terminal.until(/❯ do it/);
    equal(test.told, ["interrupt"]);
  }
  using test = testScreen();
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
  using test = testScreen();
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
  using test = testScreen();
  const line = test.screen.line();
  test.terminal.send("ab\x01\x04");
  await test.terminal.until(/❯ b$/);
  test.terminal.send("\x04\x04");
  equal(await line, undefined);
});

Deno.test("a terminal that goes away is the end of input and a no to every question", async () => {
  using test = testScreen();
  const signal = new AbortController().signal;
  const answer = test.screen.approver(commandCall("x"), "r", [], signal);
  await test.terminal.until(/◆/);
  test.terminal.hangUp();
  equal(await answer, { answer: "no" });
  equal(await test.screen.line(), undefined);
});

Deno.test("a question with options is answered by number or in one's own words", async () => {
  using test = testScreen();
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
    Enter or a number takes it · Esc does not answer
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

const PICK = {
  title: "Select model",
  text: "Switch models. Your pick becomes the default for new conversations.",
  rows: [
    { label: "gpt-5.6-luna", detail: "via openai · effort none only" },
    { label: "gpt-5", detail: "via openai", isCurrent: true },
    { label: "claude-opus-5", detail: "via anthropic" },
  ],
  current: 1,
  dial: { label: "effort", options: ["none", "low", "medium", "high"], current: 2 },
  actions: [
    { key: "enter", label: "set as default" },
    { key: "s", label: "this conversation only" },
  ],
};

Deno.test("the picker is this frame, and leaves nothing behind", async () => {
  using test = testScreen();
  const picked = test.screen.pick(PICK);
  await test.terminal.until(/Select model/);
  equal(
    test.terminal.screen(),
    `
◆ Select model
  Switch models. Your pick becomes the default for new conversations.
    1. gpt-5.6-luna   via openai · effort none only
  › 2. gpt-5 ✓        via openai
    3. claude-opus-5  via anthropic
  ● effort: medium   ←/→ to change
  Enter set as default · s this conversation only · Esc cancel
──
❯`.trimStart(),
  );
  test.terminal.send("\x1b[C3s");
  equal(await picked, { isCancelled: false, row: 2, dial: 3, action: 1 });
  await test.terminal.until(/^──\n❯$/);
  equal(test.terminal.all(), "──\n❯");
});

Deno.test("the picker moves by arrows and letters, and a cancelled one reports too", async () => {
  using test = testScreen();
  const picked = test.screen.pick(PICK);
  await test.terminal.until(/Select model/);
  test.terminal.send("jkk\r");
  equal(await picked, { isCancelled: false, row: 0, dial: 2, action: 0 });
  const cancelled = test.screen.pick(PICK);
  test.terminal.send("\x1b");
  equal(await cancelled, { isCancelled: true });
});

Deno.test("a pick takes the place of the one before and answers an open question no", async () => {
  using test = testScreen();
  const signal = new AbortController().signal;
  const answer = test.screen.approver(commandCall("x"), "r", [], signal);
  await test.terminal.until(/◆/);
  const first = test.screen.pick({ ...PICK, title: "First" });
  equal(await answer, { answer: "no" });
  const second = test.screen.pick({ ...PICK, title: "Second" });
  equal(await first, { isCancelled: true });
  await test.terminal.until(/Second/);
  test.terminal.send("\r");
  equal((await second).isCancelled, false);
});

Deno.test("in a low window the picker scrolls its rows and drops its sentence first", async () => {
  using test = testScreen({ rows: 9 });
  void test.screen.pick({
    ...PICK,
    rows: Array.from({ length: 30 }, (_, n) => ({ label: `model ${n}` })),
    current: 17,
  });
  const seen = await test.terminal.until(/Select model/);
  ok(!/Switch models/.test(seen));
  match(seen, /› 18\. model 17/);
  match(seen, /of 30/);
});

Deno.test("a reply keeps arriving behind a picker", async () => {
  using test = testScreen();
  void test.screen.pick(PICK);
  await test.terminal.until(/Select model/);
  test.screen.sink({ type: "delta", channel: "text", text: "first paragraph\n\nsecond" });
  await test.terminal.until(/first paragraph\nsecond\n◆ Select model/);
});

Deno.test("text of the program stands above the input, each register by its own mark", async () => {
  using test = testScreen();
  test.screen.print("listed\n\tone", "result");
  test.screen.print("a note\nof two lines", "event");
  test.screen.print("it failed\x1b[2J", "error");
  test.screen.typed("/help");
  await test.terminal.until(/\/help/);
  equal(
    test.terminal.screen(),
    `
  │ listed
  │         one
    · a note
      of two lines
✗ it failed\\x1b[2J
❯ /help
──
❯`.slice(1),
  );
});

Deno.test("a line is asked for above the input; a secret one is not shown", async () => {
  using test = testScreen();
  const answer = test.screen.ask("Terms of use\n\nDo you accept this? [y/N] ");
  await test.terminal.until(/Terms of use\n[\s\S]*◆ Do you accept this\? \[y\/N\]\n──\n❯$/);
  test.terminal.send("yes\r");
  equal(await answer, "yes");
  const secret = test.screen.secret("Key: ");
  await test.terminal.until(/◆ Key:/);
  test.terminal.send("sk-1234");
  await test.terminal.until(/❯ \*{7}$/);
  test.terminal.send("\r");
  equal(await secret, "sk-1234");
  ok(!test.terminal.written.includes("sk-1234"));
  equal(test.history.entries, []);
  const given = test.screen.secret("Key: ");
  test.terminal.send("\x1b");
  equal(await given, undefined);
});

Deno.test("the viewer shows everything on the alternate screen and leaves the main one as it was", async () => {
  using test = testScreen({ rows: 12 });
  for (let n = 0; n < 30; n++) {
    test.screen.sink({ type: "notice", level: "info", text: `note ${n}` });
  }
  await test.terminal.until(/note 29/);
  const before = test.terminal.all();
  test.terminal.send("\x0f");
  await test.terminal.until(/30 of 30|q back/);
  equal(test.terminal.isAlternate, true);
  test.terminal.send("g");
  await test.terminal.until(/note 0\b/);
  test.terminal.send("/note 7\r");
  await test.terminal.until(/^ +· note 7\n/);
  test.terminal.send("q");
  await test.terminal.until(/──/);
  equal(test.terminal.isAlternate, false);
  equal(test.terminal.all(), before);
});

Deno.test("what is finished while the viewer is open stands on the main screen afterwards, once", async () => {
  using test = testScreen();
  test.screen.sink({ type: "notice", level: "info", text: "before" });
  await test.terminal.until(/before/);
  test.terminal.send("\x0f");
  await test.terminal.until(/q back/);
  test.screen.sink({ type: "notice", level: "info", text: "meanwhile" });
  await test.terminal.settle(80);
  test.terminal.send("\x0f");
  await test.terminal.until(/── *\n?❯?/);
  await test.terminal.until(/before\n {4}· meanwhile\n──\n❯$/);
});

Deno.test("a question that comes while the viewer is open is announced there", async () => {
  using test = testScreen();
  test.screen.sink({ type: "notice", level: "info", text: "before" });
  await test.terminal.until(/before/);
  test.terminal.send("\x0f");
  await test.terminal.until(/q back/);
  const answer = test.screen.approver(commandCall("x"), "r", [], new AbortController().signal);
  await test.terminal.until(/◆ a question waits/);
  test.terminal.send("y");
  await test.terminal.settle(40);
  test.terminal.send("q");
  await test.terminal.until(/wants to run: x/);
  test.terminal.send("y");
  equal(await answer, { answer: "yes" });
});

Deno.test("? shows the keys, Shift+Tab goes to the next mode", async () => {
  using test = testScreen();
  test.terminal.send("?");
  await test.terminal.until(/Shift\+Tab/);
  test.terminal.send("q");
  await test.terminal.until(/^──\n❯$/);
  test.terminal.send("why?");
  await test.terminal.until(/❯ why\?$/);
  test.terminal.send("\x1b[Z");
  await test.terminal.settle(30);
  equal(test.told, ["mode"]);
});

Deno.test("at rest nothing is drawn and no timer runs", async () => {
  using test = testScreen();
  void test.screen.line();
  await test.terminal.settle(250);
  const before = test.terminal.written.length;
  await test.terminal.settle(400);
  equal(test.terminal.written.length, before);
});

Deno.test("every mode is off and nothing of the tail is left when it is closed", async () => {
  const test = testScreen();
  test.screen.print("kept", "event");
  test.terminal.send("half a line");
  await test.terminal.until(/half a line/);
  equal([test.terminal.isRaw, test.terminal.modes.bracketedPasteMode], [true, true]);
  test.screen.close();
  await test.terminal.drawn();
  equal(test.terminal.screen(), "    · kept");
  equal(test.terminal.isRaw, false);
  const { bracketedPasteMode, sendFocusMode } = test.terminal.modes;
  equal([bracketedPasteMode, sendFocusMode], [false, false]);
  match(test.terminal.written, /\x1b\[\?25h$/);
  const before = test.terminal.written.length;
  test.screen.print("late", "event");
  test.screen.sink({ type: "notice", level: "info", text: "late" });
  test.screen.close();
  await test.terminal.settle(80);
  equal(test.terminal.written.length, before);
});

Deno.test("nothing that a model streams reaches the terminal raw", async () => {
  using test = testScreen();
  for (const text of ["a\x1b[2Jb", "\x1b]52;c;aGk=\x07", "c\u202ed\r", "\x9b3J\n\n", "end\n\n"]) {
    test.screen.sink({ type: "delta", channel: "text", text });
  }
  await test.terminal.until(/end/);
  match(test.terminal.screen(), /a\\x1b\[2Jb\\x1b\]52;c;aGk=\\x07c\\u\{202e\}d\\r\\x9b3J/);
  ok(!/\x1b\[[23]J|\x1b\]52/.test(test.terminal.written));
});
