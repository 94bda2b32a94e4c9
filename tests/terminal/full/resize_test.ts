/** Windows that change their size, on a terminal in memory that wraps what it holds anew. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { pathCall } from "../../support/guarded_call.ts";
import { testScreen } from "../../support/full_screen.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("a storm of sizes loses no line, shows none twice and leaves no ghosts", async () => {
  await using test = testScreen({
    columns: 120,
    rows: 40,
    driver: { status: () => ({ model: "m/x", right: "/help" }) },
  });
  void test.screen.line();
  test.terminal.send("text in the input");
  await test.terminal.until(/text in the input/);
  let count = 0;
  for (let n = 0; n < 40; n++) {
    test.terminal.resize(60 + (n * 37) % 71, 20 + (n * 13) % 26);
    test.screen.resize();
    if (n % 2 === 0) {
      test.screen.sink({ type: "notice", level: "info", text: `notice ${count++}.` });
    }
    await pause(5 + (n * 17) % 20);
  }
  test.terminal.resize(100, 30);
  test.screen.resize();
  await pause(500);
  await test.terminal.drawn();
  const all = test.terminal.all();
  equal(all.match(/notice \d+\./g), Array.from({ length: count }, (_, n) => `notice ${n}.`), all);
  equal(all.match(/❯ text in the input/g)?.length, 1, all);
  equal(all.match(/^──$/gm)?.length, 1, all);
  equal(all.match(/^ m\/x/gm)?.length, 1, all);
});

Deno.test("a size that the system is told of late takes no finished line away", async () => {
  await using test = testScreen({ columns: 120, rows: 40 });
  void test.screen.line();
  for (let n = 0; n < 30; n++) {
    test.screen.sink({ type: "notice", level: "info", text: `notice ${n}.` });
  }
  const call = pathCall("write_file", [`/ws/${"a".repeat(108)}`, `/ws/${"b".repeat(108)}`]);
  const answer = test.screen.approver(call, "why ".repeat(60), [], new AbortController().signal);
  await test.terminal.until(/◆/);
  for (let n = 0; n < 4; n++) {
    // Narrower for a moment; when the system hears of it, the window is wide again, and the system hears that later.
    test.terminal.resize(66, 28 + n);
    test.screen.resize();
    await pause(20);
    test.terminal.resizeUntold(130, 44);
    await pause(250);
    test.terminal.tell();
    test.screen.resize();
    await pause(700);
    test.terminal.resize(120, 40);
    test.screen.resize();
    await pause(500);
  }
  await test.terminal.drawn();
  const all = test.terminal.all();
  equal(all.match(/notice \d+\./g), Array.from({ length: 30 }, (_, n) => `notice ${n}.`), all);
  equal(all.match(/◆ write_file/g)?.length, 1, all);
  test.terminal.send("y");
  equal(await answer, { answer: "yes" });
});

Deno.test("a storm of sizes while a question with a long change waits leaves one question, which can be answered", async () => {
  await using test = testScreen({ columns: 100, rows: 30 });
  void test.screen.line();
  const added = Array.from({ length: 60 }, (_, n) => `+line ${n}`).join("\n");
  const call = {
    ...pathCall("write_file", ["/ws/a.txt"]),
    preview: () => Promise.resolve(`--- /dev/null\n+++ a.txt\n@@ -0,0 +1,60 @@\n${added}`),
  };
  const answer = test.screen.approver(call, "no rule allows it", [], new AbortController().signal);
  await test.terminal.until(/◆/);
  for (let n = 0; n < 40; n++) {
    test.terminal.resize(60 + (n * 37) % 71, 20 + (n * 13) % 26);
    test.screen.resize();
    await pause(5 + (n * 17) % 20);
  }
  test.terminal.resize(100, 30);
  test.screen.resize();
  await pause(500);
  await test.terminal.drawn();
  equal(test.terminal.all().match(/◆ write_file/g)?.length, 1, test.terminal.all());
  test.terminal.send("y");
  equal(await answer, { answer: "yes" });
  await test.terminal.settle();
  ok(!test.terminal.all().includes("◆"), test.terminal.all());
});

Deno.test("nothing is written while a window changes its size", async () => {
  await using test = testScreen();
  await test.terminal.settle();
  test.terminal.resize(70, 24);
  test.screen.resize();
  const before = test.terminal.written.length;
  test.screen.sink({ type: "notice", level: "info", text: "during" });
  test.terminal.send("x");
  await pause(60);
  equal(test.terminal.written.length, before);
  await test.terminal.until(/during\n──\n❯ x$/);
});

Deno.test("a size that is only found out when a frame is due freezes it too", async () => {
  await using test = testScreen({ columns: 100 });
  await test.terminal.settle();
  test.terminal.resize(50, 24);
  const before = test.terminal.written.length;
  test.terminal.send("x".repeat(60));
  await pause(60);
  equal(test.terminal.written.length, before);
  await test.terminal.until(/❯ x{46,47}\n {2}x+$/);
});

Deno.test("a long input is wrapped anew and its caret stands right after every size", async () => {
  await using test = testScreen({ columns: 100, rows: 30 });
  const text = "동점 처리를 고쳤습니다 and some English words ".repeat(4).trim();
  test.terminal.send(text);
  await test.terminal.until(/words$/);
  for (const columns of [60, 35, 90, 50, 120]) {
    test.terminal.resize(columns, 30);
    test.screen.resize();
    await pause(450);
    await test.terminal.drawn();
    const shown = test.terminal.screen().split("\n");
    const input = shown.slice(shown.indexOf("──") + 1).map((row) => row.slice(2));
    equal(input.join(" ").replaceAll(/\s+/g, " "), text, `${columns}`);
    ok(test.terminal.cursor().line.trimEnd().endsWith(input.at(-1) ?? "?"));
    equal(test.terminal.all().match(/──/g)?.length, 1, test.terminal.all());
  }
});

Deno.test("a window that changes while the viewer is open loses nothing of the main screen", async () => {
  await using test = testScreen({ columns: 100, rows: 20 });
  for (let n = 0; n < 30; n++) {
    test.screen.sink({ type: "notice", level: "info", text: `${n}.` });
  }
  await test.terminal.until(/29\./);
  test.terminal.send("\x0f");
  await test.terminal.until(/q back/);
  test.terminal.resize(60, 15);
  test.screen.resize();
  await pause(300);
  test.terminal.send("q");
  await test.terminal.until(/──\n❯$/);
  const seen = test.terminal.all().match(/\d+\./g);
  equal(seen, Array.from({ length: 30 }, (_, n) => `${n}.`));
});
