/** What is typed while a question is up: no letter of it answers, and none is lost. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { asked, change, REACHES } from "../../support/asked.ts";
import { testScreen } from "../../support/full_screen.ts";
import { commandCall } from "../../support/guarded_call.ts";

/** Nobody types any more. */
const QUIET_MS = 1_100;

Deno.test("no other key answers, and no key that comes with others; what is typed is the next message", async () => {
  await using test = await asked(commandCall("x"));
  for (const keys of ["\r", "q", " ", "yes", "예", "\t", "\x1b[200~y\x1b[201~"]) {
    test.terminal.send(keys);
    await test.terminal.settle(40);
  }
  match(test.terminal.screen(), /wants to run[^]*❯ q yes예y$/);
  await test.terminal.settle(QUIET_MS);
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
  match(test.terminal.screen(), /❯ q yes예y$/);
});

Deno.test("a text is begun, mended and sent while a question waits, and none of its letters answers", async () => {
  await using test = await asked(commandCall("x"));
  const line = test.screen.line();
  for (const keys of ["h", "o", "l", "d", " ", "o", "n", "n", "\x7f"]) {
    test.terminal.send(keys);
    await test.terminal.settle(20);
  }
  await test.terminal.until(/wants to run[^]*❯ hold on$/);
  await test.terminal.settle(QUIET_MS);
  // What is no answer is for the text, also now.
  test.terminal.send("\x1b[D\x7f\r");
  equal(await line, "hold n");
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
});

Deno.test("Escape closes a menu that is open below a question, and is no answer", async () => {
  await using test = await asked(commandCall("x"), {
    driver: { commands: () => [{ label: "help", detail: "List the commands", insert: "help" }] },
  });
  test.terminal.send("/");
  await test.terminal.until(/List the commands/);
  await test.terminal.settle(QUIET_MS);
  test.terminal.send("\x1b");
  await test.terminal.settle(100);
  match(test.terminal.screen(), /wants to run[^]*❯ \/$/);
  equal(/List the commands/.test(test.terminal.screen()), false);
  test.terminal.send("\x1b");
  equal(await test.answer, { answer: "no" });
});

Deno.test("a person who is typing answers nothing, and loses nothing of the word", async () => {
  await using test = testScreen();
  test.terminal.send("wh");
  await test.terminal.until(/❯ wh/);
  const signal = new AbortController().signal;
  const answer = test.screen.approver(commandCall("x"), "r", REACHES, signal);
  await test.terminal.until(/◆/);
  for (const letter of "y any") {
    test.terminal.send(letter);
    await test.terminal.settle(30);
  }
  await test.terminal.until(/❯ why any/);
  await test.terminal.settle(350);
  test.terminal.send("y");
  equal(await answer, { answer: "yes" });
  match(test.terminal.screen(), /❯ why any/);
});

Deno.test("a word that begins with a is no always, and none of its digits takes a reach", async () => {
  await using test = await asked(commandCall("x"));
  for (const letter of "add 2") {
    test.terminal.send(letter);
    await test.terminal.settle(20);
  }
  await test.terminal.until(/wants to run[^]*❯ dd 2$/);
  await test.terminal.settle(QUIET_MS);
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
});

Deno.test("who stops to think in a text that was begun with the question in view answers nothing by its next letter", async () => {
  await using test = await asked(commandCall("x"));
  for (const letters of ["h", "e", "y"]) {
    test.terminal.send(letters);
    await test.terminal.settle(500);
  }
  await test.terminal.until(/wants to run[^]*❯ hey$/);
  await test.terminal.settle(QUIET_MS);
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
});

Deno.test("where nothing can be edited, an e begins a text", async () => {
  await using test = await asked(change);
  for (const letter of "ex") {
    test.terminal.send(letter);
    await test.terminal.settle(20);
  }
  await test.terminal.until(/wants to change[^]*❯ ex$/);
});
