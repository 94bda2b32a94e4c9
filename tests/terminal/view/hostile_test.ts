import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc, runs } from "../../support/property.ts";
import type { Event } from "@/protocol/event.ts";
import { textWidth, withoutStyles } from "@/lib/width.ts";
import { visible } from "@/lib/visible.ts";
import type { Transcript } from "@/terminal/full/view/transcript.ts";
import { called, message, testView } from "../../support/transcript_view.ts";

const STREAMS = 10_000;
const COLUMNS = 60;
const ROWS_MAX = 10;

const HOSTILE = [
  ..."\u001b \u009b \u0007 \u0000 \u007f \u0085 \r \u0008 \u202e \u2066 \u200b \u00ad \ufeff \ud83d \u{e0041} \u2028"
    .split(" "),
  "\u001b[2J",
  "\u001b[?1049h",
  "\u001b]52;c;YQ==\u0007",
  "\u001b]8;;http://x\u001b\\",
  "\u001bP1q\u001b\\",
  "\u001b[31m",
  "&#27;[2J",
  "&#x9b;2J",
  "[a](\u001b]0;t\u0007)",
  "👩\u200d👩\u200d👧",
  "❤\ufe0f",
  "한글",
  "日本語。",
  "\t",
];
const SHAPES = [
  "```ts\n",
  "```\n",
  "~~~html\n",
  "\n",
  "\n\n",
  "# ",
  "- ",
  "1. ",
  "  - ",
  "> ",
  "| a | b |\n|---|---|\n",
  "| ",
  "**",
  "`",
  "const x = `a",
  "/* ",
  "<b ",
  "&amp;",
  "[x](",
  ")",
  "---\n",
  "word ",
  "\\",
];

const piece = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(...SHAPES),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

/** Cut anywhere, inside of characters too. */
const cuts = fc.array(fc.nat(60), { maxLength: 6 });

function deltas(whole: string, at: readonly number[]): Event[] {
  const places = [...new Set([0, ...at.filter((one) => one < whole.length), whole.length])]
    .sort((a, b) => a - b);
  return places.slice(1).map((to, index): Event => ({
    type: "delta",
    channel: "text",
    text: whole.slice(places[index], to),
  }));
}

/** Every kind of event that carries a text of somebody else. */
function others(hostile: string): Event[] {
  return [
    message("user", hostile),
    message("user", hostile, "shell"),
    message("user", hostile, "agent"),
    { type: "delta", channel: "thinking", text: hostile },
    { type: "reply_discarded", reason: hostile },
    { type: "retry", reason: hostile, attempt: 1, waitMs: 1 },
    { type: "notice", level: "error", text: hostile },
    { type: "notice", level: "warn", text: hostile },
    { type: "model", provider: "a", model: "b" },
    { type: "model", provider: hostile, model: hostile },
    ...called({
      name: hostile,
      input: { [hostile]: hostile },
      before: hostile,
      after: hostile,
      output: [hostile, hostile],
      says: [hostile],
      result: {
        text: hostile,
        meta: { diff: `@@ -1 +1 @@ ${hostile}\n-${hostile}\n+${hostile}` },
        parts: [{ type: "image", mime: hostile, data: new Uint8Array(2) }],
      },
    }),
    ...called({
      id: "c2",
      name: "x",
      before: "x",
      after: hostile,
      denied: hostile,
      result: { status: "denied", text: hostile },
    }),
  ];
}

const OWN_STYLE = /^\x1b\[(?:0|(?:[124]|3[1-6]|90)(?:;(?:[124]|3[1-6]|90))*)m$/;

function assertClean(shown: string): void {
  for (const sequence of shown.match(/\x1b\[[\d;:]*m/g) ?? []) ok(OWN_STYLE.test(sequence));
  const plain = withoutStyles(shown);
  equal(plain.split("\n").map((line) => visible(line, { oneLine: true })).join("\n"), plain);
}

/** Feed the events; everything that comes out on the way. */
function* shown(view: Transcript, events: readonly Event[]): Generator<string> {
  for (const event of events) {
    view.sink(event);
    yield view.takeFinished(COLUMNS);
    const rows = view.tail(COLUMNS, ROWS_MAX);
    ok(rows.length <= ROWS_MAX);
    for (const row of rows) {
      ok(textWidth(row) < COLUMNS, `a row is too wide: ${JSON.stringify(row)}`);
      yield row;
    }
  }
}

Deno.test("Transcript lets no control character of anybody through, however its text is cut", () => {
  return fc.assert(
    fc.asyncProperty(text, cuts, async (whole, at) => {
      const { view } = await testView();
      const reply: Event = {
        type: "message",
        message: { role: "assistant", content: [{ type: "text", text: whole }], stop: "end" },
      };
      for (const out of shown(view, [...deltas(whole, at), reply])) assertClean(out);
      assertClean((view.open("last") ?? []).join("\n"));
    }),
    runs(STREAMS),
  );
});

Deno.test("Transcript makes visible what any event carries, closed, live and open", () => {
  return fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (hostile, colored) => {
      const { view } = await testView({ showsThinking: true, colored });
      const out = [...shown(view, others(hostile))];
      for (const one of out) assertClean(one);
      for (let at = 0; at < view.items(); at++) assertClean((view.open(at) ?? []).join("\n"));
      assertClean(view.again(100, COLUMNS));
      view.print(hostile, "result");
      view.print(hostile, "error");
      view.print(hostile, "event");
      assertClean(view.takeFinished(COLUMNS));
    }),
    { numRuns: 300 },
  );
});

Deno.test("print() shows a source as it is, with only its control characters made visible", async () => {
  const { view } = await testView();
  view.print("a\tb \u001b[2J\r\n  c\u202e\n", "source");
  equal(view.takeFinished(10), "a\tb \\x1b[2J\n  c\\u{202e}\n");
});
