import { deepStrictEqual as equal, doesNotMatch, ok } from "node:assert/strict";
import type { Hook } from "@/protocol/hook.ts";
import type { Part } from "@/protocol/message.ts";
import { loop, say } from "../support/loop.ts";
import { calls, says, scriptedProvider } from "../support/scripted_provider.ts";

Deno.test("say() lets a hook have the last word before the turn ends", async () => {
  let isChecked = false;
  const hook = {
    name: "check",
    beforeStop: () => {
      if (isChecked) return Promise.resolve(undefined);
      isChecked = true;
      return Promise.resolve("the check failed");
    },
  };
  const provider = scriptedProvider([says("done"), says("mended")]);
  const { harness } = loop({ provider, hooks: [hook] });
  equal((await say(harness)).answer, "mended");
  equal(provider.requests.length, 2);
});

Deno.test("say() ends a turn that hooks would keep going for ever", async () => {
  const hook = { name: "never", beforeStop: () => Promise.resolve("not yet") };
  const provider = scriptedProvider([]);
  const { harness, log } = loop({ provider, hooks: [hook] });
  equal([(await say(harness)).stop, provider.requests.length], ["limit", 9]);
  ok(log.some((event) => event.type === "notice" && /hooks kept it going/.test(event.text)));
});

Deno.test("say() lets a hook have something else for a model that is given up", async () => {
  let asked = 0;
  const hook: Hook = {
    name: "other",
    beforeLimit: () => Promise.resolve((asked += 1) === 1 ? "do something else" : undefined),
  };
  const circle = () => calls([{ name: "echo", input: { text: "1" } }]);
  const round = [circle(), circle(), circle(), circle()];
  const first = scriptedProvider([...round, says("something else")]);
  const { harness, log } = loop({ provider: first, hooks: [hook] });
  equal(await say(harness).then(({ stop, answer }) => [stop, answer]), ["end", "something else"]);
  equal(log.filter(({ type }) => type === "notice"), []);
  // The second time it has nothing.
  const again = loop({ provider: scriptedProvider([...round, ...round]), hooks: [hook] });
  asked = 0;
  equal([(await say(again.harness)).stop, asked], ["limit", 2]);
  ok(again.log.some((event) => event.type === "notice" && /went on repeating/.test(event.text)));
});

Deno.test("say() ends a turn whose hooks always have something else, and asks none about a person's limit", async () => {
  const hook: Hook = { name: "always", beforeLimit: () => Promise.resolve("something else") };
  const circle = calls([{ name: "echo", input: { text: "1" } }]);
  const { harness, log } = loop({
    provider: scriptedProvider(Array(200).fill(circle)),
    hooks: [hook],
    callsMax: 1_000,
  });
  equal((await say(harness)).stop, "limit");
  ok(log.some((event) => event.type === "notice" && /given up 25 times/.test(event.text)));
  const limited = loop({
    provider: scriptedProvider([circle, circle]),
    hooks: [hook],
    callsMax: 1,
  });
  equal((await say(limited.harness)).stop, "limit");
  doesNotMatch(JSON.stringify(limited.log), /something else/);
});

Deno.test("say() does not wait for a hook that goes on after an interrupt", async () => {
  for (const point of ["beforeRequest", "afterTool", "beforeStop"] as const) {
    const started = Promise.withResolvers<AbortSignal>();
    const hook: Hook = {
      name: "slow",
      [point]: (...given: readonly unknown[]) => {
        started.resolve(given.at(-1) as AbortSignal);
        return new Promise<never>(() => {});
      },
    };
    const once = calls([{ name: "echo", input: { text: "1" }, id: "1" }]);
    const { harness } = loop({ provider: scriptedProvider([once, says("done")]), hooks: [hook] });
    const said = say(harness);
    const signal = await started.promise;
    harness.interrupt();
    equal([point, (await said).stop, signal.aborted], [point, "abort", true]);
  }
});

Deno.test("say() reports a hook that throws and goes on", async () => {
  const hook = { name: "bad", beforeRequest: () => Promise.reject(new Error("no")) };
  const { harness, log } = loop({ provider: scriptedProvider([says("x")]), hooks: [hook] });
  equal((await say(harness)).stop, "end");
  ok(log.some((event) => event.type === "notice" && /bad failed/.test(event.text)));
});

Deno.test("say() runs hooks in the order of their list, at all three places", async () => {
  const ran: string[] = [];
  const hookOf = (name: string): Hook => ({
    name,
    beforeRequest: () => note(`${name} request`),
    afterTool: async () => void await note(`${name} tool`),
    beforeStop: () => note(`${name} stop`),
  });
  const note = async (what: string) => {
    await Promise.resolve();
    ran.push(what);
    return undefined;
  };
  const once = calls([{ name: "echo", input: { text: "1" }, id: "1" }]);
  const provider = scriptedProvider([once, says("done")]);
  const { harness } = loop({ provider, hooks: [hookOf("a"), hookOf("b")] });
  await say(harness);
  equal(ran, ["request", "tool", "request", "stop"].flatMap((at) => [`a ${at}`, `b ${at}`]));
});

Deno.test("say() starts no hook after an interrupt", async () => {
  const started = Promise.withResolvers<void>();
  const ran: string[] = [];
  const slow = (name: string): Hook => ({
    name,
    beforeRequest: () => {
      ran.push(name);
      started.resolve();
      return new Promise<never>(() => {});
    },
  });
  const provider = scriptedProvider([says("x")]);
  const { harness } = loop({ provider, hooks: [slow("a"), slow("b")] });
  const said = say(harness);
  await started.promise;
  harness.interrupt();
  equal([(await said).stop, ran, provider.requests.length], ["abort", ["a"], 0]);
});

Deno.test("say() sends what a message of the person's was made into, and nobody else's", async () => {
  const said = (content: readonly Part[]) =>
    Promise.resolve([...content, { type: "text", text: "the file" } as const]);
  const { harness } = loop({ provider: scriptedProvider([says("x"), says("y")]), said });
  await say(harness, "read @a");
  await harness.say([{ type: "text", text: "go on" }], "agent");
  const sent = harness.messages().flatMap((one) => one.role === "user" ? [one.content] : []);
  equal(sent, [
    [{ type: "text", text: "read @a" }, { type: "text", text: "the file" }],
    [{ type: "text", text: "go on" }],
  ]);
});

Deno.test("say() says a message as it stands where nothing can be made of it, or not in time", async () => {
  const failing = loop({
    provider: scriptedProvider([says("x")]),
    said: () => Promise.reject(new Error("no")),
  });
  equal((await say(failing.harness)).stop, "end");
  ok(failing.log.some((event) => event.type === "notice" && /was not read: no/.test(event.text)));
  const slow = loop({
    provider: scriptedProvider([]),
    said: () => {
      slow.harness.interrupt();
      return new Promise<never>(() => {});
    },
  });
  equal((await say(slow.harness)).stop, "abort");
  const content = [{ type: "text", text: "do it" }];
  equal(slow.harness.messages(), [{ role: "user", content, origin: "person" }]);
});
