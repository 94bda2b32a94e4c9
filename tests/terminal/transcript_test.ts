import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import type { Event } from "@/protocol/event.ts";
import type { Decision } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { LineWriter } from "@/terminal/line_writer.ts";
import { palette } from "@/terminal/color.ts";
import { transcript } from "@/terminal/transcript.ts";

function shown(
  events: readonly Event[],
  options: { showsText?: boolean; color?: boolean } = {},
): string {
  let text = "";
  const sink = transcript({
    out: new LineWriter((piece) => void (text += piece)),
    paint: palette(options.color ?? false),
    showsText: options.showsText ?? true,
    showsThinking: () => false,
  });
  for (const event of events) sink(event);
  return text;
}

const NO: Decision = { verdict: "deny", by: "person", reason: "the person said no" };

function ended(callId: string, name: string, result: ToolResult): Event {
  return { type: "message", message: { role: "tool", callId, name, result } };
}

Deno.test("transcript() says of each line what it is, without colour", () => {
  equal(
    shown([
      { type: "delta", channel: "thinking", text: "hidden" },
      { type: "delta", channel: "text", text: "I look.\n" },
      { type: "delta", channel: "text", text: "Now" },
      { type: "tool_start", callId: "1", name: "run_cmd", summary: "run tests" },
      { type: "tool_output", callId: "1", chunk: "a\nb" },
      ended("1", "run_cmd", { status: "failed", text: "a\nb" }),
      { type: "tool_end", callId: "1", summary: "ran tests", ms: 7, shown: "a\nb" },
      { type: "tool_start", callId: "2", name: "x", summary: "quick" },
      ended("2", "edit_file", { status: "failed", text: "Cannot edit it: no such file\nmore" }),
      { type: "tool_end", callId: "2", summary: "did not edit a.ts", ms: 1 },
      { type: "decision", callId: "3", asked: true, decision: NO },
      ended("3", "nothing", { status: "denied", text: "Nothing was done" }),
      { type: "tool_end", callId: "3", summary: "nothing", ms: 0 },
      { type: "edit", journalId: "e-1", tool: "x", paths: ["/a"], commit: "4f1c2ae0123456789" },
      { type: "edit", journalId: "e-2", tool: "x", paths: ["/a"] },
      { type: "retry", reason: "The server is busy", attempt: 1, waitMs: 2000 },
      { type: "notice", level: "error", text: "Broken" },
      { type: "turn_end", turn: 1, stop: "abort" },
    ]),
    "I look.\nNow\ntool: run_cmd, run tests …\n  | a\n  | b\ntool: run_cmd, ran tests, 7 ms\n" +
      "error: edit_file, did not edit a.ts: Cannot edit it: no such file\n" +
      "error: nothing: the person said no\n" +
      "event: committed 4f1c2ae; /undo takes it back\n" +
      "event: The server is busy; trying again in 2.0 s (attempt 1)\nerror: Broken\nevent: interrupted\n",
  );
});

Deno.test("transcript() leaves the text out where the answer goes to stdout", () => {
  equal(shown([{ type: "delta", channel: "text", text: "x" }], { showsText: false }), "");
});

Deno.test("transcript() says that the model refused, where the run does not end with that", () => {
  const over: Event = { type: "turn_end", turn: 1, stop: "refusal" };
  equal(shown([over]), "error: The model refused to answer\n");
  equal(shown([over], { showsText: false }), "");
});

Deno.test("transcript() says that a reply is void where some of it was shown", () => {
  const void_: Event = { type: "reply_discarded", reason: "lost" };
  const delta: Event = { type: "delta", channel: "text", text: "Half" };
  equal(
    shown([delta, void_, void_]),
    "Half\nevent: what was shown of this reply is void (lost)\n",
  );
  equal(shown([delta, void_], { showsText: false }), "");
  const said: Event = {
    type: "message",
    message: { role: "assistant", content: [{ type: "text", text: "Half" }], stop: "end" },
  };
  equal(shown([delta, said, void_]), "Half");
});

Deno.test("transcript() lets no control character of anybody through, however it is cut", () => {
  const hostile = fc.array(
    fc.constantFrom(
      "\u001b",
      "[2J",
      "\u009b",
      "]52;c;",
      "\u0007",
      "\u202e",
      "a",
      "\r",
      "\u{e0041}",
    ),
  );
  fc.assert(
    fc.property(hostile, (pieces) => {
      const text = shown(pieces.flatMap((text): Event[] => [
        { type: "delta", channel: "text", text },
        { type: "tool_output", callId: "1", chunk: text },
        { type: "tool_end", callId: "1", summary: text, ms: 0 },
        { type: "notice", level: "warn", text },
      ]));
      // deno-lint-ignore no-control-regex -- These are what must not be there.
      ok(
        !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u
          .test(text),
      );
    }),
    { numRuns: 300 },
  );
});
