import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { listEdits, undo } from "@/workspace/undo.ts";
import { moveTempName, pinName } from "@/workspace/place.ts";
import { ABSENT, file, type Tree, withTree, write } from "./journal_tree.ts";

/** Cuts the journal after its last line that begins an edit or an undo, as if the process had died right then. */
function cutAfterBegin(tree: Tree): { t: string } {
  const path = join(tree.storeDir(), "journal.jsonl");
  const lines = Deno.readTextFileSync(path).split("\n");
  const last = lines.findLastIndex((line) => /"op":"(edit|undo|redo)"/.test(line));
  Deno.writeTextFileSync(path, lines.slice(0, last + 1).join("\n") + "\n");
  return JSON.parse(lines[last] ?? "");
}

Deno.test("opening counts an edit as done when its file is as after, and drops it when it is as before", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, a, { after: file("1") });
    cutAfterBegin(tree);
    await tree.journal({ session: "next" });
    equal(tree.lines().at(-1), { op: "done", id: "s-1" });
    await write(journal, a, { after: file("2") });
    cutAfterBegin(tree);
    Deno.writeTextFileSync(a, "1");
    equal((await listEdits(journal)).map(({ id }) => id), ["s-1"]);
    equal(tree.lines().at(-1), { op: "done", id: "s-2", drop: [a] });
    equal((await write(journal, a, { after: file("3") })).id, "s-3");
  });
});

Deno.test("opening keeps an edit whose file is neither, and undo then refuses it", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, a, { after: file("1") });
    cutAfterBegin(tree);
    Deno.writeTextFileSync(a, "mine");
    const result = await undo(journal);
    ok(!result.ok && /a has changed since/.test(result.reason));
    equal(tree.shot(), { a: "644 mine" });
  });
});

Deno.test("opening drops the paths of an edit that were not written, with the directories made for them", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    const changes = [a, tree.path("d/b")].map((path) => ({
      path,
      expected: "unchecked" as const,
      after: file("1"),
    }));
    await journal.edit({ tool: "t", callId: "c", turn: 1, changes });
    const { t } = cutAfterBegin(tree);
    Deno.removeSync(tree.path("d/b"));
    Deno.writeTextFileSync(tree.path(`d/${moveTempName(t, 1)}`), "half of");
    Deno.symlinkSync(".", tree.path(`d/${pinName(moveTempName(t, 1))}`));
    equal((await listEdits(journal)).map(({ paths }) => paths), [["a"]]);
    equal(tree.shot(), { a: "644 1" });
    ok((await undo(journal)).ok);
    equal(tree.shot(), { a: "644 0" });
  });
});

Deno.test("opening finishes a deletion, but gives a file back that the journal does not have", async () => {
  for (
    const [hidden, expected] of [["0", {}], ["typed meanwhile", {
      a: "644 typed meanwhile",
    }]] as const
  ) {
    await withTree(async (tree) => {
      const a = tree.put("a", "0");
      const journal = await tree.journal();
      await write(journal, a, { after: ABSENT });
      const { t } = cutAfterBegin(tree);
      tree.put(moveTempName(t, 0), hidden);
      await listEdits(journal);
      equal(tree.shot(), expected);
    });
  }
});

Deno.test("opening gives a file back beside one that has taken its name", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, a, { after: ABSENT });
    const { t } = cutAfterBegin(tree);
    tree.put(moveTempName(t, 0), "typed meanwhile");
    tree.put("a", "newer");
    await listEdits(journal);
    const shot = tree.shot();
    equal(shot["a"], "644 newer");
    const [kept] = Object.keys(shot).filter((rel) => rel !== "a");
    ok(kept?.startsWith("a.kept-"));
    equal(shot[kept ?? ""], "644 typed meanwhile");
  });
});

Deno.test("opening rolls an undo forward, path by path, and leaves what somebody changed", async () => {
  await withTree(async (tree) => {
    const names = ["a", "b", "c"];
    for (const name of names) tree.put(name, `${name}0`, 0o600);
    const journal = await tree.journal();
    const changes = names.map((name) => ({
      path: tree.path(name),
      expected: "unchecked" as const,
      after: name === "c" ? ABSENT : file(`${name}1`),
    }));
    await journal.edit({ tool: "t", callId: "c", turn: 1, changes });
    ok((await undo(journal)).ok);
    cutAfterBegin(tree);
    // a is still as after the edit, b was changed by the person, c is still away.
    Deno.writeTextFileSync(tree.path("a"), "a1");
    Deno.writeTextFileSync(tree.path("b"), "mine");
    Deno.removeSync(tree.path("c"));
    equal((await listEdits(journal)).map(({ state }) => state), ["undone"]);
    equal(tree.shot(), { a: "600 a0", b: "600 mine", c: "600 c0" });
  });
});
