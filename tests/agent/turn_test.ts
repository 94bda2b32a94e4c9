import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { PersonError } from "@/protocol/error.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { toHistory } from "@/agent/history.ts";
import { assertAnswered } from "../support/assert_answered.ts";
import { loop, say } from "../support/loop.ts";
import { calls, type Reply, says, scriptedProvider } from "../support/scripted_provider.ts";

/** The results of a log as [name, status, text]. */
function results(log: readonly DurableEvent[]): string[][] {
  return log.flatMap((event) =>
    event.type === "message" && event.message.role === "tool"
      ? [[event.message.name, event.message.result.status, event.message.result.text]]
      : []
  );
}

function hookTexts(log: readonly DurableEvent[]): string[] {
  return log.flatMap((event) => {
    if (event.type !== "message" || event.message.role !== "user") return [];
    if (event.message.origin !== "hook") return [];
    return event.message.content.flatMap((part) => part.type === "text" ? [part.text] : []);
  });
}

const count = (log: readonly DurableEvent[], type: DurableEvent["type"]) =>
  log.filter((event) => event.type === type).length;

Deno.test("say() runs calls, feeds their results back and ends with the answer", async () => {
  const provider = scriptedProvider([
    calls([{ name: "echo", input: { text: "hi" } }]),
    says("said hi"),
  ]);
  const { harness, log } = loop({ provider });
  const outcome = await say(harness);
  equal([outcome.stop, outcome.answer, outcome.requests], ["end", "said hi", 2]);
  equal(results(log), [["echo", "ok", "hi"]]);
  equal([count(log, "turn_start"), count(log, "turn_end"), count(log, "decision")], [1, 1, 1]);
  equal(provider.requests[1]?.messages.at(-1)?.role, "tool");
});

Deno.test("say() answers an unknown tool, a throwing tool and wrong arguments and goes on", async () => {
  const batch = [{ name: "nope" }, { name: "boom" }, { name: "echo", input: { text: {} } }, {
    name: "fails",
  }];
  const { harness, log } = loop({ provider: scriptedProvider([calls(batch), says("ok")]) });
  equal((await say(harness)).stop, "end");
  const rows = results(log);
  equal(rows.map(([name, status]) => [name, status]), [
    ["nope", "failed"],
    ["boom", "failed"],
    ["echo", "failed"],
    ["fails", "failed"],
  ]);
  match(rows[0]?.[2] ?? "", /no tool is named "nope"/);
  equal(rows[1]?.[2], "division by zero");
  match(rows[2]?.[2] ?? "", /text/);
  equal(count(log, "decision"), 4);
});

Deno.test("say() never runs a damaged call and tells the model why", async () => {
  const provider = scriptedProvider([
    calls([{ name: "echo", input: { text: "x" }, damage: "the arguments are not JSON" }]),
    says("ok"),
  ]);
  const { harness, log } = loop({ provider });
  await say(harness);
  equal(results(log), [["echo", "failed", "Not run: the arguments are not JSON"]]);
});

Deno.test("say() never runs the last call of a reply that reached the output limit", async () => {
  const batch = [{ name: "echo", input: { text: "whole" } }, {
    name: "echo",
    input: { text: "cut" },
  }];
  const { harness, log } = loop({
    provider: scriptedProvider([calls(batch, { stop: "length" }), says("ok")]),
  });
  await say(harness);
  const rows = results(log);
  equal(rows[0], ["echo", "ok", "whole"]);
  equal(rows[1]?.[1], "failed");
  match(rows[1]?.[2] ?? "", /Send less at once/);
});

Deno.test("say() ends with length when a text reply reached the output limit", async () => {
  const { harness, log } = loop({ provider: scriptedProvider([says("half", "length")]) });
  const outcome = await say(harness);
  equal([outcome.stop, outcome.answer], ["length", "half"]);
  const notices = log.flatMap((event) => event.type === "notice" ? [event.text] : []);
  match(notices.join("\n"), /^The reply was cut off: .*MAX_OUTPUT_TOKENS/);
});

Deno.test("say() treats a refusal as a stop that was paid for", async () => {
  const { harness, log } = loop({ provider: scriptedProvider([says("", "refusal")]) });
  equal((await say(harness)).stop, "refusal");
  equal(count(log, "usage"), 1);
});

Deno.test("say() nudges once after an empty reply, then fails", async () => {
  const provider = scriptedProvider([says(""), says("  ")]);
  const { harness, log } = loop({ provider });
  const { stop, error } = await say(harness);
  equal([stop, error instanceof PersonError && error.kind], ["error", "provider"]);
  equal(provider.requests.length, 2);
  equal(hookTexts(log).length, 1);
  const told = log.flatMap((event) => event.type === "notice" ? [event.text] : []);
  equal(told.length, 1);
  match(told[0] ?? "", /nothing twice\. Say it again/);
});

Deno.test("say() gives duplicate and missing ids ids of their own", async () => {
  const batch = [
    { name: "echo", input: { text: "a" }, id: "x" },
    { name: "echo", input: { text: "b" }, id: "x" },
    { name: "echo", input: { text: "c" }, id: "" },
  ];
  const provider = scriptedProvider([calls(batch), calls(batch.slice(0, 1)), says("ok")]);
  const { harness, log } = loop({ provider });
  equal((await say(harness)).stop, "end");
  assertAnswered([...toHistory(log), {
    role: "user",
    origin: "person",
    content: [{ type: "text", text: "?" }],
  }]);
});

Deno.test("say() keeps what ran, interrupts what runs and does not run the rest of a batch", async () => {
  const batch = [
    { name: "echo", input: { text: "first" } },
    { name: "hang" },
    { name: "echo", input: { text: "third" } },
  ];
  const { harness, log } = loop({
    provider: scriptedProvider([calls(batch)]),
    sink: (event) => {
      if (event.type === "tool_output") harness.interrupt();
    },
  });
  const outcome = await say(harness);
  equal(outcome.stop, "abort");
  const rows = results(log);
  equal(rows.map(([, status]) => status), ["ok", "interrupted", "not_run"]);
  match(rows[1]?.[2] ?? "", /half of it/);
  equal(count(log, "decision"), 3);
});

Deno.test("interrupt() ends a tool that does not listen within 200 ms", async () => {
  const { harness, log } = loop({
    provider: scriptedProvider([calls([{ name: "deaf" }])]),
    sink: (event) => {
      if (event.type === "tool_start") queueMicrotask(() => harness.interrupt());
    },
  });
  equal((await say(harness)).stop, "abort");
  match(results(log)[0]?.[2] ?? "", /may still take effect/);
});

Deno.test("interrupt() in a reply keeps the text that was said and drops its calls", async () => {
  const reply: Reply = {
    events: [
      { type: "delta", channel: "text", text: "I was say" },
      { type: "tool_call", id: "1", name: "echo", input: { text: "x" } },
    ],
    hang: true,
  };
  const { harness, log } = loop({
    provider: scriptedProvider([reply, says("again")]),
    sink: (event) => {
      if (event.type === "delta" && event.text === "I was say") {
        setTimeout(() => harness.interrupt(), 5);
      }
    },
  });
  equal((await say(harness)).stop, "abort");
  const history = toHistory(log);
  equal(history.at(-1), {
    role: "assistant",
    content: [{ type: "text", text: "I was say" }],
    stop: "abort",
  });
  equal((await say(harness, "go on")).stop, "end");
});

Deno.test("interrupt() before the first request ends the turn without one", async () => {
  const provider = scriptedProvider([says("too late")]);
  const { harness, log } = loop({
    provider,
    prepare: (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        queueMicrotask(() => harness.interrupt());
      }),
  });
  equal([(await say(harness)).stop, provider.requests.length], ["abort", 0]);
  equal([count(log, "turn_start"), count(log, "message"), count(log, "turn_end")], [1, 1, 1]);
});

Deno.test("say() marks a broken reply void and ends with the provider's error", async () => {
  const fault = new ProviderError("connection", "The connection was lost", { hint: "Try again" });
  const reply: Reply = { events: [{ type: "delta", channel: "text", text: "half" }], fault };
  const { harness, log, seen } = loop({ provider: scriptedProvider([reply]) });
  const outcome = await say(harness);
  equal([outcome.stop, outcome.error], ["error", fault]);
  ok(seen.some((event) => event.type === "reply_discarded"));
  ok(
    log.some((event) =>
      event.type === "notice" && event.text === "The connection was lost. Try again"
    ),
  );
  equal(toHistory(log).length, 1);
});

Deno.test("say() voids what a retried attempt showed", async () => {
  const reply: Reply = {
    events: [
      { type: "delta", channel: "text", text: "first try" },
      { type: "retry", reason: "connection lost", attempt: 1, waitMs: 0, discarded: true },
      { type: "delta", channel: "text", text: "second" },
      {
        type: "done",
        stop: "end",
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        model: "m",
      },
    ],
  };
  const { harness, seen } = loop({ provider: scriptedProvider([reply]) });
  equal((await say(harness)).answer, "second");
  ok(seen.some((event) => event.type === "reply_discarded"));
});

Deno.test("say() tells the model once after three refusals in a row and ends after six", async () => {
  const script = Array.from(
    { length: 9 },
    (_, n) => calls([{ name: "change", input: { filepath: `f${n}` } }]),
  );
  const deny = () => ({ verdict: "deny", by: "rule", reason: "rule" }) as const;
  const { harness, log } = loop({ provider: scriptedProvider(script), guards: [deny] });
  equal((await say(harness)).stop, "limit");
  equal(results(log).map(([, status]) => status), Array.from({ length: 6 }, () => "denied"));
  equal(hookTexts(log).length, 1);
});

Deno.test("say() counts only refusals in a row", async () => {
  const no = (n: number) => calls([{ name: "change", input: { filepath: "f" + n } }]);
  const yes = calls([{ name: "echo", input: { text: "x" } }]);
  const script = [no(1), no(2), yes, no(3), no(4), no(5), no(6), no(7), no(8), no(9)];
  const deny = ({ tool }: { tool: { name: string } }) =>
    tool.name === "change" ? { verdict: "deny", by: "rule", reason: "rule" } as const : undefined;
  const allow = () => ({ verdict: "allow", by: "rule", reason: "t" }) as const;
  const { harness, log } = loop({ provider: scriptedProvider(script), guards: [deny, allow] });
  equal((await say(harness)).stop, "limit");
  equal(results(log).length, 9);
  equal(hookTexts(log).filter((text) => /were refused/.test(text)).length, 1);
});

Deno.test("say() tells a model that goes in circles, then ends the turn", async () => {
  const a = calls([{ name: "echo", input: { text: "a" } }]);
  const b = calls([{ name: "echo", input: { text: "b" } }]);
  for (const [script, told] of [[[a, a, a, a, a], 4], [[a, b, a, b, a, b, a, b, a], 8]] as const) {
    const { harness, log } = loop({ provider: scriptedProvider(script) });
    equal((await say(harness)).stop, "limit");
    equal(results(log).length, told);
    equal(hookTexts(log).filter((text) => /same calls/.test(text)).length, 1);
  }
});

Deno.test("say() runs no call of a batch beyond the limit, and answers each", async () => {
  const three = calls(
    [1, 2, 3].map((n) => ({ name: "echo", input: { text: `${n}` }, id: `${n}` })),
  );
  const { harness, log } = loop({
    provider: scriptedProvider([three, three, three, three]),
    callsMax: 10,
  });
  const outcome = await say(harness);
  equal([outcome.stop, outcome.calls.length], ["limit", 12]);
  const ran = Array.from({ length: 10 }, () => "ok");
  equal(results(log).map(([, status]) => status), [...ran, "not_run", "not_run"]);
  equal(log.filter(({ type }) => type === "decision").length, 12);
});

Deno.test("say() runs no call of a batch after the one that ended the turn", async () => {
  const batch = calls([
    ...Array.from({ length: 5 }, () => ({ name: "echo", input: { text: "a" } })),
    { name: "change", input: { filepath: "f" } },
  ]);
  const allow = () => ({ verdict: "allow", by: "rule", reason: "t" }) as const;
  const { harness, log } = loop({ provider: scriptedProvider([batch]), guards: [allow] });
  equal((await say(harness)).stop, "limit");
  equal(results(log).map(([, status]) => status), ["ok", "ok", "ok", "ok", "not_run", "not_run"]);
});

Deno.test("say() gives up after three replies whose calls cannot be read", async () => {
  const bad = calls([{ name: "echo", damage: "cut" }]);
  const { harness } = loop({ provider: scriptedProvider([bad, bad, bad, bad]) });
  const outcome = await say(harness);
  equal([outcome.stop, outcome.requests], ["error", 3]);
});

const anyReply: fc.Arbitrary<Reply> = fc.oneof(
  fc.constantFrom("", "text").map((text) => says(text)),
  fc.constant(says("cut", "length")),
  fc.constant(says("", "refusal")),
  fc.tuple(
    fc.array(
      fc.record({
        name: fc.constantFrom("echo", "boom", "fails", "hang", "nope", "change"),
        input: fc.constantFrom<unknown>(
          { text: "a" },
          {},
          "not an object",
          { filepath: "f" },
          null,
        ),
        id: fc.constantFrom("", "1", "2"),
        damage: fc.constantFrom(undefined, undefined, "cut"),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom<"tool_calls" | "length">("tool_calls", "length"),
  ).map(([list, stop]) =>
    calls(list.map(({ damage, ...one }) => damage === undefined ? one : { ...one, damage }), {
      stop,
    })
  ),
  fc.constantFrom<Reply>(
    { events: [], fault: new ProviderError("connection", "lost") },
    {
      events: [{ type: "delta", channel: "text", text: "half" }],
      fault: new ProviderError("connection", "lost"),
    },
    { events: [], fault: new ProviderError("too_large", "413") },
    { events: [], fault: new Error("a bug") },
    { events: [{ type: "delta", channel: "text", text: "half" }], hang: true },
  ),
);

Deno.test("any replies, faults, interrupts and resumes never make a request that a strict API refuses", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.array(anyReply, { maxLength: 4 }), fc.nat(12), fc.double({ min: 0, max: 1 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      async (turns) => {
        let past: DurableEvent[] = [];
        for (const [script, interruptAt, cutAt] of turns) {
          let events = 0;
          const provider = scriptedProvider(script);
          const { harness, log } = loop({
            provider,
            past,
            sink: (event) => {
              events += 1;
              const mustStop = event.type === "delta" && event.text === "half" ||
                event.type === "tool_output";
              if (events === interruptAt || mustStop) queueMicrotask(() => harness.interrupt());
            },
          });
          const outcome = await say(harness);
          ok(
            !(outcome.error instanceof Error &&
              /Calls without|unknown call|Empty|comes twice/.test(outcome.error.message)),
            String(outcome.error),
          );
          equal(count(log, "turn_end") - past.filter((e) => e.type === "turn_end").length, 1);
          // The next turn resumes a log that ends anywhere, as after a kill.
          past = log.slice(0, Math.ceil(log.length * (0.5 + cutAt / 2)));
        }
      },
    ),
    { numRuns: 300 },
  );
});
