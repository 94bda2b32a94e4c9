import { deepStrictEqual as equal, match, notEqual, rejects } from "node:assert/strict";
import { join } from "node:path";
import { openConversation } from "@/compose/conversation.ts";
import { findPlace } from "@/compose/place.ts";
import { SessionInUse } from "@/session/lock.ts";
import { SessionLog } from "@/session/log.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("openConversation() goes on with a copy of a session that is open elsewhere, when the person says so", () =>
  withWorkspace(async (dir) => {
    const found = await findPlace({ cwd: dir });
    const sessions = join(dir, "sessions");
    const place = { ...found, paths: { ...found.paths, sessions } };
    const open = SessionLog.create(sessions, { isRecording: () => true });
    open.append({ type: "session", uid: open.uid, cwd: dir, profile: "coder" });
    open.append({ type: "turn_start", turn: 1 });
    await open.flush();
    const asked: string[] = [];
    const answering = (yes: boolean) => (why: string) => {
      asked.push(why);
      return Promise.resolve(yes);
    };
    const parts = { place, settings: { current: DEFAULT_SETTINGS }, profile: "coder" };
    const run = { resume: open.uid };
    await rejects(openConversation(run, parts), SessionInUse);
    await rejects(openConversation(run, { ...parts, mayFork: answering(false) }), SessionInUse);
    const { log, past } = await openConversation(run, { ...parts, mayFork: answering(true) });
    notEqual(log.uid, open.uid);
    equal(past.map(({ type }) => type), ["session", "turn_start", "notice"]);
    equal(asked.length, 2);
    match(asked[0] ?? "", /is open in another harness/);
    await log.close();
    await open.close();
  }));

Deno.test("openConversation() goes on with the conversation's own model, whatever stood in when it was ended", () =>
  withWorkspace(async (dir) => {
    const found = await findPlace({ cwd: dir });
    const sessions = join(dir, "sessions");
    const place = { ...found, paths: { ...found.paths, sessions } };
    const ended = SessionLog.create(sessions, { isRecording: () => true });
    ended.append({ type: "session", uid: ended.uid, cwd: dir, profile: "coder" });
    ended.append({ type: "model", provider: "ollama", model: "own" });
    ended.append({ type: "turn_start", turn: 1 });
    ended.append({ type: "model", provider: "anthropic", model: "other", standsIn: true });
    await ended.close();
    const parts = { place, settings: { current: DEFAULT_SETTINGS }, profile: "coder" };
    const { log, model, answering } = await openConversation({ resume: ended.uid }, parts);
    equal([model, answering], [
      { provider: "ollama", model: "own" },
      { provider: "anthropic", model: "other" },
    ]);
    await log.close();
  }));
