import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { DurableEvent } from "@/protocol/event.ts";
import { forkSession } from "@/session/fork.ts";
import { SessionLog } from "@/session/log.ts";
import { readSession } from "@/session/read.ts";
import { encodeRecord } from "@/session/record.ts";
import { withWorkspace } from "../support/workspace.ts";

const AT = "2026-03-04T05:06:07.890Z";
const now = new Date("2026-04-05T06:07:08.900Z");
const line = (event: DurableEvent) => encodeRecord({ v: 1, at: AT, event });

Deno.test("forkSession() copies every complete line, read or not, under a uid of its own", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "talk.jsonl");
    const foreign = '{"v":7,"at":"2030-01-01T00:00:00.000Z","event":{"type":"mood"}}\n';
    const title = line({ type: "title", title: `Talk ${"x".repeat(300_000)}` });
    const session = line({ type: "session", uid: "0199-old", cwd: "/p", profile: "dev" });
    const text = session + line({ type: "turn_start", turn: 1 }) + foreign + session + title +
      '{"v":1,"torn';
    await Deno.writeTextFile(path, text);
    const forked = await forkSession(path, { cwd: "/q", profile: "dev", now });
    equal(forked, join(dir, "talk-2.jsonl"));
    equal(await Deno.readTextFile(path), text, "the original stays as it was");
    const lines = (await Deno.readTextFile(forked)).split("\n");
    equal(
      lines.slice(1, -2).join("\n"),
      (line({ type: "turn_start", turn: 1 }) + foreign + title).trimEnd(),
    );
    const { records } = await readSession(forked);
    const [first] = records;
    const last = records.at(-1);
    ok(first?.event.type === "session" && first.event.uid !== "0199-old");
    equal([first.event.cwd, first.event.profile, first.at], ["/q", "dev", now.toISOString()]);
    equal(last?.event, { type: "notice", level: "info", text: 'Forked from session "talk"' });
    if (Deno.build.os !== "windows") equal((Deno.statSync(forked).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("forkSession() works while the session is open, and both can be gone on with", async () => {
  await withWorkspace(async (dir) => {
    const log = SessionLog.create(dir, { isRecording: () => true });
    log.append({ type: "session", uid: log.uid, cwd: "/p", profile: "" });
    log.append({ type: "turn_start", turn: 1 });
    await log.flush();
    const forked = await forkSession(log.path ?? "", { cwd: "/p", profile: "" });
    const { log: second, summary } = await SessionLog.open(forked, { isRecording: () => true });
    equal(summary.turns, 1);
    ok(second.uid !== log.uid);
    log.append({ type: "turn_start", turn: 2 });
    second.append({ type: "turn_start", turn: 9 });
    await log.close();
    await second.close();
    const turnsOf = async (path: string) =>
      (await readSession(path)).records.flatMap(({ event }) =>
        event.type === "turn_start" ? [event.turn] : []
      );
    equal(await turnsOf(log.path ?? ""), [1, 2]);
    equal(await turnsOf(forked), [1, 9]);
  });
});

Deno.test("forkSession() of what cannot be read says so and leaves nothing behind", async () => {
  await withWorkspace(async (dir) => {
    await rejects(forkSession(join(dir, "none.jsonl"), { cwd: "/p", profile: "" }), (error) => {
      match(String(error), /Cannot fork session "none": no such file or directory/);
      return true;
    });
    equal([...Deno.readDirSync(dir)], []);
  });
});
