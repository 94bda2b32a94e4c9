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
