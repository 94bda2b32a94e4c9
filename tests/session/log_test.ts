import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { DurableEvent } from "@/protocol/event.ts";
import { readSession } from "@/session/read.ts";
import { SessionLog } from "@/session/log.ts";
import { encodeRecord } from "@/session/record.ts";
import { durableEvent } from "../support/arbitrary_event.ts";
import { withWorkspace } from "../support/workspace.ts";

const NOON = new Date(2026, 2, 4, 12, 5, 6);
const options = { isRecording: true, now: () => NOON };

function said(text: string): DurableEvent {
  const content = [{ type: "text" as const, text }];
  return { type: "message", message: { role: "user", content, origin: "person" } };
}

function names(dir: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
}

async function eventsIn(path: string): Promise<readonly DurableEvent[]> {
  return (await readSession(path)).records.map(({ event }) => event);
}

Deno.test("SessionLog.create() makes no file before something is said", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    log.append({ type: "session", uid: log.uid, cwd: "/p", profile: "" });
    log.append({ type: "model", provider: "demo", model: "tour" });
    await log.flush();
    equal(log.path, undefined);
    await log.close();
    equal(names(dir), []);
  });
});

Deno.test("append() and flush() put every event on disk in order, for the person alone", async () => {
  await withWorkspace(async (parent) => {
    const dir = join(parent, "sessions");
    const log = SessionLog.create(dir, options);
    const events: DurableEvent[] = [
      { type: "session", uid: log.uid, cwd: "/p", profile: "" },
      { type: "turn_start", turn: 1 },
      said("a\u2028b\n\r\nc"),
      { type: "turn_end", turn: 1, stop: "end" },
    ];
    for (const event of events) log.append(event);
    await log.flush();
    equal(log.unsaved, 0);
    equal(log.id, "20260304_120506");
    equal(log.path, join(dir, "20260304_120506.jsonl"));
    const { records } = await readSession(join(dir, "20260304_120506.jsonl"));
    equal(records, events.map((event) => ({ v: 1, at: NOON.toISOString(), event })));
    if (Deno.build.os !== "windows") {
      equal((Deno.statSync(dir).mode ?? 0) & 0o777, 0o700);
      equal((Deno.statSync(join(dir, "20260304_120506.jsonl")).mode ?? 0) & 0o777, 0o600);
    }
    await log.close();
  });
});

const onUnix = { ignore: Deno.build.os === "windows" };

Deno.test(
  "a session is for the person alone whatever the umask, as is what is moved aside",
  onUnix,
  async () => {
    await withWorkspace(async (parent) => {
      const dir = join(parent, "sessions");
      const mask = Deno.umask(0);
      try {
        const log = SessionLog.create(dir, options);
        log.append(said("one"));
        await log.close();
        await Deno.writeTextFile(log.path ?? "", '{"v":1,"at"', { append: true });
        await (await SessionLog.open(log.path ?? "", options)).log.close();
      } finally {
        Deno.umask(mask);
      }
      const modes = names(dir).map((name) => (Deno.statSync(join(dir, name)).mode ?? 0) & 0o777);
      equal([(Deno.statSync(dir).mode ?? 0) & 0o777, ...modes], [0o700, 0o700, 0o600, 0o600]);
    });
  },
);

Deno.test("SessionLog keeps every event, however appends, flushes and openings follow each other", async () => {
  await withWorkspace(async (dir) => {
    const steps = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: durableEvent },
        fc.constantFrom("flush", "yield", "reopen" as const),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        let log = SessionLog.create(dir, options);
        const appended: DurableEvent[] = [{ type: "session", uid: log.uid, cwd: "/", profile: "" }];
        appended.push({ type: "turn_start", turn: 1 });
        for (const event of appended) log.append(event);
        for (const step of steps) {
          if (step === "flush") await log.flush();
          else if (step === "yield") await Promise.resolve();
          else if (step === "reopen") {
            await log.close();
            const path = log.path ?? "";
            log = (await SessionLog.open(path, options)).log;
          } else {
            appended.push(step);
            log.append(step);
          }
        }
        await log.close();
        equal(await eventsIn(log.path ?? ""), appended);
        await Deno.remove(log.path ?? "");
      }),
      { numRuns: 60 },
    );
  });
});

Deno.test("SessionLog.create() takes the next free id when one is taken, also in the same second", async () => {
  await withWorkspace(async (dir) => {
    const logs = [1, 2, 3].map(() => SessionLog.create(dir, options));
    for (const log of logs) {
      log.append(said("hi"));
      await log.flush();
    }
    equal(logs.map(({ id }) => id), [
      "20260304_120506",
      "20260304_120506-2",
      "20260304_120506-3",
    ]);
    equal(new Set(logs.map(({ uid }) => uid)).size, 3);
    for (const log of logs) await log.close();
    equal(names(dir).filter((name) => name !== ".open").length, 3);
    equal(names(join(dir, ".open")), []);
  });
});

Deno.test("rename() files the session under its title and goes on writing to it", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    log.append({ type: "session", uid: log.uid, cwd: "/p", profile: "" });
    log.append(said("one"));
    await log.flush();
    equal(await log.rename("Fix the CSV parser"), "fix-the-csv-parser");
    log.append(said("two"));
    await log.close();
    equal(names(dir).filter((name) => name !== ".open"), ["fix-the-csv-parser.jsonl"]);
    equal((await eventsIn(join(dir, "fix-the-csv-parser.jsonl"))).slice(1), [
      said("one"),
      said("two"),
    ]);
  });
});

Deno.test("rename() never takes another session's file, and keeps the id when the title says the same", async () => {
  await withWorkspace(async (dir) => {
    await Deno.writeTextFile(join(dir, "fix-parser.jsonl"), "mine\n");
    await Deno.writeTextFile(join(dir, "fix-parser-2.jsonl"), "mine too\n");
    const log = SessionLog.create(dir, options);
    log.append(said("one"));
    await log.flush();
    equal(await log.rename("Fix parser"), "fix-parser-3");
    equal(await log.rename("fix  PARSER!"), "fix-parser-3");
    equal(await log.rename("🎉"), "fix-parser-3");
    await log.close();
    equal(await Deno.readTextFile(join(dir, "fix-parser.jsonl")), "mine\n");
    equal(await Deno.readTextFile(join(dir, "fix-parser-2.jsonl")), "mine too\n");
  });
});

Deno.test("rename() before the first words decides the name of the file", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    equal(await log.rename("Plan the week"), "plan-the-week");
    equal(names(dir), []);
    log.append(said("one"));
    await log.close();
    equal(names(dir).filter((name) => name !== ".open"), ["plan-the-week.jsonl"]);
  });
});

Deno.test("rename() while the first line is being written waits for the file", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    log.append(said("one"));
    const both = await Promise.all([
      log.rename("A title"),
      log.rename("Another title"),
      log.flush(),
    ]);
    equal(both.slice(0, 2), ["a-title", "another-title"]);
    await log.close();
    equal(names(dir).filter((name) => name !== ".open"), ["another-title.jsonl"]);
  });
});

Deno.test("setRecording() off writes nothing; on again, the whole conversation is there", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, { ...options, isRecording: false });
    log.append(said("one"));
    await log.flush();
    equal(names(dir), []);
    log.setRecording(true);
    log.append(said("two"));
    await log.flush();
    log.setRecording(false);
    log.append(said("three"));
    await log.flush();
    equal(await eventsIn(log.path ?? ""), [said("one"), said("two")]);
    log.setRecording(true);
    await log.flush();
    equal(await eventsIn(log.path ?? ""), [said("one"), said("two"), said("three")]);
    await log.close();
  });
});

Deno.test("close() without recording leaves no file and no lock", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, { ...options, isRecording: false });
    log.append({ type: "turn_start", turn: 1 });
    log.append(said("secret"));
    await log.close();
    await log.close();
    equal(names(dir), []);
  });
});

Deno.test("append() after close() is an error and not a lost event", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    await log.close();
    let message = "";
    try {
      log.append(said("late"));
    } catch (error) {
      message = String(error);
    }
    match(message, /is closed: message came late/);
  });
});

Deno.test("SessionLog.open() hands back all records and the uid, and writes behind them", async () => {
  await withWorkspace(async (dir) => {
    const first = SessionLog.create(dir, options);
    first.append({ type: "session", uid: first.uid, cwd: "/p", profile: "dev" });
    first.append(said("one"));
    await first.rename("Some talk");
    await first.close();
    const { log, records, summary, notices } = await SessionLog.open(
      join(dir, "some-talk.jsonl"),
      options,
    );
    equal(log.uid, first.uid);
    equal(log.id, "some-talk");
    equal(records.length, 2);
    equal([summary.uid, summary.cwd, summary.firstText], [first.uid, "/p", "one"]);
    equal(notices, []);
    log.append(said("two"));
    await log.close();
    equal((await eventsIn(join(dir, "some-talk.jsonl"))).at(-1), said("two"));
  });
});

Deno.test("SessionLog.open() and close() without an event leave the file as it was", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    // The last record lacks its LF: it is whole, so nothing has to be done about it yet.
    const text = line({ type: "turn_start", turn: 1 }) + line(said("x")).trimEnd();
    await Deno.writeTextFile(path, text);
    const { log, records, notices } = await SessionLog.open(path, options);
    await log.flush();
    await log.close();
    equal([records.length, notices], [2, []]);
    equal(await Deno.readTextFile(path), text);
    const again = await SessionLog.open(path, options);
    again.log.append(said("y"));
    await again.log.close();
    equal(await Deno.readTextFile(path), `${text}\n${line(said("y"))}`);
  });
});

function line(event: DurableEvent): string {
  return encodeRecord({ v: 1, at: NOON.toISOString(), event });
}

Deno.test("SessionLog.open() of a file cut at any byte keeps all whole records and moves the tail aside", async () => {
  const events: DurableEvent[] = [
    { type: "session", uid: "0199-u", cwd: "/p", profile: "" },
    { type: "turn_start", turn: 1 },
    said("안녕 🎉 \u2028 end"),
    { type: "notice", level: "warn", text: 'a "quoted" \\ text' },
  ];
  const lines = events.map((event) => new TextEncoder().encode(line(event)));
  const whole = new Uint8Array(lines.flatMap((bytes) => [...bytes]));
  await withWorkspace(async (dir) => {
    for (let size = 0; size <= whole.length; size += 1) {
      const path = join(dir, `s${size}.jsonl`);
      await Deno.writeFile(path, whole.subarray(0, size));
      const { log, records, notices } = await SessionLog.open(path, options);
      log.append(said("after"));
      await log.close();
      const { kept, tail } = expectedAt(lines, size);
      equal(records.map(({ event }) => event), events.slice(0, kept), `cut at ${size}`);
      const content = await readSession(path);
      equal(content.records.map(({ event }) => event), [...events.slice(0, kept), said("after")]);
      equal([content.damaged, content.foreign, content.tail], [0, 0, undefined]);
      const aside = names(dir).filter((name) => name.startsWith(`s${size}.torn-`));
      equal(aside.length, tail > 0 ? 1 : 0, `cut at ${size}`);
      equal(notices.length, aside.length);
      if (aside[0] !== undefined) {
        equal(await Deno.readFile(join(dir, aside[0])), whole.slice(size - tail, size));
        match(
          notices[0] ?? "",
          /was cut while it was written; its last \d+ bytes are now in "s\d+\.torn-/,
        );
      }
    }
  });
});

/** How many records a cut leaves whole, and how many bytes of a cut one stand after them. */
function expectedAt(lines: readonly Uint8Array[], size: number): { kept: number; tail: number } {
  let start = 0;
  for (const [index, bytes] of lines.entries()) {
    if (size < start + bytes.length - 1) return { kept: index, tail: size - start };
    start += bytes.length;
    if (size <= start) return { kept: index + 1, tail: 0 };
  }
  return { kept: lines.length, tail: 0 };
}

Deno.test("SessionLog.open() leaves what it cannot read in the file and says so", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "later.jsonl");
    const text = [
      line({ type: "session", uid: "0199-u", cwd: "/p", profile: "" }),
      '{"v":2,"at":"2030-01-01T00:00:00.000Z","event":{"type":"title","title":"New"}}\n',
      '{"v":1,"at":"2030-01-01T00:00:00.000Z","event":{"type":"mood","mood":"good"}}\n',
      "\u0000\u0000\u0000 not JSON\n",
      "\n",
      line(said("kept")),
    ].join("");
    await Deno.writeTextFile(path, text);
    const { log, records, notices } = await SessionLog.open(path, options);
    log.append(said("more"));
    await log.close();
    equal(records.map(({ event }) => event.type), ["session", "message"]);
    equal(notices, [
      'Session "later" holds 2 records of a form that this version does not know; they are left ' +
      "out here and stay in the file",
      'Session "later" holds 1 damaged line; what is readable is here, and nothing was removed ' +
      "from the file",
    ]);
    equal(await Deno.readTextFile(path), text + line(said("more")));
  });
});

Deno.test("SessionLog.open() gives a session without a uid one, and later openings find it", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "bare.jsonl");
    await Deno.writeTextFile(path, line(said("hi")));
    const first = await SessionLog.open(path, options);
    equal(first.summary.uid, undefined);
    first.log.append({ type: "session", uid: first.log.uid, cwd: "/p", profile: "" });
    await first.log.close();
    const second = await SessionLog.open(path, options);
    equal(second.log.uid, first.log.uid);
    await second.log.close();
  });
});

Deno.test("SessionLog.open() refuses what is no session file, and says what it met", async () => {
  await withWorkspace(async (dir) => {
    await Deno.mkdir(join(dir, "folder.jsonl"));
    await rejects(SessionLog.open(join(dir, "folder.jsonl"), options), {
      name: "PersonError",
      message: 'Cannot open session "folder": a directory is there',
    });
    await rejects(SessionLog.open(join(dir, "none.jsonl"), options), {
      name: "PersonError",
      message: 'Cannot open session "none": no such file or directory',
    });
    equal(names(dir), ["folder.jsonl"]);
  });
});

Deno.test("SessionLog.open() does not open a session twice in one process, and does again after close()", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, options);
    log.append({ type: "session", uid: log.uid, cwd: "/p", profile: "" });
    log.append(said("one"));
    await log.flush();
    const path = log.path ?? "";
    await rejects(SessionLog.open(path, options), {
      message:
        `Cannot open session "${log.id}": it is open in another harness (process ${Deno.pid})`,
    });
    await log.rename("New name");
    await rejects(SessionLog.open(log.path ?? "", options), /it is open in another harness/);
    await log.close();
    const { log: again } = await SessionLog.open(log.path ?? "", options);
    equal(again.uid, log.uid);
    await again.close();
  });
});
