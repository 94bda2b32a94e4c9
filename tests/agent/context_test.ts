import { deepStrictEqual as equal, ok, throws } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { ContextFit, type RequestFrame } from "@/agent/context.ts";
import type { Message } from "@/protocol/message.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { promptBudget } from "@/lib/tokens.ts";
import { assertAnswered } from "../support/assert_answered.ts";

const FRAME: RequestFrame = {
  model: "m",
  system: "You are careful.",
  tools: [],
  windowTokens: 65_536,
  outputTokensMax: 6_144,
  hints: {},
};

/** A history of one request and `count` calls whose results have `chars` characters each. */
function history(count: number, chars: number): Message[] {
  const messages: Message[] = [
    { role: "user", origin: "person", content: [{ type: "text", text: "go" }] },
  ];
  for (let n = 0; n < count; n += 1) {
    const id = `c${n}`;
    const call = { type: "tool_call", id, name: "read_file", input: {} } as const;
    messages.push({ role: "assistant", content: [call], stop: "tool_calls" });
    const result = { status: "ok", text: `${n}:`.padEnd(chars, "x") } as const;
    messages.push({ role: "tool", callId: id, name: "read_file", result });
  }
  return messages;
}

const sizes = (messages: readonly Message[]) =>
  messages.flatMap((message) => message.role === "tool" ? [message.result.text.length] : []);

Deno.test("fit() leaves a history that fits as it is", () => {
  const messages = history(3, 12_000);
  equal(new ContextFit(() => FRAME).fit(messages).messages, messages);
});

Deno.test("fit() cuts the oldest results first and only as far as needed", () => {
  const fit = new ContextFit(() => FRAME);
  const kept = sizes(fit.fit(history(7, 30_000)).messages);
  ok((kept[0] ?? 0) < 30_000, "the oldest is cut");
  equal(kept.at(-1), 30_000);
});

Deno.test("fit() cuts nothing of what stays, unless it is too large for the room by itself", () => {
  const fitted = (chars: number) => {
    const [asked, call, ...rest] = history(8, 30_000);
    const result = { status: "ok", text: "s".repeat(chars), meta: { stays: "skill a" } } as const;
    const skill = { role: "tool", callId: "c0", name: "use_skill", result } as const;
    const messages = [...asked ? [asked] : [], ...call ? [call] : [], skill, ...rest.slice(1)];
    return sizes(new ContextFit(() => FRAME).fit(messages).messages);
  };
  const [stays, next = 0] = fitted(20_000);
  equal([stays, next < 30_000], [20_000, true]);
  ok((fitted(120_000)[0] ?? 0) < 30_000);
});

Deno.test("fit() keeps its cuts, so that the prefix of the next request is the same", () => {
  const fit = new ContextFit(() => FRAME);
  const all = history(9, 30_000);
  const first = fit.fit(all.slice(0, -2)).messages;
  const second = fit.fit(all).messages;
  ok(first.length > 0);
  equal(second.slice(0, 3), first.slice(0, 3));
});

Deno.test("fit() never sends more than the budget, request after request", () => {
  const fit = new ContextFit(() => FRAME);
  const all = history(60, 9_000);
  for (let count = 1; count <= 60; count += 1) {
    const part = all.slice(0, 1 + 2 * count);
    const { messages } = fit.fit(part);
    assertAnswered(messages);
    ok(fit.estimate(part) <= promptBudget(FRAME.windowTokens, FRAME.outputTokensMax));
  }
});

Deno.test("fit() makes of a history that grew, lost or changed messages what it would make of it at once", () => {
  const all = history(12, 12_000);
  const changed = all.map((message, at): Message =>
    at === 2 && message.role === "tool"
      ? { ...message, result: { status: "ok", text: "[removed]" } }
      : message
  );
  const fit = new ContextFit(() => FRAME);
  for (const messages of [all.slice(0, 9), all.slice(0, 15), all.slice(0, 5), changed, all]) {
    const { messages: kept } = fit.fit(messages);
    equal(kept.length, messages.length);
    const counted = fit.estimate(messages);
    equal(counted, new ContextFit(() => FRAME).estimate(kept));
  }
});

Deno.test("fit() throws an overflow when shortened results leave no room", () => {
  const long: Message = {
    role: "user",
    origin: "person",
    content: [{ type: "text", text: "x".repeat(400_000) }],
  };
  throws(
    () => new ContextFit(() => FRAME).fit([long]),
    (error: unknown) => error instanceof ProviderError && error.kind === "overflow",
  );
});

Deno.test("learn() makes later estimates follow the server's count", () => {
  const fit = new ContextFit(() => FRAME);
  const messages = history(4, 4_000);
  const before = fit.estimate(messages);
  fit.fit(messages);
  fit.learn({ input: before, output: 1, cacheRead: before, cacheWrite: 0 });
  ok(Math.abs(fit.estimate(messages) / before - 2) < 0.02);
});

Deno.test("what takes most is told as it is sent, not as it was before it was cut", () => {
  const frame = { ...FRAME, windowTokens: 4_096, system: "s".repeat(9_000) };
  throws(
    () => new ContextFit(() => frame).fit(history(1, 40_000)),
    ({ message }: Error) => /the result of read_file \(about 7\d\d tokens\)/.test(message),
  );
});

Deno.test("fit() caps the output of a small window at a quarter of it", () => {
  const small = { ...FRAME, windowTokens: 4_096 };
  equal(new ContextFit(() => small).fit(history(1, 10)).outputTokensMax, 1_024);
});

Deno.test("fit() never changes the history it is given", () => {
  fc.assert(
    fc.property(fc.nat(12), fc.nat(60_000), (count, chars) => {
      const messages = history(count, chars);
      const copy = structuredClone(messages);
      try {
        new ContextFit(() => FRAME).fit(messages);
      } catch (error) {
        ok(error instanceof ProviderError);
      }
      equal(messages, copy);
    }),
    { numRuns: 50 },
  );
});
