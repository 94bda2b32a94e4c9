import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { sent, withApp } from "../support/whole_app.ts";

const words = (body: unknown) =>
  sent(body).texts.filter((text) => /^(one|r1|two|r2|three|r3)$/.test(text));

Deno.test("/fork N goes on in a copy to the end of turn N, a summarised one too; the first stays", () =>
  withApp(
    [{ text: "r1" }, { text: "r2" }, { text: "r3" }],
    async ({ app, api, home }) => {
      await app.say("one");
      await app.say("two");
      app.harness.emit({ type: "compaction", summary: "so far", keepFrom: 3 });
      const { uid, path } = { uid: app.facts().session, path: app.facts().id };
      const { ok: isOk, text, next } = await app.slash("/fork 1");
      ok(isOk && next?.kind === "saved", text);
      match(text, /to the end of turn 1; files are as they were left$/);
      const before = await Deno.readTextFile(join(home, "sessions", `${path}.jsonl`));
      const second = await app.next(next);
      ok(second.facts().session !== uid);
      await second.say("three");
      equal(words(api.bodies.at(-1)), ["one", "r1", "three"]);
      equal(second.harness.turns().map(({ turn }) => turn), [1, 2]);
      equal(await Deno.readTextFile(join(home, "sessions", `${path}.jsonl`)), before);
      return second;
    },
  ));

Deno.test("/fork copies the whole session, and says why it cannot", () =>
  withApp([{ text: "r1" }, { text: "r2" }], async ({ app }) => {
    equal((await app.slash("/fork")).text, "Nothing was said yet that could be copied");
    equal((await app.slash("/fork 1")).text, "There is no turn yet");
    match((await app.slash("/fork one")).text, /takes the number of a turn, not "one"/);
    await app.say("one");
    match((await app.slash("/fork 4")).text, /^Turn 4 is not in this conversation/);
    const whole = await app.slash("/fork");
    equal([whole.ok, whole.next?.kind], [true, "saved"]);
    await app.slash("/record off");
    await app.say("two");
    match(
      (await app.slash("/fork 1")).text,
      /is not saved, so there is nothing to copy; \/record on/,
    );
  }));
