import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { History } from "@/terminal/full/history.ts";
import { withWorkspace } from "../../support/workspace.ts";

async function opened(file: string): Promise<History> {
  const history = new History();
  await history.open(file);
  return history;
}

const modeOf = (file: string) => (Deno.statSync(file).mode ?? 0) & 0o777;

Deno.test("History keeps messages across runs, for the person alone, lines and all", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    const first = await opened(file);
    await first.add("one");
    await first.add("two\nlines");
    await first.add("two\nlines");
    equal((await opened(file)).entries, ["one", "two\nlines"]);
    equal(modeOf(file), 0o600);
  }));

Deno.test("History takes rights that others have on the file away", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    await Deno.writeTextFile(file, '"old"\n');
    await Deno.chmod(file, 0o644);
    const history = await opened(file);
    await history.add("new");
    equal([history.entries, modeOf(file)], [["old", "new"], 0o600]);
  }));

Deno.test("History saves nothing that looks like a key, and nothing that begins with a blank", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    const history = await opened(file);
    for (
      const text of [
        "use sk-abcdefghijklmnop please",
        "/connect anthropic qwertyuiop",
        " not for the file",
        "fetch https://user:pass@host/x",
        "kept",
      ]
    ) await history.add(text);
    equal((await opened(file)).entries, ["kept"]);
    equal(history.entries.length, 5);
  }));

Deno.test("History keeps at an end without a warning what is not saved yet, and the text that was not sent", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    const history = await opened(file);
    await history.add("one");
    const saving = history.add("two");
    history.end("half a\nmessage");
    await saving;
    history.end("half a\nmessage");
    const after = (await opened(file)).entries;
    equal([...new Set(after)], ["one", "two", "half a\nmessage"]);
    equal(modeOf(file), 0o600);
    history.end(" not for the file");
    history.end("use sk-abcdefghijklmnop please");
    equal((await opened(file)).entries, after);
    const nowhere = await opened(join(dir, "gone/history"));
    nowhere.end("no place for it");
  }));

Deno.test("History goes on in a line of its own behind one that was cut", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    await Deno.writeTextFile(file, '"one"\n"ha');
    await (await opened(file)).add("two");
    equal((await opened(file)).entries, ["one", "two"]);
  }));

Deno.test("History skips lines that are damaged and keeps the others", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    await Deno.writeTextFile(file, '"one"\n{"no": "text"}\n"torn\n"two"\n"half');
    equal((await opened(file)).entries, ["one", "two"]);
  }));

Deno.test("History of several programs at once loses nothing", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    const programs = await Promise.all([1, 2, 3].map(() => opened(file)));
    await Promise.all(
      programs.flatMap((history, at) =>
        Array.from({ length: 20 }, (_, n) => history.add(`program ${at} message ${n}`))
      ),
    );
    equal((await opened(file)).entries.length, 60);
  }));

Deno.test("History stays bounded, and keeps the newest", () =>
  withWorkspace(async (dir) => {
    const file = join(dir, "history");
    const line = JSON.stringify("x".repeat(1_000)) + "\n";
    await Deno.writeTextFile(file, line.repeat(2_200));
    const history = await opened(file);
    await history.add("newest");
    equal(Deno.statSync(file).size < 600_000, true);
    equal((await opened(file)).entries.at(-1), "newest");
  }));

Deno.test("History says why it cannot save, and goes on", () =>
  withWorkspace(async (dir) => {
    await Deno.mkdir(join(dir, "history"));
    const history = new History();
    await history.open(join(dir, "history")).catch(() => undefined);
    match(await history.add("text") ?? "", /What you type is not kept in/);
    equal(history.entries, ["text"]);
  }));

Deno.test("older() and newer() go through the messages and come back to the draft", () => {
  const history = new History();
  void history.add("one");
  void history.add("two");
  equal([history.older("draft"), history.older("x"), history.older("x")], [
    "two",
    "one",
    undefined,
  ]);
  equal([history.newer(), history.newer(), history.newer()], ["two", "draft", undefined]);
});

Deno.test("find() takes words in any case, from the newest back", () => {
  const history = new History();
  for (const text of ["Fix the parser", "run tests", "fix tests"]) void history.add(text);
  equal(history.find("fix"), { text: "fix tests", index: 2 });
  equal(history.find("FIX", 2), { text: "Fix the parser", index: 0 });
  equal(history.find("fix", 0), undefined);
});
