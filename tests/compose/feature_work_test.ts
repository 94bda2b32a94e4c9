import { deepStrictEqual as equal, rejects, strictEqual } from "node:assert/strict";
import { type AnyFeature, type Feature, type FeatureWork, lentBy } from "@/compose/feature.ts";
import { FeatureSink, FeatureWorks } from "@/compose/feature_work.ts";
import type { Event } from "@/protocol/event.ts";
import type { Part } from "@/protocol/message.ts";
import { shared } from "../support/features.ts";
import { TOOLS } from "../support/loop.ts";

const never = new AbortController().signal;

function works(...made: FeatureWork[]): Promise<FeatureWorks> {
  const features = made.map((work, at): AnyFeature => ({ name: `f${at}`, work: () => work }));
  return FeatureWorks.of([{ name: "none" }, ...features], shared());
}

function notice(text: string): Event {
  return { type: "notice", level: "info", text };
}

Deno.test("what several features bring stands in the order of their list", async () => {
  const [first, second] = TOOLS.slice(0, 2);
  const a = { name: "a" };
  const b = { name: "b" };
  const made = await works(
    { tools: first === undefined ? [] : [first], hooks: [a], prompt: () => "one" },
    { prompt: () => "" },
    { tools: second === undefined ? [] : [second], hooks: [b], prompt: () => "two" },
  );
  equal(made.tools(), [first, second]);
  equal(made.hooks(), [a, b]);
  equal(made.prompt(), ["one", "two"]);
});

Deno.test("a feature begins once, before the first request, in its place among the hooks", async () => {
  const ran: string[] = [];
  const hookOf = (name: string) => ({
    name,
    beforeRequest: () => {
      ran.push(name);
      return Promise.resolve(undefined);
    },
  });
  const made = await works(
    { hooks: [hookOf("a")] },
    { begin: () => void ran.push("begin"), hooks: [hookOf("b")] },
  );
  const hooks = made.hooks();
  equal(hooks.map(({ name }) => name), ["a", "f1", "b"]);
  for (let request = 0; request < 2; request += 1) {
    for (const hook of hooks) await hook.beforeRequest?.(never);
  }
  equal(ran, ["a", "begin", "b", "a", "b"]);
});

Deno.test("tools of a getter are those of now", async () => {
  let isAttached = false;
  const made = await works({
    get tools() {
      return isAttached ? TOOLS : [];
    },
  });
  equal(made.tools(), []);
  isAttached = true;
  const all = made.tools();
  equal(all, TOOLS);
  strictEqual(made.tools(), all);
});

Deno.test("a message passes through every feature that reads it", async () => {
  const add = (text: string) => (content: readonly Part[]) =>
    Promise.resolve([...content, { type: "text", text } as const]);
  const made = await works({ said: add("1") }, {}, { said: add("2") });
  const texts = (await made.said([{ type: "text", text: "0" }], never))
    .map((part) => part.type === "text" ? part.text : "");
  equal(texts, ["0", "1", "2"]);
});

Deno.test("what was before this run goes to a feature's past, or to its sink where it has none", async () => {
  const taken: string[] = [];
  const made = await works(
    { sink: ({ type }) => void taken.push(`sink ${type}`) },
    {
      past: ({ at, event }) => void taken.push(`past ${event.type} ${at}`),
      sink: ({ type }) => void taken.push(`live ${type}`),
    },
  );
  const event = { type: "turn_start", turn: 1 } as const;
  made.past({ v: 1, at: "2026-01-01T00:00:00.000Z", event });
  made.sink(event);
  equal(taken, [
    "sink turn_start",
    "past turn_start 2026-01-01T00:00:00.000Z",
    "sink turn_start",
    "live turn_start",
  ]);
});

Deno.test("a turn goes on when no feature says no", async () => {
  const upTo = (max: number): FeatureWork => ({
    mayGoOn: (count) => Promise.resolve(count < max),
  });
  equal(await (await works({}, upTo(5))).mayGoOn(4, never), true);
  equal(await (await works(upTo(5), upTo(2))).mayGoOn(2, never), false);
});

Deno.test("the first feature that can hire does; without one it is refused", async () => {
  const hires = (text: string): FeatureWork => ({
    hire: () => Promise.resolve({ status: "ok", text }),
  });
  const { text } = await (await works({}, hires("a"), hires("b"))).hire({ task: "t" }, never);
  equal(text, "a");
  await rejects((await works({})).hire({ task: "t" }, never), /no sub-agents/);
});

Deno.test("FeatureSink keeps durable events for those that come later, live ones not", () => {
  const sink = new FeatureSink();
  const seen: Event[] = [];
  const output: Event = { type: "tool_output", callId: "c", chunk: "x" };
  for (const event of [notice("1"), output, notice("2")]) sink.sink(event);
  sink.connect((event) => seen.push(event));
  sink.sink(output);
  equal(seen, [notice("1"), notice("2"), output]);
});

Deno.test("lentBy() puts together what features lend", () => {
  const part = { status: () => "", reset: () => Promise.reject(), stop: () => Promise.reject() };
  const vm: Feature<"vm"> = { name: "vm", lend: { vm: part } };
  const mode = { isOn: () => true, turn: () => {} };
  const plan: Feature<"planmode"> = { name: "plan", lend: { planmode: mode } };
  const nothing: Feature = { name: "nothing" };
  const lent = lentBy([vm, nothing, plan]);
  equal([lent.vm, lent.planmode], [part, mode]);
});
