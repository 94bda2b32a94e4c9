/** Going on in another conversation: what stays, what is new, and what happens when it cannot be opened. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { App } from "@/app.ts";
import { sent, withApp } from "./support/whole_app.ts";

const run = (line: string, app: App) => app.slash(line);

Deno.test("next() begins anew: the model is told nothing of before, and both sessions are kept", () =>
  withApp([{ text: "One." }, { text: "Two." }, { text: "Three." }], async ({ app, api, home }) => {
    await app.say("first");
    const { id } = app.facts();
    const fresh = await app.next({ kind: "new" });
    await fresh.say("second");
    equal(sent(api.bodies.at(-1)).texts, ["second"]);
    const again = await fresh.next({ kind: "saved", id });
    equal(again.pastRecords.filter(({ event }) => event.type === "turn_end").length, 1);
    await again.say("third");
    equal(sent(api.bodies.at(-1)).texts, ["first", "One.", "third"]);
    const files = [...Deno.readDirSync(join(home, "sessions"))].map(({ name }) => name)
      .filter((name) => name.endsWith(".jsonl"));
    equal(files.length, 2);
    return again;
  }));

Deno.test("next() leaves everything as it is where the session cannot be opened", () =>
  withApp([{ text: "One." }, { text: "Two." }], async ({ app, api }) => {
    await app.say("first");
    await rejects(app.next({ kind: "saved", id: "no such session" }), /No session has the id/);
    await app.say("second");
    equal(sent(api.bodies.at(-1)).texts, ["first", "One.", "second"]);
    const own = await run(`/load ${app.facts().id}`, app);
    equal(own.ok, false);
    match(own.text, /is the session you are in/);
    return app;
  }));

Deno.test("next() leaves what runs running, and modes and settings of this session in force", () =>
  withApp([
    { calls: [{ name: "run_cmd", arguments: { command: "sleep 60", background: true } }] },
    { text: "It runs." },
  ], async ({ app }) => {
    await app.say("start it");
    equal((await app.alive()).map(({ name }) => name), ["s1"]);
    await run("/automode off", app);
    await run("/think on", app);
    await run("/planmode on", app);
    const fresh = await app.next({ kind: "new" });
    equal((await fresh.alive()).map(({ name }) => name), ["s1"]);
    equal((await run("/automode", fresh)).text, "automode is off");
    equal(fresh.settings().SHOW_THINKING, true);
    equal((await fresh.commandHost()).planmode.isOn(), true);
    return fresh;
  }));

Deno.test("/system tells the model who it is to be, keeps it with the session, and takes it back", () =>
  withApp(
    [{ text: "Arr." }, { text: "Hello." }, { text: "Arr." }, { text: "Hi." }],
    async ({ app, api }) => {
      match((await run("/system", app)).text, /has no persona/);
      await run("/system You are a pirate.", app);
      await app.say("hi");
      ok(sent(api.bodies.at(-1)).system.endsWith("You are a pirate."));
      const { id } = app.facts();
      const fresh = await app.next({ kind: "new" });
      await fresh.say("hi");
      ok(!sent(api.bodies.at(-1)).system.includes("pirate"));
      const again = await fresh.next({ kind: "saved", id });
      equal((await run("/system", again)).text, "You are a pirate.");
      await again.say("and now?");
      ok(sent(api.bodies.at(-1)).system.endsWith("You are a pirate."));
      await run("/system reset", again);
      await again.say("and now?");
      ok(!sent(api.bodies.at(-1)).system.includes("pirate"));
      return again;
    },
  ));

Deno.test("/usage counts a resumed session too, by turn", () =>
  withApp([
    { text: "One.", usage: { input: 2_000, output: 10 } },
    { text: "Two.", usage: { input: 3_000, output: 20 } },
  ], async ({ app }) => {
    match(
      (await run("/usage", app)).text,
      /Nothing was asked of a model yet[\s\S]*about [\d,]+ tokens before/,
    );
    await app.say("first");
    const { id } = app.facts();
    const again = await (await app.next({ kind: "new" })).next({ kind: "saved", id });
    await again.say("second");
    const { text } = await run("/usage", again);
    match(text, /turn 1 +1 +2,000 +10 +0 +0 +\? +▰/);
    match(text, /turn 2 +1 +3,000 +20/);
    match(text, /all +2 +5,000 +30/);
    return again;
  }));
