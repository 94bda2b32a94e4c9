import { deepEqual as assertEquals } from "node:assert/strict";
import { assertAnswered } from "../support/assert_answered.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { Block, Message } from "@/protocol/message.ts";
import { HistoryCheck, HistoryFold, historyProblem, toHistory } from "@/agent/history.ts";
import { fc } from "../support/property.ts";

const user = (text: string): DurableEvent => ({
  type: "message",
  message: { role: "user", origin: "person", content: [{ type: "text", text }] },
});
const assistant = (...content: Block[]): DurableEvent => ({
  type: "message",
  message: { role: "assistant", content, stop: "end" },
});
const call = (id: string, name = "echo"): Block => ({ type: "tool_call", id, name, input: {} });
const result = (callId: string, text = "r"): DurableEvent => ({
  type: "message",
  message: { role: "tool", callId, name: "echo", result: { status: "ok", text } },
});
const words = (text: string): Block => ({ type: "text", text });

Deno.test("toHistory() closes calls that the log never answered", () => {
  const history = toHistory([user("a"), assistant(call("1"), call("2")), result("1")]);
  assertEquals(history.map((m) => m.role), ["user", "assistant", "tool", "tool"]);
  assertEquals(history.at(-1), {
    role: "tool",
    callId: "2",
    name: "echo",
    result: { status: "not_run", text: "the session ended before this call had a result" },
  });
  assertEquals(historyProblem(history), undefined);
});

Deno.test("toHistory() says of a call that was let through and never answered that it may have begun", () => {
  const decided = (callId: string, verdict: "allow" | "deny"): DurableEvent => ({
    type: "decision",
    callId,
    decision: { verdict, by: "rule", reason: "" },
    asked: false,
  });
  const history = toHistory([
    user("a"),
    assistant(call("1"), call("2"), call("3")),
    decided("1", "allow"),
    decided("2", "deny"),
  ]);
  const states = history.flatMap((m) => m.role === "tool" ? [m.result.status] : []);
  assertEquals(states, ["interrupted", "not_run", "not_run"]);
});

Deno.test("toHistory() drops a result without its call", () => {
  assertEquals(toHistory([user("a"), result("9")]).length, 1);
});

Deno.test("toHistory() gives a call whose id comes twice an id of its own, and its result too", () => {
  const history = toHistory([
    user("a"),
    assistant(call("x"), call("x")),
    result("x", "first"),
    result("x", "second"),
    assistant(call("x")),
    result("x", "third"),
    user("b"),
  ]);
  assertAnswered(history);
  assertEquals(
    history.flatMap((m) => m.role === "tool" ? [[m.callId, m.result.text]] : []),
    [["x", "first"], ["x-2", "second"], ["x-3", "third"]],
  );
});

Deno.test("toHistory() drops empty text and messages with nothing but thinking", () => {
  const history = toHistory([
    user("a"),
    assistant(words(" \n"), { type: "thinking", text: "hm" }),
    assistant(words(""), words("b")),
    user("  "),
  ]);
  assertEquals(history.length, 2);
  assertEquals(history[1], { role: "assistant", content: [words("b")], stop: "end" });
});

Deno.test("toHistory() keeps an empty text block that carries private data", () => {
  const signed: Block = {
    type: "text",
    text: "",
    private: { wire: "g", baseUrl: "u", model: "m", data: "s" },
  };
  const history = toHistory([user("a"), assistant(signed, words("b"))]);
  assertEquals(history[1], { role: "assistant", content: [signed, words("b")], stop: "end" });
});

Deno.test("toHistory() puts a placeholder in the place of a replaced item, for good", () => {
  const history = toHistory([
    user("a"),
    assistant(call("1")),
    result("1", "x".repeat(100)),
    { type: "replaced", index: 2, reason: "too large" },
    assistant(words("ok")),
  ]);
  assertEquals(history[2], {
    role: "tool",
    callId: "1",
    name: "echo",
    result: { status: "ok", text: "[removed: too large]" },
  });
});

Deno.test("toHistory() leaves what was said beside an image that a server rejected", () => {
  const image = { type: "image", mime: "image/png", data: new Uint8Array(50) } as const;
  const said = { type: "text", text: "Look at this." } as const;
  const removed = { type: "text", text: "[removed: too large]" } as const;
  const shown = { status: "ok", text: "one page", parts: [image] } as const;
  const history = toHistory([
    { type: "message", message: { role: "user", origin: "person", content: [said, image] } },
    assistant(call("1")),
    { type: "message", message: { role: "tool", callId: "1", name: "echo", result: shown } },
    { type: "replaced", index: 0, reason: "too large" },
    { type: "replaced", index: 2, reason: "too large" },
  ]);
  assertEquals(history[0], { role: "user", origin: "person", content: [said, removed] });
  assertEquals(history[2], {
    role: "tool",
    callId: "1",
    name: "echo",
    result: { status: "ok", text: "one page\n[removed: too large]" },
  });
});

Deno.test("toHistory() starts with the summary after a compaction", () => {
  const history = toHistory([user("a"), assistant(words("b")), user("c"), {
    type: "compaction",
    summary: "S",
    keepFrom: 2,
  }]);
  assertEquals(history.map((m) => m.role), ["user", "user"]);
});

Deno.test("toHistory() goes back to the end of a turn on rewind", () => {
  const turn = (n: number): DurableEvent => ({ type: "turn_start", turn: n });
  const events = [
    turn(1),
    user("a"),
    assistant(call("1")),
    turn(2),
    user("b"),
    assistant(words("c")),
  ];
  const history = toHistory([...events, { type: "rewind", toTurn: 1 }, user("d")]);
  assertAnswered(history);
  assertEquals(history.map((m) => m.role), ["user", "assistant", "tool", "user"]);
});

Deno.test("historyProblem() names what a strict API would refuse", () => {
  const unanswered = [{ role: "assistant", content: [call("1")], stop: "end" }] as const;
  assertEquals(historyProblem(unanswered), "calls without a result: 1");
  const orphan = [{
    role: "tool",
    callId: "7",
    name: "e",
    result: { status: "ok", text: "" },
  }] as const;
  assertEquals(historyProblem(orphan), 'result for unknown call "7"');
});

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom(user(""), user("text"), assistant(), assistant(words("said"))),
  fc.array(fc.constantFrom("1", "2", "3", "4").map((id) => call(id)), { maxLength: 2 })
    .map((calls) => assistant(...calls)),
  fc.constantFrom("1", "2", "3", "4").map((id) => result(id)),
).map((event) => {
  if (event.type !== "message") throw new Error("only messages are made here");
  return event.message;
});

Deno.test("HistoryCheck says of a history that grows and changes what historyProblem() says of it whole", () => {
  const change = fc.record({ at: fc.nat(12), removed: fc.nat(3), added: fc.array(anyMessage) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const check = new HistoryCheck();
      let messages: readonly Message[] = [];
      for (const { at, removed, added } of changes) {
        messages = messages.toSpliced(at, removed, ...added);
        assertEquals(check.problem(messages), historyProblem(messages));
        if (historyProblem(messages) !== undefined) messages = messages.slice(0, -1);
      }
    }),
    { numRuns: 1_000 },
  );
});

const anyEvent: fc.Arbitrary<DurableEvent> = fc.oneof(
  fc.constantFrom("", " ", "text").map(user),
  fc.array(
    fc.oneof(
      fc.constantFrom("", "1", "2", "x").map((id) => call(id)),
      fc.constantFrom("", "said").map(words),
      fc.constant<Block>({ type: "thinking", text: "t" }),
    ),
    { maxLength: 4 },
  ).map((blocks) => assistant(...blocks)),
  fc.constantFrom("", "1", "2", "x").map((id) => result(id)),
  fc.nat(4).map((turn): DurableEvent => ({ type: "turn_start", turn })),
  fc.nat(4).map((toTurn): DurableEvent => ({ type: "rewind", toTurn })),
  fc.nat(6).map((index): DurableEvent => ({ type: "replaced", index, reason: "r" })),
);

Deno.test("HistoryFold is valid after any events whatever, with one more thing said", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const fold = new HistoryFold();
      for (const event of events) {
        fold.add(event);
        assertEquals(historyProblem(fold.messages()), undefined);
      }
      fold.add(user("next"));
      assertAnswered(fold.messages());
    }),
    { numRuns: 500 },
  );
});
