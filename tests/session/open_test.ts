/** Going on with a session that is on disk, in whatever state it is there. */
import { deepStrictEqual as equal, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { DurableEvent } from "@/protocol/event.ts";
import { listSessions } from "@/session/find.ts";
import { SessionLog } from "@/session/log.ts";
import { readSession } from "@/session/read.ts";
import { encodeRecord } from "@/session/record.ts";
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

Deno.test("SessionLog.open() reads the first record behind a byte order mark, and leaves the mark", async () => {
  const mark = "\ufeff";
  const session = line({ type: "session", uid: "0199-u", cwd: "/p", profile: "" });
  await withWorkspace(async (dir) => {
    for (
      const [name, text] of Object.entries({
        marked: mark + session + line(said("one")),
        "on-its-own": `${mark}\n${session}${line(said("one"))}`,
      })
    ) {
      const path = join(dir, `${name}.jsonl`);
      await Deno.writeTextFile(path, text);
      const { log, records, notices } = await SessionLog.open(path, options);
      log.append(said("two"));
      await log.close();
      equal(log.uid, "0199-u");
      equal([records.map(({ event }) => event.type), notices], [["session", "message"], []]);
      equal(await Deno.readTextFile(path), text + line(said("two")));
    }
    const { sessions } = await listSessions(dir);
    equal(sessions.map(({ uid, firstText }) => [uid, firstText]), [
      ["0199-u", "one"],
      ["0199-u", "one"],
    ]);
  });
});

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
