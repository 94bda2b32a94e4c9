import { equal, rejects } from "node:assert/strict";
import { orGivenUp } from "@/lib/within.ts";

const never = () => new Promise<string>(() => {});

Deno.test("orGivenUp() gives what the work comes to, and throws what it throws", async () => {
  const { signal } = new AbortController();
  equal(await orGivenUp(Promise.resolve("done"), signal, () => "given up"), "done");
  await rejects(orGivenUp(Promise.reject(new Error("broken")), signal, () => ""), /broken/);
});

Deno.test("orGivenUp() waits a moment after the signal for all that runs under it, and gives up the rest", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const slow = Promise.withResolvers<string>();
  const waits = [
    orGivenUp(never(), signal, () => "given up"),
    orGivenUp(slow.promise, signal, () => "given up"),
    orGivenUp(never(), signal, () => "given up, too"),
  ];
  controller.abort();
  slow.resolve("stopped by itself");
  equal((await Promise.all(waits)).join(", "), "given up, stopped by itself, given up, too");
});

Deno.test("orGivenUp() gives up what begins when the signal has fired already, and leaves no timer behind work that ends", async () => {
  const signal = AbortSignal.abort();
  equal(await orGivenUp(Promise.resolve("done"), signal, () => "given up"), "done");
  equal(await orGivenUp(never(), signal, () => "given up"), "given up");
});

Deno.test("orGivenUp() gives up once what another listener of the same signal begins, and leaves no timer behind", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const begun: Promise<string>[] = [];
  let times = 0;
  const giveUp = () => `given up ${times += 1}`;
  signal.addEventListener("abort", () => void begun.push(orGivenUp(never(), signal, giveUp)));
  const first = orGivenUp(never(), signal, () => "given up");
  controller.abort();
  await Promise.all([first, ...begun]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  equal(times, 1);
});
