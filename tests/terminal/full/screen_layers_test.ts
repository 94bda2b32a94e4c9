/** The screen as a whole, continued: picker, viewer, secrets, modes, and giving the terminal back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { testScreen } from "../../support/full_screen.ts";
import { commandCall } from "../../support/guarded_call.ts";

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
  await using test = testScreen();
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
  await using test = testScreen();
  const picked = test.screen.pick(PICK);
  await test.terminal.until(/Select model/);
  test.terminal.send("jkk\r");
  equal(await picked, { isCancelled: false, row: 0, dial: 2, action: 0 });
  const cancelled = test.screen.pick(PICK);
  test.terminal.send("\x1b");
  equal(await cancelled, { isCancelled: true });
});

Deno.test("a pick takes the place of the one before and answers an open question no", async () => {
  await using test = testScreen();
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
  await using test = testScreen({ rows: 9 });
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
  await using test = testScreen();
  void test.screen.pick(PICK);
  await test.terminal.until(/Select model/);
  test.screen.sink({ type: "delta", channel: "text", text: "first paragraph\n\nsecond" });
  await test.terminal.until(/first paragraph\nsecond\n◆ Select model/);
});

Deno.test("text of the program stands above the input, each register by its own mark", async () => {
  await using test = testScreen();
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
  await using test = testScreen();
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
  await using test = testScreen({ rows: 12 });
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
  await using test = testScreen();
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
  await using test = testScreen();
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
  await using test = testScreen();
  test.terminal.send("?");
  await test.terminal.until(/Shift\+Tab/);
  // What a key does goes on under itself.
  match(test.terminal.screen(), /put it in the\n {34}queue; take a menu's item\n/);
  test.terminal.send("q");
  await test.terminal.until(/^──\n❯$/);
  test.terminal.send("why?");
  await test.terminal.until(/❯ why\?$/);
  test.terminal.send("\x1b[Z");
  await test.terminal.settle(30);
  equal(test.told, ["mode"]);
});

Deno.test("at rest nothing is drawn and no timer runs", async () => {
  await using test = testScreen();
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
  await using test = testScreen();
  for (const text of ["a\x1b[2Jb", "\x1b]52;c;aGk=\x07", "c\u202ed\r", "\x9b3J\n\n", "end\n\n"]) {
    test.screen.sink({ type: "delta", channel: "text", text });
  }
  await test.terminal.until(/end/);
  match(test.terminal.screen(), /a\\x1b\[2Jb\\x1b\]52;c;aGk=\\x07c\\u\{202e\}d\\r\\x9b3J/);
  ok(!/\x1b\[[23]J|\x1b\]52/.test(test.terminal.written));
});
