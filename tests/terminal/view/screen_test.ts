/** The transcript on the full screen, on a terminal in memory. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { Event } from "@/protocol/event.ts";
import { isDurable } from "@/protocol/event.ts";
import type { FullScreen } from "@/terminal/full/full_screen.ts";
import { MOCK_SESSION } from "../../support/mock_session.ts";
import { testScreen } from "../../support/full_screen.ts";
import type { TestTerminal } from "../../support/test_terminal.ts";
import { CLOCK, noticed, replied, said, testView } from "../../support/transcript_view.ts";

type World = { terminal: TestTerminal; screen: FullScreen };

const CLEARS = /\x1b\[[23]J|\x1b\[\d*;?\d*r/;
const ALTERNATE = "\x1b[?1049h";
const CTRL_O = "\x0f";

async function world(
  body: (world: World) => Promise<void>,
  size: { columns: number; rows: number } = { columns: 80, rows: 24 },
): Promise<void> {
  await using test = testScreen(size);
  const { view } = await testView({ colored: false });
  test.screen.show(view);
  await body(test);
}

/** Play events, with a frame after each few of them, until the screen shows what comes of the last. */
async function play({ terminal, screen }: World, events: readonly Event[], until: RegExp) {
  for (const [at, event] of events.entries()) {
    screen.sink(event);
    if (at % 12 === 0) await terminal.settle(40);
  }
  await terminal.until(until);
}

const END_OF_SESSION = /38 \+ .*titleBoost;\n──\n❯/;

Deno.test("a session stands on the screen as the transcript gives it out, and nothing is ever cleared", () =>
  world(async (it) => {
    await play(it, MOCK_SESSION, END_OF_SESSION);
    const kept = await Deno.readTextFile(
      new URL("../../testdata/terminal/session-plain.txt", import.meta.url),
    );
    const rows = kept.split("\n").filter((row) => row.startsWith("|")).map((row) => row.slice(1));
    equal(it.terminal.all().split("\n").slice(0, rows.length), rows);
    ok(!CLEARS.test(it.terminal.written));
    ok(!it.terminal.written.includes(ALTERNATE));
  }));

Deno.test("an old card is opened in the viewer, which leaves nothing behind", () =>
  world(async (it) => {
    const { terminal } = it;
    await play(it, MOCK_SESSION, END_OF_SESSION);
    const before = terminal.all();
    terminal.send(CTRL_O);
    await terminal.until(/File edited/);
    ok(terminal.isAlternate);
    terminal.send("/");
    terminal.send("deno task test rank");
    terminal.send("\r");
    // It is above what is in sight.
    terminal.send("N");
    await terminal.until(/command: deno task test rank/);
    terminal.send("q");
    await terminal.until(END_OF_SESSION);
    ok(!terminal.isAlternate);
    equal(terminal.all(), before);
    ok(!CLEARS.test(terminal.written));
  }));

Deno.test("a reply that is cut off by leaving stands in the scrollback as far as it was finished", () =>
  world(async (it) => {
    const open: Event = { type: "delta", channel: "text", text: "One.\n\nTwo" };
    await play(it, [...said("hi"), open], /One\.\n\nTwo\n/);
    it.screen.close();
    await it.terminal.drawn();
    match(it.terminal.all(), /❯ hi\nOne\./);
  }));

Deno.test("a resumed session begins with how much there is before, and can be opened whole", () =>
  world(async ({ terminal, screen }) => {
    const records = Array.from({ length: 100 }, (_, at) => [
      ...said(`question ${at}`, at + 1),
      ...replied(`answer ${at}`),
    ]).flat().filter(isDurable).map((event) => ({ v: 1 as const, at: CLOCK.toISOString(), event }));
    screen.replay(records);
    await terminal.settle();
    match(
      terminal.all(),
      /^ {4}· 140 earlier items · Ctrl\+O shows them\n\n── 14:03\n❯ question 70\n/,
    );
    match(terminal.screen(), /❯ question 99\nanswer 99\n──\n❯/);
    terminal.send(CTRL_O);
    await terminal.until(/200 of 200|answer 99/);
    terminal.send("g");
    await terminal.until(/❯ question 0\nanswer 0/);
  }));

Deno.test("another conversation begins on an empty screen, and nothing of the one before is cleared", () =>
  world(async ({ terminal, screen }) => {
    screen.print("what stood there before", "event");
    await terminal.until(/what stood there before/);
    await screen.begin([]);
    screen.print("the new one", "event");
    const seen = await terminal.until(/the new one/);
    ok(!/before/.test(seen), seen);
    match(terminal.all(), /what stood there before[\s\S]*the new one/);
    equal(terminal.cursor().row, 2);
    ok(!CLEARS.test(terminal.written));
  }));

Deno.test("notices that come in while a window is narrow are wrapped within it", () =>
  world(async (it) => {
    const notice = noticed("a notice that is longer than the window is wide, 추측: 동점 처리");
    await play(it, [notice], /처리\n──/);
    ok(it.terminal.screen().split("\n").every((row) => row.length < 30));
    match(
      it.terminal.screen(),
      /^ {4}· a notice that is longer\n {6}than the window is\n {6}wide, 추측: 동점 처리\n/,
    );
  }, { columns: 30, rows: 20 }));
