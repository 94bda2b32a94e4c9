import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { Slots } from "@/lib/slots.ts";

const calm = () => new AbortController().signal;

/** Work that begins when it is let in, and ends when it is told to. */
function work(slots: Slots, log: string[], name: string, signal = calm()) {
  const end = Promise.withResolvers<void>();
  const done = slots.use(async () => {
    log.push(name);
    await end.promise;
    return name;
  }, signal);
  return { end: () => end.resolve(), fail: (error: Error) => end.reject(error), done };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("use() lets in as many as there are places, then the others in their order", async () => {
  const slots = new Slots(() => 2);
  const log: string[] = [];
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => work(slots, log, name));
  await settled();
  equal(log, ["a", "b"]);
  b?.end();
  equal(await b?.done, "b");
  await settled();
  equal(log, ["a", "b", "c"]);
  a?.fail(new Error("broken"));
  await rejects(async () => await a?.done, /broken/);
  await settled();
  equal(log, ["a", "b", "c", "d"]);
  c?.end();
  d?.end();
  equal([await c?.done, await d?.done], ["c", "d"]);
});

Deno.test("use() gives a place that nobody waits for any more to the next", async () => {
  const slots = new Slots(() => 0);
  const log: string[] = [];
  const first = work(slots, log, "first");
  const given = new AbortController();
  const gone = work(slots, log, "gone", given.signal);
  const last = work(slots, log, "last");
  given.abort(new Error("interrupted"));
  await rejects(gone.done, /interrupted/);
  await rejects(work(slots, log, "late", given.signal).done, /interrupted/);
  first.end();
  last.end();
  equal([await first.done, await last.done, log], ["first", "last", ["first", "last"]]);
});

Deno.test("use() says whether there was a place at once", async () => {
  const slots = new Slots(() => 1);
  const told: boolean[] = [];
  const use = () => slots.use((hasWaited) => Promise.resolve(void told.push(hasWaited)), calm());
  await Promise.all([use(), use()]);
  await use();
  equal(told, [false, true, false]);
});
