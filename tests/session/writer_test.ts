import { deepStrictEqual as equal } from "node:assert/strict";
import { RecordWriter } from "@/session/writer.ts";
import type { SessionRecord } from "@/protocol/session.ts";

const AT = "2026-11-29T12:00:00.000Z";

function record(turn: number): SessionRecord {
  return { v: 1, at: AT, event: { type: "turn_start", turn } };
}

/** A file whose waits for the disk end when the test says so. */
function slowFile({ onWrite = () => {} } = {}) {
  const waits: PromiseWithResolvers<void>[] = [];
  const file = {
    writeSync(bytes: Uint8Array) {
      onWrite();
      return bytes.length;
    },
    write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
    syncData() {
      const wait = Promise.withResolvers<void>();
      waits.push(wait);
      return wait.promise;
    },
    close() {},
  };
  const writer = new RecordWriter({
    // Only what a writer calls is there.
    open: () => Promise.resolve(file as unknown as Deno.FsFile),
    id: () => "one",
    mayWrite: () => true,
  });
  return { writer, waits };
}

/** Everything that needs no disk has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function ends(promise: Promise<void>) {
  const seen = { is: false };
  promise.then(() => seen.is = true);
  return seen;
}

Deno.test("flush() while another waits for the disk waits for it too, and syncs once", async () => {
  const { writer, waits } = slowFile();
  writer.push(record(1));
  const first = ends(writer.flush());
  await settled();
  const second = ends(writer.flush());
  await settled();
  equal([waits.length, first.is, second.is], [1, false, false]);
  waits[0]?.resolve();
  await settled();
  equal([waits.length, first.is, second.is], [1, true, true]);
});

Deno.test("flush() syncs again for what was written while another waited for the disk", async () => {
  const { writer, waits } = slowFile();
  writer.push(record(1));
  const first = ends(writer.flush());
  await settled();
  writer.push(record(2));
  const second = ends(writer.flush());
  const third = ends(writer.flush());
  await settled();
  equal(waits.length, 1);
  waits[0]?.resolve();
  await settled();
  equal([waits.length, first.is, second.is, third.is], [2, true, false, false]);
  waits[1]?.resolve();
  await settled();
  equal([waits.length, second.is, third.is], [2, true, true]);
});

Deno.test("flush() waits for the disk although more is pushed just when all of its own is written", async () => {
  const { writer, waits } = slowFile({
    // Behind the end of the writing, and before whoever waits for it goes on.
    onWrite: () => queueMicrotask(() => queueMicrotask(() => writer.push(record(2)))),
  });
  writer.push(record(1));
  const first = ends(writer.flush());
  await settled();
  equal([writer.unsaved, waits.length, first.is], [1, 1, false]);
  waits[0]?.resolve();
  await settled();
  equal(first.is, true);
});

Deno.test("flush() tells once of a disk that goes on failing, whatever is written meanwhile", async () => {
  const { writer, waits } = slowFile();
  const told: unknown[] = [];
  for (const failing of [true, true, true, false, true]) {
    writer.push(record(1));
    const flushed = writer.flush().then(() => "saved", () => "told");
    await settled();
    const wait = waits.at(-1);
    if (failing) wait?.reject(new Error("no room"));
    else wait?.resolve();
    told.push(await flushed);
  }
  equal(told, ["told", "saved", "saved", "saved", "told"]);
});

Deno.test("flush() whose disk failed syncs again at the next one, and says so once", async () => {
  const { writer, waits } = slowFile();
  writer.push(record(1));
  const first = writer.flush().then(() => "saved", ({ message }) => message);
  await settled();
  waits[0]?.reject(new Error("no room"));
  equal(await first, 'Cannot save session "one": no room');
  const second = ends(writer.flush());
  await settled();
  equal([waits.length, second.is], [2, false]);
  waits[1]?.resolve();
  await settled();
  equal(second.is, true);
});
