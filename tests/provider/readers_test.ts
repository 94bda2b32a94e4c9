import { deepStrictEqual as equal, rejects } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { readBytes, readLines, TooLongError } from "@/provider/lines.ts";
import { readNdjson } from "@/provider/ndjson.ts";
import { readSse } from "@/provider/sse.ts";
import { calm } from "../support/wire_options.ts";

const encoder = new TextEncoder();

/** A body that arrives in pieces of the given sizes, the rest in one; a stream of bytes, as those of the network are. */
function body(
  text: string | Uint8Array<ArrayBuffer>,
  sizes: readonly number[] = [],
): ReadableStream<Uint8Array> {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      let at = 0;
      for (const size of sizes) {
        if (at >= bytes.length) break;
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      }
      if (at < bytes.length) controller.enqueue(bytes.slice(at));
      controller.close();
    },
  });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return await Array.fromAsync(items);
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 200 });

Deno.test("readNdjson() reads objects however they are cut (check 3)", async () => {
  const text = '{"a":"가😀"}\n{"b":1}{x\n\n  \r\n{"c":2}\r\n{"d":3}';
  const expected = [{ value: { a: "가😀" } }, { garbage: '{"b":1}{x' }, { value: { c: 2 } }, {
    value: { d: 3 },
  }];
  equal(await all(readNdjson(body(text), calm())), expected);
  equal(await all(readNdjson(body(text, Array(200).fill(1)), calm())), expected);
  equal(await all(readNdjson(body(""), calm())), []);
});

Deno.test("readNdjson() gives back what was written, whatever the cuts", async () => {
  const values = fc.array(fc.jsonValue(), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      values,
      cuts,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (written, sizes, end, isEnded) => {
        const text = written.map((value) => JSON.stringify(value)).join(end) + (isEnded ? end : "");
        const read = await all(readNdjson(body(text, sizes), calm()));
        equal(read, written.map((value) => ({ value: JSON.parse(JSON.stringify(value)) })));
      },
    ),
  );
});

Deno.test("readLines() refuses a line without an end", async () => {
  await rejects(
    all(readLines(body("x".repeat(100), [10, 10, 10, 10]), { lineCharsMax: 25, signal: calm() })),
    TooLongError,
  );
  equal(
    await all(readLines(body("x\n".repeat(100)), { lineCharsMax: 25, signal: calm() })),
    Array(100).fill("x"),
  );
});

type Source = {
  start?(controller: { enqueue(bytes: Uint8Array<ArrayBuffer>): void; close(): void }): void;
  pull?(): Promise<void>;
  cancel?(): void;
};

/** The two kinds of streams there are: those of the network fill what they are given. */
const KINDS: Readonly<Record<string, (source: Source) => ReadableStream<Uint8Array>>> = {
  "a stream of bytes": (source) =>
    new ReadableStream({ ...source, type: "bytes" }) as ReadableStream<Uint8Array>,
  "any other stream": (source) => new ReadableStream(source),
};

for (const [kind, made] of Object.entries(KINDS)) {
  Deno.test(`readBytes() gives every byte of ${kind}`, async () => {
    const sent = crypto.getRandomValues(new Uint8Array(60_000));
    const stream = made({
      start(controller) {
        for (const [from, to] of [[0, 1], [1, 50_000], [50_000, 60_000]]) {
          controller.enqueue(sent.slice(from, to));
        }
        controller.close();
      },
    });
    const read: number[] = [];
    // A piece is there until the next one is asked for.
    for await (const piece of readBytes(stream, calm())) read.push(...piece);
    equal(new Uint8Array(read), sent);
  });

  Deno.test(`readBytes() ends a read that waits for ${kind} with the signal`, async () => {
    const abort = new AbortController();
    let isClosed = false;
    const reading = all(readBytes(
      made({ pull: () => new Promise<void>(() => {}), cancel: () => void (isClosed = true) }),
      abort.signal,
    ));
    abort.abort(new Error("stop"));
    await rejects(reading, /stop/);
    equal(isClosed, true);
  });
}

/** A body whose `next` is asked for more; resolves when it is let go of. */
function bodyOf(
  next: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>,
) {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull: next,
    cancel: () => cancelled.resolve(),
  }, { highWaterMark: 0 });
  return { body, cancelled: cancelled.promise };
}

Deno.test("readBytes() closes an endless body when its reader stops, and a silent one after a moment", async () => {
  const endless = bodyOf((controller) => controller.enqueue(new Uint8Array([1])));
  for await (const _ of readBytes(endless.body, calm())) break;
  await endless.cancelled;
  let isFirst = true;
  const silent = bodyOf((controller) => {
    if (!isFirst) return new Promise<void>(() => {});
    isFirst = false;
    controller.enqueue(new Uint8Array([1]));
  });
  for await (const _ of readBytes(silent.body, calm())) break;
  await silent.cancelled;
});

Deno.test("readBytes() hears a body out that ends when its reader has heard enough", async () => {
  const ended = Promise.withResolvers<string>();
  let pieces = 0;
  const { body, cancelled } = bodyOf((controller) => {
    pieces += 1;
    if (pieces < 3) return controller.enqueue(new Uint8Array([pieces]));
    controller.close();
    ended.resolve("ended");
  });
  for await (const _ of readBytes(body, calm())) break;
  equal(await Promise.race([ended.promise, cancelled.then(() => "cancelled")]), "ended");
});

Deno.test("readBytes() closes a body at once where the signal ends the reading", async () => {
  const controller = new AbortController();
  let isAsked = 0;
  const { body, cancelled } = bodyOf((source) => {
    isAsked += 1;
    source.enqueue(new Uint8Array([1]));
  });
  await rejects(async () => {
    for await (const _ of readBytes(body, controller.signal)) controller.abort(new Error("enough"));
  }, /enough/);
  await cancelled;
  equal(isAsked, 1);
});

Deno.test("readSse() reads every way of writing an event (check 2)", async () => {
  const text = [
    ": a comment",
    "data: one",
    "",
    "event: named",
    "data:no space",
    "id: 7",
    "retry: 100",
    "unknown: field",
    "",
    "data: two",
    "data: lines",
    "",
    "event: without data",
    "",
    "data",
    "",
    "data: last, without a blank line",
  ].join("\n");
  const expected = [
    { event: "message", data: "one" },
    { event: "named", data: "no space" },
    { event: "message", data: "two\nlines" },
    { event: "message", data: "" },
    { event: "message", data: "last, without a blank line" },
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    const written = text.replaceAll("\n", end);
    equal(await all(readSse(body(written), calm())), expected, JSON.stringify(end));
    equal(
      await all(readSse(body(written, Array(400).fill(1)), calm())),
      expected,
      `byte by byte, ${JSON.stringify(end)}`,
    );
  }
});

Deno.test("readSse() skips a byte order mark", async () => {
  equal(await all(readSse(body("\ufeffdata: x\n\n"), calm())), [{ event: "message", data: "x" }]);
});

Deno.test("readSse() gives back what was written, whatever the cuts", async () => {
  const data = fc.string({ unit: "grapheme" }).map((text) =>
    text.replace(/[\r\n\u2028\u2029\0]/g, "")
  );
  const events = fc.array(
    fc.record({ event: fc.constantFrom("message", "ping", "x_y"), data }, {
      noNullPrototype: true,
    }),
    {
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      events,
      cuts,
      fc.constantFrom("\n", "\r\n", "\r"),
      async (written, sizes, end) => {
        const text = written.map(({ event, data }) =>
          `: ping${end}event: ${event}${end}data: ${data}${end}${end}`
        ).join("");
        equal(await all(readSse(body(text, sizes), calm())), written);
      },
    ),
  );
});

Deno.test("readSse() refuses an event without an end", async () => {
  const line = encoder.encode("data: " + "x".repeat(1024 * 1024) + "\n");
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(line),
  });
  await rejects(all(readSse(endless, calm())), TooLongError);
});

Deno.test("readSse() and readNdjson() survive any bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), cuts, async (bytes, sizes) => {
      const copy = new Uint8Array(bytes);
      await all(readSse(body(copy, sizes), calm()));
      await all(readNdjson(body(copy, sizes), calm()));
    }),
  );
});
