import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { withApp } from "../support/whole_app.ts";

/** Every file under a directory that holds the words. */
async function filesWith(words: string, dir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory) found.push(...await filesWith(words, path));
    else if (entry.isFile && (await Deno.readTextFile(path)).includes(words)) found.push(path);
  }
  return found;
}

Deno.test("/record off before the first message leaves nothing of the conversation on disk", () =>
  withApp([{ text: "pearl-answer" }], async ({ app, home }) => {
    const { ok: isOk, text } = await app.slash("/record off");
    ok(isOk);
    match(text, /^Recording is off: .*\nNothing of it is on disk\n/);
    await app.say("pearl-question");
    await app.close();
    equal(await filesWith("pearl-", home), []);
  }));

Deno.test("/record off in the middle keeps what was said before; on saves it whole again", () =>
  withApp([{ text: "one-said" }, { text: "two-said" }], async ({ app, home }) => {
    await app.say("begin");
    const [path = ""] = await filesWith("one-said", home);
    ok(path.endsWith(".jsonl"));
    const { text } = await app.slash("/record off");
    ok(text.includes(`What was said before is still in "${path}"`), text);
    const before = await Deno.readTextFile(path);
    await app.say("go on");
    equal(await Deno.readTextFile(path), before);
    match((await app.slash("/record")).text, /^Recording is off/);
    match(
      (await app.slash("/record on")).text,
      /^Recording is on: this conversation is saved in "/,
    );
    equal(await filesWith("two-said", home), [path]);
  }));

Deno.test("/set SAVE_CHAT_HISTORY off stops the session that is open too", () =>
  withApp([{ text: "pearl-answer" }], async ({ app, home }) => {
    ok((await app.slash("/set SAVE_CHAT_HISTORY off")).ok);
    await app.say("pearl-question");
    equal(await filesWith("pearl-", home), []);
  }));

Deno.test("/record refuses what it does not know, with nothing changed", () =>
  withApp([], async ({ app }) => {
    const { ok: isOk, text } = await app.slash("/record maybe");
    equal([isOk, text], [false, '/record takes on or off, not "maybe"']);
    match((await app.slash("/record")).text, /^Recording is on: .* with its first message$/);
  }));
