/** The question before a call, on a screen in memory: whole frames at two widths, and what each key answers. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import type { Approval, GuardedCall, Reach } from "@/protocol/policy.ts";
import { asked, change, REACHES } from "../../support/asked.ts";
import { testScreen } from "../../support/full_screen.ts";
import { commandCall, pathCall } from "../../support/guarded_call.ts";
import { until } from "../../support/until.ts";

const FRAMES: readonly { name: string; columns: number; call: GuardedCall; frame: string }[] = [
  {
    name: "a command",
    columns: 80,
    call: commandCall("deno task test --allow-write=./out"),
    frame: `
◆ run_cmd wants to run: deno task test --allow-write=./out
    why: no rule allows it
    "always" covers: 1 exactly this: deno task test
                     2 every command "deno task …" with any plain arguments
    y once · n no, and say why · a always · e edit it · ctrl+o everything
──
❯`,
  },
  {
    name: "a command",
    columns: 120,
    call: commandCall("deno task test --allow-write=./out"),
    frame: `
◆ run_cmd wants to run: deno task test --allow-write=./out
    why: no rule allows it
    "always" covers: 1 exactly this: deno task test · 2 every command "deno task …" with any plain arguments
    y once · n no, and say why · a always · e edit it · ctrl+o everything
──
❯`,
  },
  {
    name: "a change",
    columns: 80,
    call: change,
    frame: `
◆ edit_file wants to change src/rank.ts (+1 −1)
    37   // the score
    38 - const score = (bm25(q, p) + titleBoost) / norm(p.length);
    38 + const score = bm25(q, p) / norm(p.length) + titleBoost;
    39   return score;
    why: no rule allows it
    "always" covers: 1 exactly this: deno task test
                     2 every command "deno task …" with any plain arguments
    y once · n no, and say why · a always · ctrl+o everything
──
❯`,
  },
  {
    name: "a change",
    columns: 120,
    call: change,
    frame: `
◆ edit_file wants to change src/rank.ts (+1 −1)
    37   // the score
    38 - const score = (bm25(q, p) + titleBoost) / norm(p.length);
    38 + const score = bm25(q, p) / norm(p.length) + titleBoost;
    39   return score;
    why: no rule allows it
    "always" covers: 1 exactly this: deno task test · 2 every command "deno task …" with any plain arguments
    y once · n no, and say why · a always · ctrl+o everything
──
❯`,
  },
  {
    name: "a read outside the workspace",
    columns: 80,
    call: pathCall("read_file", ["/etc/hosts"], { effect: "reads", outside: true }),
    frame: `
◆ read_file wants to read /etc/hosts (outside the workspace)
    why: no rule allows it
    "always" covers: 1 exactly this: deno task test
                     2 every command "deno task …" with any plain arguments
    y once · n no, and say why · a always · ctrl+o everything
──
❯`,
  },
];

for (const { name, columns, call, frame } of FRAMES) {
  Deno.test(`the question about ${name} is this frame at ${columns} columns`, async () => {
    await using test = await asked(call, { columns });
    equal(test.terminal.screen(), frame.trimStart());
  });
}

Deno.test("the reaches of an always are this frame", async () => {
  await using test = await asked(commandCall("deno task test"));
  test.terminal.send("a");
  await test.terminal.until(/how far/);
  equal(
    test.terminal.screen(),
    `
◆ always: how far?
  › 1. exactly this: deno task test
    2. every command "deno task …" with any plain arguments
  ● in this project   ←/→ to change
    Enter or a number takes it · Esc back
──
❯`.trimStart(),
  );
});

const ANSWERS: readonly { keys: readonly string[]; answer: Approval }[] = [
  { keys: ["y"], answer: { answer: "yes" } },
  { keys: ["\x1b"], answer: { answer: "no" } },
  { keys: ["n", "\x1b"], answer: { answer: "no" } },
  { keys: ["n", "\r"], answer: { answer: "no" } },
  { keys: ["n", "use pnpm", "\r"], answer: { answer: "no", reason: "use pnpm" } },
  {
    keys: ["a", "\r"],
    answer: { answer: "always", reach: REACHES[0] as Reach, scope: "project" },
  },
  { keys: ["a", "2"], answer: { answer: "always", reach: REACHES[1] as Reach, scope: "project" } },
  {
    keys: ["a", "\x1b[C", "\x1b[B", "\r"],
    answer: { answer: "always", reach: REACHES[1] as Reach, scope: "run" },
  },
  {
    keys: ["a", "\x1b[D", "1"],
    answer: { answer: "always", reach: REACHES[0] as Reach, scope: "everywhere" },
  },
  { keys: ["a", "\x1b", "y"], answer: { answer: "yes" } },
  {
    keys: ["e", " --quiet", "\r"],
    answer: { answer: "yes", instead: "deno task test --quiet" },
  },
  { keys: ["e", "\r", "y"], answer: { answer: "yes" } },
];

for (const { keys, answer } of ANSWERS) {
  Deno.test(`the keys ${JSON.stringify(keys)} answer ${answer.answer}`, async () => {
    await using test = await asked(commandCall("deno task test"));
    for (const key of keys) {
      test.terminal.send(key);
      // Escape is known for what it is when nothing has followed for a moment.
      await test.terminal.settle(120);
    }
    equal(await test.answer, answer);
    await test.terminal.until(/^──\n❯$/);
  });
}

Deno.test("the key answers on a Korean and a Russian keyboard and with Caps Lock", async () => {
  for (const key of ["Y", "ㅛ", "н"]) {
    await using test = await asked(commandCall("x"));
    test.terminal.send(key);
    equal(await test.answer, { answer: "yes" });
  }
});

Deno.test("n alone is a no after a moment in which nothing is typed", async () => {
  await using test = await asked(commandCall("x"));
  test.terminal.send("n");
  equal(await test.answer, { answer: "no" });
});

Deno.test("a long command is there whole, in pieces that can be scrolled", async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `echo line ${n};`);
  await using test = await asked(commandCall(lines.join("\n")), { rows: 20 });
  const shown = () => test.terminal.screen().match(/echo line \d+;/g) ?? [];
  const seen = new Set(shown());
  while (seen.size < lines.length) {
    const before = shown().join();
    test.terminal.send("\x1b[6~");
    await until(() => shown().join() !== before);
    await test.terminal.settle(50);
    for (const line of shown()) seen.add(line);
  }
  match(test.terminal.screen(), /\d+ more above/);
});

Deno.test("a question is seen in the lowest window, and how it is answered as soon as there is room", async () => {
  const shown = async (rows: number, columns = 60) => {
    await using test = await asked(change, { columns, rows });
    return test.terminal.screen().split("\n");
  };
  equal(await shown(3), ["◆ edit_file wants to change src/rank.ts (+1 −1)", "❯"]);
  equal(await shown(4), [
    "◆ edit_file wants to change src/rank.ts (+1 −1)",
    "    y · n · a · ctrl+o",
    "❯",
  ]);
  equal((await shown(8)).length, 7);
  ok((await shown(24, 24)).includes("    y · n · a · ctrl+o"));
});

Deno.test("in a low window the change itself is in sight, and what stays as it is gives way", async () => {
  const around = Array.from({ length: 9 }, (_, n) => ` line ${n + 1}`).join("\n");
  const diff = `--- a.ts\n+++ a.ts\n@@ -1,10 +1,10 @@\n${around}\n-old\n+new`;
  await using test = await asked({ ...change, preview: () => Promise.resolve(diff) }, { rows: 12 });
  match(test.terminal.screen(), /10 - old[\s\S]*10 \+ new/);
  match(test.terminal.screen(), /more above/);
  test.terminal.send("\x1b[H");
  await test.terminal.until(/ 1 {3}line 1/);
});

Deno.test("what would be hidden in a command is drawn", async () => {
  await using test = await asked(commandCall("echo ok\u202e; rm -rf x\u001b[2K\u00a0y"));
  match(test.terminal.screen(), /echo ok\\u\{202e\}; rm -rf x\\x1b\[2K\\xa0y/);
});

Deno.test("Ctrl+C is a no and interrupts the turn", async () => {
  await using test = await asked(commandCall("x"));
  test.running.is = true;
  test.terminal.send("\x03");
  equal(await test.answer, { answer: "no" });
  equal(test.told, ["interrupt"]);
});

Deno.test("an interrupted question rejects and is gone", async () => {
  await using test = await asked(commandCall("x"));
  test.abort.abort(new Error("interrupted"));
  await rejects(test.answer, /interrupted/);
  await test.terminal.until(/^──\n❯$/);
});

Deno.test("where an always would not do, it is not offered", async () => {
  await using test = await asked(commandCall("x"), { reaches: [] });
  ok(!/always/.test(test.terminal.screen()));
  test.terminal.send("a");
  await test.terminal.until(/"always" is not offered here/);
});

Deno.test("questions wait for each other", async () => {
  await using test = await asked(commandCall("first"));
  const second = test.screen.approver(commandCall("second"), "r", [], test.abort.signal);
  await test.terminal.settle();
  ok(!/second/.test(test.terminal.screen()));
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
  await test.terminal.until(/second/);
  test.terminal.send("y");
  equal(await second, { answer: "yes" });
});

Deno.test("a window of a few rows still shows what is asked and the keys", async () => {
  await using test = await asked(change, { rows: 6 });
  const screen = test.terminal.screen();
  match(screen, /wants to change/);
  match(screen, /y once/);
});

Deno.test("Ctrl+G edits the command: here, and pressed again in the person's own editor", async () => {
  const test = testScreen({ driver: { editText: (text) => Promise.resolve(`${text} --quiet\n`) } });
  await using _ = test;
  const signal = new AbortController().signal;
  const answer = test.screen.approver(commandCall("deno task test"), "no rule", REACHES, signal);
  await test.terminal.until(/◆/);
  test.terminal.send("\x07");
  await test.terminal.until(/instead ❯ deno task test/);
  test.terminal.send("\x07");
  await test.terminal.until(/instead ❯ deno task test --quiet/);
  test.terminal.send("\r");
  equal(await answer, { answer: "yes", instead: "deno task test --quiet" });
});

Deno.test("Ctrl+G hands no secret to an editor", async () => {
  let handed = 0;
  await using test = testScreen({
    driver: { editText: (text) => Promise.resolve(`${text}${++handed}`) },
  });
  const key = test.screen.secret("Key: ");
  await test.terminal.until(/Key:/);
  for (const typed of ["k", "\x07", "\r"]) {
    test.terminal.send(typed);
    await test.terminal.settle(60);
  }
  equal([await key, handed], ["k", 0]);
});

Deno.test("Ctrl+Z suspends during a question, and the question stands again afterwards", async () => {
  const stopped = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const stopping = {
    canStop: () => Promise.resolve(true),
    stop: () => {
      stopped.resolve();
      return goesOn.promise;
    },
  };
  await using test = await asked(commandCall("deno task test"), { stopping });
  test.terminal.send("\x1a");
  await stopped.promise;
  goesOn.resolve();
  await test.terminal.until(/wants to run/);
  test.terminal.send("y");
  equal(await test.answer, { answer: "yes" });
});
