import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { fc } from "../support/property.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { readSession } from "@/session/read.ts";
import { SessionLog } from "@/session/log.ts";
import { durableEvent } from "../support/arbitrary_event.ts";
import { withWorkspace } from "../support/workspace.ts";

const NOON = new Date(2026, 2, 4, 12, 5, 6);
const options = { isRecording: () => true, now: () => NOON };

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

Deno.test("begin() makes the file for what is about to be said, which then goes into it in order", async () => {
  await withWorkspace(async (dir) => {
    const opening = { type: "session", uid: "u", cwd: "/p", profile: "" } as const;
    const log = SessionLog.create(dir, options);
    log.append(opening);
    log.begin();
    await log.flush();
    equal(await eventsIn(log.path ?? ""), [opening]);
    log.begin();
    log.append(said("one"));
    await log.close();
    equal(await eventsIn(log.path ?? ""), [opening, said("one")]);
  });
});

Deno.test("begin() makes no file while nothing is recorded", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, { ...options, isRecording: () => false });
    log.append(said("secret"));
    log.begin();
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

Deno.test("append() while recording is off writes nothing; on again, the whole conversation is there", async () => {
  await withWorkspace(async (dir) => {
    let isRecording = false;
    const log = SessionLog.create(dir, { ...options, isRecording: () => isRecording });
    log.append(said("one"));
    await log.flush();
    equal(names(dir), []);
    isRecording = true;
    log.append(said("two"));
    await log.flush();
    isRecording = false;
    log.append(said("three"));
    await log.flush();
    equal(await eventsIn(log.path ?? ""), [said("one"), said("two")]);
    isRecording = true;
    await log.flush();
    equal(await eventsIn(log.path ?? ""), [said("one"), said("two"), said("three")]);
    await log.close();
  });
});

Deno.test("close() without recording leaves no file and no lock", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, { ...options, isRecording: () => false });
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
