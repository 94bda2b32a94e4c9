import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { Asker } from "@/protocol/policy.ts";
import { sent, withApp } from "../support/whole_app.ts";

const write = (filepath: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { filepath, content } }],
});

Deno.test("/rewind N conversation: what came after is not sent any more, and the files stay", () =>
  withApp(
    [{ text: "r1" }, write("a.txt", "a\n"), { text: "r2" }, { text: "r3" }],
    async ({ app, api, dir }) => {
      await app.say("one");
      await app.say("two");
      const { ok: isOk, text } = await app.slash("/rewind 1 conversation");
      equal([isOk, text.startsWith("The conversation is at the end of turn 1 again")], [
        true,
        true,
      ]);
      await app.say("three");
      const { texts } = sent(api.bodies.at(-1));
      equal(texts.filter((one) => /^(one|r1|two|r2|three)$/.test(one)), ["one", "r1", "three"]);
      equal(await Deno.readTextFile(join(dir, "a.txt")), "a\n");
      match(
        (await app.slash("/rewind 2 conversation")).text,
        /^Turn 2 is not in this conversation/,
      );
    },
  ));

Deno.test("/rewind N both: edits of all turns after it go back too, and the model is told", () =>
  withApp(
    [
      { text: "r1" },
      write("a.txt", "a\n"),
      { text: "r2" },
      write("b.txt", "b\n"),
      { text: "r3" },
      { text: "r4" },
    ],
    async ({ app, api, dir }) => {
      for (const text of ["one", "two", "three"]) await app.say(text);
      const { ok: isOk, text } = await app.slash("/rewind 1 both");
      ok(isOk, text);
      match(text, /^Took back 2 edits of turns 2 to 3: /);
      equal([...Deno.readDirSync(dir)], []);
      await app.say("four");
      const { texts } = sent(api.bodies.at(-1));
      const told = /Changes that you made after it are taken back, in: b\.txt, a\.txt/;
      ok(texts.some((one) => told.test(one)), texts.join("\n"));
      ok(!texts.some((one) => /^(two|three|r2|r3)$/.test(one)));
    },
  ));

Deno.test("/rewind both changes nothing where a file is not what the edit left", () =>
  withApp([write("a.txt", "a\n"), { text: "r1" }, { text: "r2" }], async ({ app, dir, api }) => {
    await app.say("one");
    await Deno.writeTextFile(join(dir, "a.txt"), "mine\n");
    const { ok: isOk, text } = await app.slash("/rewind 0 both");
    equal([isOk, await Deno.readTextFile(join(dir, "a.txt"))], [false, "mine\n"]);
    match(text, /discard that change, then \/rewind 0 both again\./);
    match(text, /Nothing went back; \/rewind 0 conversation leaves the files as they are/);
    await app.say("two");
    ok(sent(api.bodies.at(-1)).texts.includes("one"));
  }));

Deno.test("/rewind N asks what goes back, with the files, and the first answer is to leave all", () => {
  const asked: { text: string; options: readonly string[] }[] = [];
  const asker: Asker = (questions) => {
    asked.push(...questions.map(({ text, options }) => ({ text, options })));
    return Promise.resolve([asked.length === 1 ? "leave it as it is" : "files only"]);
  };
  return withApp([write("a.txt", "a\n"), { text: "r1" }], async ({ app, dir }) => {
    await app.say("one");
    equal((await app.slash("/rewind 0")).text, "Everything stays as it is");
    equal([...Deno.readDirSync(dir)].length, 1);
    match(asked[0]?.text ?? "", /changed since: a\.txt/);
    equal(asked[0]?.options[0], "leave it as it is");
    match((await app.slash("/rewind 0")).text, /^Took back/);
    equal([...Deno.readDirSync(dir)].length, 0);
    equal(app.harness.turns().length, 1);
  }, { screen: { asker } });
});

Deno.test("/rewind says why it cannot: no such turn, the newest, inside a summary, nobody to ask", async () => {
  await withApp([{ text: "r1" }, { text: "r2" }, { text: "r3" }], async ({ app }) => {
    equal((await app.slash("/rewind")).text, "There is no message to go back to yet");
    for (const text of ["one", "two", "three"]) await app.say(text);
    equal((await app.slash("/rewind 3")).text, "Nothing came after turn 3: it is the newest");
    match((await app.slash("/rewind 9")).text, /^Turn 9 is not in this conversation/);
    match((await app.slash("/rewind two")).text, /takes the number of a turn/);
    match((await app.slash("/rewind 1 all")).text, /does not know "all"/);
    match(
      (await app.slash("/rewind")).text,
      /\/rewind 0 {2}turn 1: one\n.*\/rewind 1 {2}turn 2: two/,
    );
    // The first message and its reply, and the second message, become a summary.
    app.harness.emit({ type: "compaction", summary: "so far", keepFrom: 3 });
    equal(
      (await app.slash("/rewind 1 conversation")).text,
      "Turn 2 is inside a summary, so the conversation cannot go back to before it; /rewind 2 is " +
        "the earliest. /rewind 1 files takes the files back alone",
    );
    ok((await app.slash("/rewind 2 conversation")).ok);
    equal(app.harness.turns().map(({ turn }) => turn), [1, 2]);
  });
  await withApp([{ text: "r1" }], async ({ app }) => {
    await app.say("one");
    match((await app.slash("/rewind 0")).text, /^Say what goes back: \/rewind 0 conversation/);
  }, { isInteractive: false });
});

Deno.test("/rewind N files takes back edits that stand after the conversation went back to N alone", () =>
  withApp(
    [{ text: "r1" }, write("a.txt", "a\n"), { text: "r2" }],
    async ({ app, dir }) => {
      for (const text of ["one", "two"]) await app.say(text);
      await app.slash("/rewind 1 conversation");
      equal(
        (await app.slash("/rewind 1")).text,
        "Nothing came after turn 1: it is the newest; /rewind 1 files takes back later edits",
      );
      match((await app.slash("/rewind 1 files")).text, /^Took back/);
      equal([...Deno.readDirSync(dir)], []);
      match((await app.slash("/rewind 1 files")).text, /^No edit after turn 1 stands/);
    },
  ));
