/** A terminal behind a slow line: what is on its way to it is bounded, and what is typed is seen before all of that. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { Flow } from "@/terminal/full/flow.ts";
import { testScreen } from "../../support/full_screen.ts";
import { until } from "../../support/until.ts";

const FIRST_MS = 50;

/** A flow whose terminal answers when the test says so. */
function slowLine(options: { muteMs?: number; answers?: boolean; isNew?: boolean } = {}) {
  const state = { now: 0, ready: 0, written: 0 };
  const asked: (() => void)[] = [];
  const flow = new Flow({
    write: (text, drawn) => {
      state.written += text.length;
      if (drawn !== undefined) asked.push(drawn);
    },
    answerMs: () => options.answers === false ? undefined : FIRST_MS,
    ready: () => state.ready += 1,
    now: () => state.now,
    ...(options.muteMs === undefined ? {} : { muteMs: options.muteMs }),
  });
  const answer = () => asked.shift()?.();
  if (options.isNew !== true) {
    // The terminal has shown that it answers.
    flow.write("x".repeat(1_000));
    answer();
  }
  state.written = state.ready = 0;
  /** Write while it is taken. */
  const fill = () => {
    while (flow.mayDraw()) flow.write("x".repeat(500));
  };
  return { flow, state, asked, fill, answer };
}

Deno.test("Flow writes what the line may hold, and goes on when the terminal has drawn it", () => {
  const { flow, state, asked, fill, answer } = slowLine();
  fill();
  equal(state.written, 8_000);
  equal(asked.length, 8);
  equal(state.ready, 0);
  answer();
  equal(state.ready, 1);
  equal(flow.room, 1_000);
  flow.close();
});

Deno.test("Flow asks nothing for what a person types", () => {
  const { flow, state, asked } = slowLine();
  for (let at = 0; at < 9; at++) flow.write("y".repeat(100));
  equal(asked.length, 0);
  equal(state.ready, 0);
  flow.close();
});

Deno.test("Flow gives a slow line less and a quick one more, but only one that was tried", () => {
  const slow = slowLine();
  slow.fill();
  slow.state.now += FIRST_MS + 2_000;
  while (slow.asked.length > 0) slow.answer();
  equal(slow.flow.room, 2_000);
  slow.flow.close();

  const quick = slowLine();
  for (let at = 0; at < 100; at++) {
    quick.flow.write("z".repeat(1_000));
    quick.answer();
  }
  equal(quick.flow.room, 8_000);
  quick.fill();
  while (quick.asked.length > 0) quick.answer();
  ok(quick.flow.room > 8_000);
  quick.flow.close();
});

Deno.test("Flow does not wait for ever for the rest of what a line that died has taken", async () => {
  const { flow, state, fill, answer } = slowLine({ muteMs: 20 });
  fill();
  state.now += FIRST_MS + 2_000;
  answer(); // Late, so that still too much is on its way.
  ok(flow.room <= 0);
  await until(() => state.ready > 0);
  equal([flow.mayDraw(), state.ready], [true, 1]);
  flow.close();
});

Deno.test("Flow waits for no terminal that never answered, and not for ever for one that did", async () => {
  const never = slowLine({ answers: false });
  never.flow.write("x".repeat(100_000));
  equal([never.flow.mayDraw(), never.asked.length], [true, 0]);
  never.flow.close();

  // It said who it is, and answers nothing else.
  const fresh = slowLine({ isNew: true });
  fresh.flow.write("x".repeat(100_000));
  equal([fresh.flow.mayDraw(), fresh.asked.length], [true, 1]);
  fresh.answer();
  fresh.fill();
  equal(fresh.flow.mayDraw(), false);
  fresh.flow.close();

  const mute = slowLine({ muteMs: 20 });
  mute.fill();
  while (mute.state.ready === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  equal(mute.flow.mayDraw(), true);
  mute.flow.write("x".repeat(100_000));
  equal(mute.flow.mayDraw(), true);
  // It was only late.
  while (mute.asked.length > 0) mute.answer();
  mute.fill();
  ok(!mute.flow.mayDraw());
  mute.flow.close();
});

Deno.test("Flow waits for no answer from before the terminal was somebody else's", () => {
  const { flow, state, fill } = slowLine();
  fill();
  flow.forget();
  equal([state.ready, flow.room], [1, 8_000]);
  flow.close();
});

Deno.test("a long text over a slow line lets what is typed be seen first, and arrives whole", async () => {
  await using test = testScreen({ rows: 12 });
  test.screen.print("it answers\n".repeat(200), "result");
  await test.terminal.until(/it answers[^]*❯/);
  test.terminal.hold();
  const lines = Array.from({ length: 800 }, (_, at) => `line ${at + 1} of a text that is long`);
  test.screen.print(lines.join("\n"), "result");
  await test.terminal.settle(200);
  const before = test.terminal.written.length;
  ok(before < 20_000, `${before} characters are on their way`);
  test.terminal.send("typed");
  await test.terminal.settle(100);
  equal(test.terminal.written.length, before);
  test.terminal.letThrough();
  await test.terminal.until(/❯ typed/);
  ok(!test.terminal.all().includes("line 800 "));
  const end = performance.now() + 10_000;
  while (!test.terminal.all().includes("line 800 ") && performance.now() < end) {
    test.terminal.letThrough();
    await test.terminal.settle(10);
  }
  const shown = [...test.terminal.all().matchAll(/line (\d+) of/g)].map(([, number]) =>
    Number(number)
  );
  equal(shown, lines.map((_, at) => at + 1));
  equal(test.terminal.cursor().line, "❯ typed");
});
