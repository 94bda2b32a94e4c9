import { deepStrictEqual as equal, ok } from "node:assert/strict";
import type { Hook } from "@/protocol/hook.ts";
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
