import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { fc } from "../support/property.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import { toSummary } from "@/session/fold.ts";
import { encodeRecord } from "@/session/record.ts";
import { readUid, scanSummary, scanUpdatedAt } from "@/session/scan.ts";
import { durableEvent } from "../support/arbitrary_event.ts";
import { withWorkspace } from "../support/workspace.ts";

function records(events: readonly DurableEvent[]) {
  return events.map((event, index) => ({
    v: 1 as const,
    at: new Date(1_700_000_000_000 + index * 1_000).toISOString(),
    event,
  }));
}

Deno.test("toSummary() says where, with what and about what a session is", () => {
  const text = (words: string) => ({ type: "text" as const, text: words });
  const summary = toSummary(records([
    { type: "session", uid: "u1", cwd: "/a", profile: "dev" },
    { type: "model", provider: "ollama", model: "gemma4:e4b" },
    {
      type: "message",
      message: { role: "user", content: [text("$ ls")], origin: "shell" },
    },
    { type: "turn_start", turn: 1 },
    {
      type: "message",
      message: { role: "user", content: [text(" fix\n\tit "), text("now")], origin: "person" },
    },
    { type: "title", title: "First" },
    { type: "turn_start", turn: 2 },
    { type: "title", title: "Second" },
    { type: "turn_start", turn: 3 },
    { type: "rewind", toTurn: 1 },
    { type: "session", uid: "u2", cwd: "/b", profile: "" },
    { type: "model", provider: "anthropic", model: "x" },
  ]));
  equal(summary, {
    uid: "u1",
    title: "Second",
    cwd: "/b",
    profile: "",
    model: "anthropic/x",
    createdAt: "2023-11-14T22:13:20.000Z",
    updatedAt: "2023-11-14T22:13:31.000Z",
    turns: 1,
    firstText: "fix it now",
  });
});

Deno.test("toSummary() of nothing says nothing", () => {
  equal(toSummary([]), { title: "", createdAt: "", updatedAt: "", turns: 0, firstText: "" });
});

Deno.test("scanSummary() says of a file what toSummary() says of its records", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    await fc.assert(
      fc.asyncProperty(fc.array(durableEvent, { maxLength: 25 }), async (events) => {
        const all = records(events);
        await Deno.writeTextFile(path, all.map(encodeRecord).join(""));
        using file = await Deno.open(path);
        const summary = toSummary(all);
        equal(await scanSummary(file), summary);
        equal(await scanUpdatedAt(file, (await file.stat()).size), summary.updatedAt);
        await file.seek(0, Deno.SeekMode.Start);
        equal(await readUid(file), summary.uid);
      }),
      { numRuns: 150 },
    );
  });
});

Deno.test("scanSummary() also reads lines whose fields stand in another order", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    await Deno.writeTextFile(
      path,
      '{"event":{"title":"By hand","type":"title"},"at":"2026-01-01T00:00:00.000Z","v":1}\n' +
        '{ "v": 1, "at": "2026-01-02T00:00:00.000Z", "event": {"type":"turn_start","turn":4}}\n',
    );
    using file = await Deno.open(path);
    const { title, turns, updatedAt } = await scanSummary(file);
    equal([title, turns, updatedAt], ["By hand", 4, "2026-01-02T00:00:00.000Z"]);
  });
});

Deno.test("readUid() finds the session behind what an idle terminal was told before anything was said", async () => {
  await withWorkspace(async (dir) => {
    const path = join(dir, "a.jsonl");
    const notice: DurableEvent = { type: "notice", level: "info", text: "a2 joined" };
    const session: DurableEvent = { type: "session", uid: "0199", cwd: "/ws", profile: "coder" };
    const all = records([...Array(500).fill(notice), session]);
    await Deno.writeTextFile(path, all.map(encodeRecord).join(""));
    using file = await Deno.open(path);
    equal(await readUid(file), "0199");
  });
});
