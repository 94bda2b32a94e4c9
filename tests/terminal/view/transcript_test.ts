import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import type { DurableEvent, Event } from "@/protocol/event.ts";
import { isDurable } from "@/protocol/event.ts";
import { withoutStyles } from "@/lib/width.ts";
import { MOCK_SESSION } from "../../support/mock_session.ts";
import {
  called,
  CLOCK,
  finished,
  noticed,
  replied,
  said,
  testView,
  unloadedView,
} from "../../support/transcript_view.ts";

const COLUMNS = 80;

function plain(text: string): string[] {
  return withoutStyles(text).split("\n").slice(0, -1);
}

function delta(text: string, channel: "text" | "thinking" = "text"): Event {
  return { type: "delta", channel, text };
}

Deno.test("Transcript gives out what is final once, and keeps the open block in the tail", async () => {
  const { view } = await testView();
  equal(plain(finished(view, said("hi"))), ["── 14:03", "❯ hi"]);
  equal(finished(view, [delta("One par")]), "");
  equal(view.tail(COLUMNS, 10), ["One par"]);
  equal(plain(finished(view, [delta("agraph.\n\nAnother")])), ["One paragraph."]);
  equal(view.tail(COLUMNS, 10), ["", "Another"]);
  equal(view.tail(COLUMNS, 1), ["Another"]);
  equal(finished(view, []), "");
  const [end] = replied("One paragraph.\n\nAnother").slice(-1);
  equal(plain(finished(view, end === undefined ? [] : [end])), ["", "Another"]);
  equal(view.tail(COLUMNS, 10), []);
});

Deno.test("Transcript parts exchanges by a blank line and a rule with the time", async () => {
  const { view } = await testView();
  finished(view, said("one"));
  equal(plain(finished(view, said("two", 2))), ["", "── 14:03", "❯ two"]);
});

Deno.test("Transcript shows a reply that came without deltas, and no reply twice", async () => {
  const { view } = await testView();
  const whole = replied("All at once.").slice(-1);
  equal(plain(finished(view, whole)), ["All at once."]);
  equal(plain(finished(view, replied("In pieces."))), ["In pieces."]);
});

Deno.test("Transcript makes no item of blanks before a call", async () => {
  const { view } = await testView();
  finished(view, [delta("\n\n"), ...called({ name: "x", before: "do x", after: "did x" })]);
  equal([view.items(), view.open(0)?.map(withoutStyles)[0]], [1, "▾ ✓ x · did x · 4ms"]);
});

Deno.test("Transcript shows thinking dim and apart when it is asked to, else not at all", async () => {
  const events = [delta("hm\n", "thinking"), delta("so", "thinking"), delta("Answer.")];
  const { view } = await testView({ showsThinking: true });
  equal(finished(view, [...events, ...replied("Answer.").slice(-1)]).split("\n"), [
    "\u001b[90m  hm\u001b[0m",
    "\u001b[90m  so\u001b[0m",
    "Answer.",
    "",
  ]);
  const hidden = (await testView()).view;
  equal(plain(finished(hidden, [...events, ...replied("Answer.").slice(-1)])), ["Answer."]);
});

Deno.test("Transcript shows a running call with its spinner, what was said and the end of its output", async () => {
  const { view, time } = await testView();
  const output = Array.from({ length: 20 }, (_, at) => `line ${at}\n`);
  const run = called({
    name: "run_cmd",
    before: "run deno test",
    after: "ran deno test",
    ms: 12_000,
    output,
    says: ["Looking", "Starting"],
  });
  ok(!view.isAnimated());
  equal(finished(view, run.slice(0, -2)), "");
  ok(view.isAnimated());
  time.ms = 12_300;
  equal(view.tail(COLUMNS, 20).map(withoutStyles), [
    "▸ ⠇ run_cmd · run deno test · 12s",
    "    · Looking",
    "    · Starting",
    ...["15", "16", "17", "18", "19"].map((at) => `  │ line ${at}`),
  ]);
  ok(view.toggleLive());
  const open = view.tail(COLUMNS, 12).map(withoutStyles);
  equal([open[0], open.length, open.at(-1)], [
    "▾ ⠇ run_cmd · run deno test · 12s",
    12,
    "  │ line 19",
  ]);
  equal(plain(finished(view, run.slice(-2)))[0], "▸ ✓ run_cmd · ran deno test · 12.0s");
  ok(!view.isAnimated());
  ok(!view.toggleLive());
  equal(view.tail(COLUMNS, 20), []);
});

Deno.test("Transcript puts nothing between the lines of one block of code", async () => {
  const { view } = await testView();
  const events = [delta("```\na = 1\n"), noticed("harness-2 says hello"), delta("b = 2\n")];
  equal(plain(finished(view, events)), ["    a = 1", "    b = 2"]);
  equal(view.tail(COLUMNS, 10).map(withoutStyles), ["    · harness-2 says hello"]);
  equal(plain(finished(view, [delta("```\n\nEnd")])), ["    · harness-2 says hello"]);
  equal(view.tail(COLUMNS, 10), ["", "End"]);
});

Deno.test("Transcript shows a notice at once while a paragraph is open", async () => {
  const { view } = await testView();
  equal(plain(finished(view, [delta("Open"), noticed("n")])), ["    · n"]);
  equal(view.tail(COLUMNS, 10), ["Open"]);
});

Deno.test("Transcript drops what was open of a void reply, and says so", async () => {
  const { view } = await testView();
  const events: Event[] = [
    delta("One.\n\nTwo"),
    { type: "reply_discarded", reason: "the connection was lost" },
  ];
  equal(plain(finished(view, events)), [
    "    · what was shown of this reply is void: the connection was lost",
  ]);
  equal(view.tail(COLUMNS, 10), []);
  equal(plain(finished(view, replied("Again."))), ["Again."]);
});

Deno.test("Transcript says how a turn ended where nothing else does", async () => {
  const { view } = await testView();
  const ends = (["abort", "length", "refusal", "end", "limit", "error"] as const).map((stop) =>
    plain(finished(view, [{ type: "turn_end", turn: 1, stop }]))
  );
  equal(ends, [
    ["    · interrupted"],
    [],
    ["✗ The model refused to answer"],
    [],
    [],
    [],
  ]);
});

Deno.test("Transcript takes a call that never ended off the tail when its turn ends", async () => {
  const { view } = await testView();
  finished(view, called({ name: "x", before: "do x", after: "did x" }).slice(0, -2));
  ok(view.isAnimated());
  finished(view, [{ type: "turn_end", turn: 1, stop: "abort" }]);
  ok(!view.isAnimated());
  equal(view.tail(COLUMNS, 9), []);
});

Deno.test("replay() shows what the session showed when it was live", async () => {
  const live = (await testView()).view;
  const shown = finished(live, MOCK_SESSION);
  const { view } = await testView();
  const records = MOCK_SESSION.filter(isDurable).map((event) => ({
    v: 1 as const,
    at: CLOCK.toISOString(),
    event,
  }));
  view.replay(records, 60);
  equal(view.takeFinished(COLUMNS), shown);
  equal(view.items(), live.items());
  equal(view.open(2), live.open(2));
});

Deno.test("replay() shows the latest items and says how many there are before", async () => {
  const events = Array.from({ length: 500 }, (_, at) => [
    ...said(`question ${at}`, at + 1),
    ...replied(`answer ${at}`).filter(isDurable),
  ]).flat().filter(isDurable);
  const { view } = await testView();
  view.replay(events, 3);
  equal(plain(view.takeFinished(COLUMNS)), [
    "    · 997 earlier items · Ctrl+O shows them",
    "answer 498",
    "",
    "──",
    "❯ question 499",
    "answer 499",
  ]);
  equal(view.items(), 1_000);
  equal(view.open(0)?.map(withoutStyles), ["──", "❯ question 0"]);
  equal(view.open(1_000), undefined);
});

Deno.test("replay() says the day of a message of another day", async () => {
  const { view } = await testView();
  const at = new Date(2025, 11, 31, 9, 5).toISOString();
  const events = said("long ago").filter(isDurable);
  view.replay(events.map((event) => ({ v: 1 as const, at, event })), 9);
  equal(plain(view.takeFinished(COLUMNS))[0], "── 2025-12-31 09:05");
});

Deno.test("replay() says of which calls nothing came because the program was ended", async () => {
  const { view } = await testView();
  const content = [{ type: "tool_call" as const, id: "c", name: "run_cmd", input: {} }];
  const events: DurableEvent[] = [
    ...said("one", 1).filter(isDurable),
    { type: "message", message: { role: "assistant", content, stop: "tool_calls" } },
  ];
  view.replay([...events, ...said("two", 2).filter(isDurable), ...events.slice(-1)], 60);
  const ended =
    "    · the program was ended before a result of run_cmd came; what it did is not known";
  equal(plain(view.takeFinished(90)), ["──", "❯ one", ended, "", "──", "❯ two", ended]);
});

Deno.test("replay() leaves out the turns that were taken back", async () => {
  const { view } = await testView();
  const events: DurableEvent[] = [
    ...said("one", 1).filter(isDurable),
    ...said("two", 2).filter(isDurable),
    { type: "rewind", toTurn: 1 },
    ...said("three", 2).filter(isDurable),
  ];
  view.replay(events, 60);
  equal(plain(view.takeFinished(COLUMNS)), ["──", "❯ one", "", "──", "❯ three"]);
});

Deno.test("replay() puts a session before what was said meanwhile", async () => {
  const { view } = await testView();
  view.print("hello", "event");
  view.replay(said("one").filter(isDurable), 60);
  equal(plain(view.takeFinished(COLUMNS)), ["──", "❯ one", "    · hello"]);
});

Deno.test("again() gives the latest items once more, at another width, and nothing that is still open", async () => {
  const { view } = await testView();
  finished(view, [...said("hi"), ...replied("A paragraph of several words.")]);
  view.sink(delta("open"));
  equal(plain(view.again(60, 24)), [
    "",
    "── 14:03",
    "❯ hi",
    "A paragraph of several",
    "words.",
  ]);
  equal(plain(view.again(1, 80)), ["A paragraph of several words."]);
  equal(view.tail(COLUMNS, 5), ["open"]);
});

Deno.test("open() shows a call with its arguments, who decided, what it printed and what came back", async () => {
  const { view } = await testView();
  finished(
    view,
    called({
      name: "run_cmd",
      input: { command: "make\nmake install", timeout_s: 5, env: { A: "1" } },
      before: "run make",
      after: "ran make",
      output: ["\u001b[1mbuilding\u001b[0m\n"],
      says: ["Starting"],
      result: { text: "all done\n" },
    }),
  );
  equal(view.open("last")?.map(withoutStyles), [
    "▾ ✓ run_cmd · ran make · 4ms",
    "│ command:",
    "│   make",
    "│   make install",
    "│ timeout_s: 5",
    "│ env:",
    "│   {",
    '│     "A": "1"',
    "│   }",
    '│ allowed: rule "run_cmd" allows it (rule)',
    "│ ── said",
    "│ Starting",
    "│ ── printed",
    "│ building",
    "│ ── result",
    "│ all done",
  ]);
});

Deno.test("Transcript waits with a reply until Markdown is there, and asks to be drawn then", async () => {
  const gate = Promise.withResolvers<void>();
  const { view, drawn } = unloadedView({
    load: {
      markdown: async () => {
        await gate.promise;
        return await import("@/terminal/full/view/markdown_stream.ts");
      },
    },
  });
  equal(plain(finished(view, [...said("hi"), ...replied("**Bold** words.")])), [
    "── 14:03",
    "❯ hi",
  ]);
  equal(drawn.times, 0);
  gate.resolve();
  await view.preload();
  ok(drawn.times > 0);
  equal(view.takeFinished(COLUMNS), "\u001b[1mBold\u001b[0m words.\n");
});

Deno.test("Transcript begins to load what replies need with the first turn, and not before", async () => {
  let loaded = 0;
  const load = {
    markdown: () => {
      loaded += 1;
      return import("@/terminal/full/view/markdown_stream.ts");
    },
  };
  const { view } = unloadedView({ load });
  finished(view, [noticed("hello")]);
  view.print("hello", "result");
  equal(loaded, 0);
  finished(view, said("hi"));
  equal(loaded, 1);
  await view.preload();
  equal(loaded, 1);
});

Deno.test("Transcript shows replies as they are where Markdown cannot be had, and says why", async () => {
  const { view } = await testView({
    load: { markdown: () => Promise.reject(new Error("no such module")) },
  });
  equal(plain(finished(view, replied("**Bold** words.\n\n- x"))), [
    "    · Markdown cannot be had: no such module",
    "**Bold** words.",
    "",
    "- x",
  ]);
});

Deno.test("Transcript shows code without colours where they cannot be had", async () => {
  const { view } = await testView({
    load: { highlight: () => Promise.reject(new Error("no such module")) },
  });
  const [notice, code] = finished(view, replied("```ts\nconst a = 1;\n```")).split("\n");
  match(notice ?? "", /Colours in code cannot be had/);
  equal(code, "    const a = 1;");
});

Deno.test("print() goes on under the second column of a line that has two", async () => {
  const { view } = await testView();
  view.print(
    "  /undo turn   Take back all AI edits of the newest turn, or none\n  id  x\n",
    "result",
  );
  equal(plain(view.takeFinished(50)), [
    "  │   /undo turn   Take back all AI edits of the",
    "  │                newest turn, or none",
    "  │   id  x",
  ]);
  // Where there is no room for that, below it.
  view.print("  /undo turn   Take back all AI edits", "result");
  equal(plain(view.takeFinished(32)), ["  │   /undo turn   Take back", "  │ all AI edits"]);
});

Deno.test("print() shows what a command printed down its gutter, an event, an error", async () => {
  const { view } = await testView();
  view.print(`${"word ".repeat(30)}\nend\n`, "result");
  view.print("one\ntwo", "event");
  view.print("No such thing", "error");
  const [first = "", second = "", ...rest] = plain(view.takeFinished(40));
  ok(first.startsWith("  │ word") && first.length < 40 && second.startsWith("  │ word"));
  equal(rest.slice(-4), ["  │ end", "    · one", "      two", "✗ No such thing"]);
});

Deno.test("print() fits an event that was broken to another width, and keeps its lists", async () => {
  const { view } = await testView();
  const line = "words that were broken where a line of some other width was full,";
  view.print(`Title\n\n${line}\nand go on here.\n  indented\n- listed\n`, "event");
  equal(plain(view.takeFinished(100)), [
    "    · Title",
    "",
    `      ${line} and go on here.`,
    "        indented",
    "      - listed",
  ]);
});
