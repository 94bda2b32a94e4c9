import { deepStrictEqual as equal } from "node:assert/strict";
import { LineReader } from "@/terminal/lines.ts";

/** A stream that a test writes to, as a person types. */
function keyboard() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  return {
    readable,
    type: (text: string) => writer.write(encoder.encode(text)),
    bytes: (...bytes: number[]) => writer.write(new Uint8Array(bytes)),
    end: () => writer.close(),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("LineReader gives a typed line to the prompt", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await type("hello\n");
  equal(await line, "hello");
  await end();
  equal(await reader.prompt(), undefined);
});

Deno.test("LineReader makes one message of lines pasted together", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await type("one\r\ntwo\nthree\n");
  equal(await line, "one\ntwo\nthree");
  await end();
});

Deno.test("LineReader takes a long paste that comes with pauses as one message", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await type("x\n".repeat(10));
  await pause(80);
  await type("end\n");
  equal(await line, `${"x\n".repeat(10)}end`);
  await end();
});

Deno.test("LineReader does not cut a paste where the program was busy between two lines", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await type("one\n");
  await pause(0);
  const busyUntil = performance.now() + 300;
  while (performance.now() < busyUntil);
  await pause(0);
  await type("two\n");
  equal(await line, "one\ntwo");
  await end();
});

Deno.test("LineReader never answers a question with what was typed before it was shown", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  await type("y\n");
  await pause(5);
  const answer = reader.answer();
  while (reader.queued.length === 0) await pause(5);
  equal(reader.queued, ["y"]);
  await type("n\n");
  equal(await answer, "n");
  equal(reader.queued, ["y"]);
  await end();
});

Deno.test("LineReader takes only one line as an answer", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const answer = reader.answer();
  await type("y\nnext request\n");
  equal(await answer, "y");
  equal(await reader.prompt(), "next request");
  await end();
});

Deno.test("cancel() settles a waiting answer with undefined", async () => {
  const { readable, end } = keyboard();
  const reader = new LineReader(readable);
  const answer = reader.answer();
  reader.cancel();
  equal(await answer, undefined);
  await end();
});

Deno.test("LineReader keeps a character whose bytes come in two reads", async () => {
  const { readable, bytes, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await bytes(0xed, 0x95);
  await bytes(0x9c, 0x0a);
  equal(await line, "한");
  await end();
});

Deno.test("LineReader hands over a last line without a newline", async () => {
  const { readable, type, end } = keyboard();
  const reader = new LineReader(readable);
  const line = reader.prompt();
  await type("half");
  await end();
  equal(await line, "half");
});

Deno.test("LineReader lets no line of a paste answer a question that appears in the middle of it", async () => {
  const { readable, type, end } = keyboard();
  const queued = Promise.withResolvers<void>();
  const reader = new LineReader(readable, { onQueued: queued.resolve });
  await type("some text\n");
  const answer = reader.answer();
  await type("y\n");
  await queued.promise;
  equal(reader.queued, ["some text\ny"]);
  await type("n\n");
  equal(await answer, "n");
  await end();
});

Deno.test({
  name: "LineReader gives on no message of which the terminal swallowed a part",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { readable, type, end } = keyboard();
    const cut = Promise.withResolvers<void>();
    const reader = new LineReader(readable, { onCut: cut.resolve });
    const line = reader.prompt();
    await type(`${"x".repeat(4095)}\n`);
    await type("second\n");
    await cut.promise;
    await type(`${"x".repeat(4094)}\n`);
    equal((await line)?.length, 4094);
    await end();
  },
});
