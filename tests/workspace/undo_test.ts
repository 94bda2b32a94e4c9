import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  lastEndedSession,
  listEdits,
  redo,
  undo,
  type UndoResult,
  undoTurn,
} from "@/workspace/undo.ts";
import { showEdit } from "@/workspace/undo_show.ts";
import { ABSENT, file, withTree, write } from "./journal_tree.ts";

function reasonOf(result: UndoResult): string {
  return result.ok ? `it was done: ${result.text}` : result.reason;
}

function textOf(result: UndoResult): string {
  return result.ok ? result.text : `it was refused: ${result.reason}`;
}

Deno.test("undo() and redo() walk back and forth over edits, creations and deletions", async () => {
  await withTree(async (tree) => {
    const a = tree.put("src/a.ts", "one", 0o755);
    const journal = await tree.journal();
    const shots = [tree.shot()];
    const steps = [
      { path: a, after: file("two") },
      { path: tree.path("new/deep/x"), after: file("x", 0o700) },
      { path: a, after: ABSENT },
      { path: tree.path("made"), after: { kind: "dir" as const } },
    ];
    for (const step of steps) {
      await write(journal, step.path, step);
      shots.push(tree.shot());
    }
    for (let round = 0; round < 2; round++) {
      for (const shot of shots.slice(0, -1).reverse()) {
        ok((await undo(journal)).ok);
        equal(tree.shot(), shot);
      }
      equal(reasonOf(await undo(journal)), "Nothing to take back in this session.");
      for (const shot of shots.slice(1)) {
        ok((await redo(journal)).ok);
        equal(tree.shot(), shot);
      }
      equal(reasonOf(await redo(journal)), "Nothing to bring back in this session.");
    }
  });
});

Deno.test("undo() names what it took back, and gives its paths and ids", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "1");
    const journal = await tree.journal();
    const changes = [a, tree.path("b")].map((path) => ({
      path,
      expected: "unchecked" as const,
      after: file("2"),
    }));
    await journal.edit({ tool: "edit_file", callId: "c", turn: 1, changes });
    equal(await undo(journal), {
      ok: true,
      text: "Took back ai(edit_file): a, b",
      paths: [tree.path("b"), a],
      ids: ["s-1"],
    });
    equal(textOf(await redo(journal)), "Brought back ai(edit_file): a, b");
  });
});

Deno.test("undo() refuses a file that changed since, names it and leaves everything alone (D28)", async () => {
  await withTree(async (tree) => {
    const shared = tree.put("shared.py", "one\n");
    const other = tree.put("other.py", "1\n");
    tree.put("untracked.txt", "mine\n");
    const journal = await tree.journal();
    const changes = [shared, other].map((path) => ({
      path,
      expected: "unchecked" as const,
      after: file("ai\n"),
    }));
    await journal.edit({ tool: "write_file", callId: "c", turn: 1, changes });
    const refused = async (reason: string) => {
      const before = tree.shot();
      equal(reasonOf(await undo(journal)), `${reason} /undo show prints the edit.`);
      equal(tree.shot(), before);
    };
    Deno.writeTextFileSync(shared, "ai\nmine\n");
    await refused(
      "shared.py has changed since ai(write_file): shared.py, other.py. " +
        "Save or discard that change, then /undo again.",
    );
    Deno.removeSync(shared);
    await refused(
      "shared.py is not there any more. Bring it back under that name, then /undo again.",
    );
    Deno.writeTextFileSync(shared, "ai\n");
    ok((await undo(journal)).ok);
    Deno.writeTextFileSync(other, "2\n");
    match(reasonOf(await redo(journal)), /other\.py has changed since .* was taken back/);
  });
});

Deno.test("undo() refuses a file that became a link, a directory or leads elsewhere", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    const path = tree.put("d/a", "1");
    await write(journal, path, { after: file("2") });
    const out = join(tree.dir, "out");
    Deno.mkdirSync(out);
    Deno.writeTextFileSync(join(out, "a"), "2");
    for (
      const change of [
        () => Deno.symlinkSync(join(out, "a"), path),
        () => Deno.mkdirSync(path),
        () => {
          Deno.removeSync(tree.path("d"));
          Deno.symlinkSync(out, tree.path("d"));
        },
      ]
    ) {
      Deno.removeSync(path, { recursive: true });
      change();
      match(reasonOf(await undo(journal)), /d\/a has changed since/);
      equal(Deno.readTextFileSync(join(out, "a")), "2");
    }
  });
});

Deno.test({
  name: "undo() and redo() leave a mode that the person set after the edit",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      const edited = tree.put("edited", "1", 0o644);
      const journal = await tree.journal();
      await write(journal, edited, { after: file("2") });
      await write(journal, tree.path("created"), { after: file("x") });
      Deno.chmodSync(edited, 0o755);
      Deno.chmodSync(tree.path("created"), 0o750);
      await undo(journal);
      await undo(journal);
      equal(tree.shot(), { edited: "755 1" });
      await redo(journal);
      await redo(journal);
      equal(tree.shot(), { edited: "755 2", created: "750 x" });
      // Deleted, brought back, made private by the person, deleted again, brought back again.
      await write(journal, edited, { after: ABSENT });
      await undo(journal);
      equal(tree.shot()["edited"], "755 2");
      Deno.chmodSync(edited, 0o700);
      await redo(journal);
      await undo(journal);
      equal(tree.shot()["edited"], "700 2");
    });
  },
});

Deno.test({
  name: "undo() carries a mode that the person set over a deletion and a new creation of the file",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      const script = tree.put("run.sh", "1", 0o755);
      const journal = await tree.journal();
      await write(journal, script, { after: ABSENT });
      await write(journal, script, { after: file("2") });
      // Nobody touched the mode of the new file, so the old one comes back with its own.
      await undo(journal);
      await undo(journal);
      equal(tree.shot(), { "run.sh": "755 1" });
      await redo(journal);
      await redo(journal);
      Deno.chmodSync(script, 0o700);
      await undo(journal);
      await undo(journal);
      equal(tree.shot(), { "run.sh": "700 1" });
    });
  },
});

Deno.test("undo() removes directories that the edit made only when they are empty", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    await write(journal, tree.path("a/b/x"), { after: file("x") });
    tree.put("a/own", "mine");
    await undo(journal);
    equal(tree.shot(), { "a/": "dir", "a/own": "644 mine" });
    await redo(journal);
    Deno.removeSync(tree.path("a/own"));
    await undo(journal);
    equal(tree.shot(), {});
    await write(journal, tree.path("made"), { after: { kind: "dir" }, tool: "create_dir" });
    tree.put("made/own", "mine");
    equal(
      textOf(await undo(journal)),
      "Took back ai(create_dir): made (kept, because it is not empty: made)",
    );
    equal(tree.shot(), { "made/": "dir", "made/own": "644 mine" });
    ok((await redo(journal)).ok);
  });
});

Deno.test("undo() removes a directory that redo made, and leaves one that the person made", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    await write(journal, tree.path("d/x"), { after: file("x") });
    await undo(journal);
    equal(tree.shot(), {});
    Deno.mkdirSync(tree.path("d"));
    await redo(journal);
    await undo(journal);
    equal(tree.shot(), { "d/": "dir" });
  });
});

Deno.test("undo() brings a deleted file and a deleted link back, with the directories above them", async () => {
  await withTree(async (tree) => {
    const path = tree.put("d/e/a", "bytes", 0o600);
    Deno.symlinkSync("../a", tree.path("d/link"));
    const before = tree.shot();
    const journal = await tree.journal();
    await write(journal, path, { after: ABSENT });
    await write(journal, tree.path("d/link"), { after: ABSENT });
    Deno.removeSync(tree.path("d"), { recursive: true });
    await undo(journal);
    await undo(journal);
    equal(tree.shot(), before);
    await redo(journal);
    equal(tree.shot(), { "d/": "dir", "d/link": "-> ../a" });
    await redo(journal);
    equal(tree.shot(), {});
  });
});

Deno.test("a new edit ends what redo could bring back", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    await write(journal, tree.path("a"), { after: file("1") });
    await write(journal, tree.path("b"), { after: file("1") });
    await undo(journal);
    await write(journal, tree.path("c"), { after: file("1") });
    match(reasonOf(await redo(journal)), /Nothing to bring back/);
    equal((await listEdits(journal)).map(({ id, state }) => [id, state]), [
      ["s-3", "live"],
      ["s-2", "undone"],
      ["s-1", "live"],
    ]);
  });
});

Deno.test("undoTurn() takes back the newest turn whole, and redo() brings it back whole", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, a, { after: file("1"), turn: 1 });
    const start = tree.shot();
    await write(journal, a, { after: file("2"), turn: 2 });
    await write(journal, tree.path("d/b"), { after: file("b"), turn: 2 });
    await write(journal, a, { after: file("3"), turn: 2 });
    await write(journal, tree.path("d/b"), { after: ABSENT, turn: 2 });
    const end = tree.shot();
    equal(textOf(await undoTurn(journal)), "Took back 4 edits of turn 2: d/b, a");
    equal(tree.shot(), start);
    ok((await redo(journal)).ok);
    equal(tree.shot(), end);
    ok((await undo(journal)).ok);
    equal(tree.shot()["d/b"]?.endsWith(" b"), true);
  });
});

Deno.test("undoTurn() refuses when somebody changed a file between two edits of the turn", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, a, { after: file("1") });
    Deno.writeTextFileSync(a, "mine");
    await write(journal, a, { after: file("2") });
    equal(
      reasonOf(await undoTurn(journal)),
      "a was changed by somebody else between these edits. /undo takes back one edit at a time.",
    );
    ok((await undo(journal)).ok);
    equal(tree.shot(), { a: "644 mine" });
  });
});

Deno.test("undo() takes back only this session's edits, and names the session that came in between", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const mine = await tree.journal();
    const other = await tree.journal({ session: "other" });
    await write(mine, a, { after: file("1") });
    await write(other, a, { after: file("2") });
    match(reasonOf(await undo(mine)), /edited by the session "other" meanwhile/);
    match(
      reasonOf(await undo(mine, { session: "other" })),
      /session "other" is open in another process/,
    );
    ok((await undo(other)).ok);
    ok((await undo(mine)).ok);
    equal(tree.shot(), { a: "644 0" });
  });
});

Deno.test("undo() in a fresh session points to the last one, and takes it back when asked, unless it lives", async () => {
  await withTree(async (tree) => {
    const old = await tree.journal({ session: "old" });
    await write(old, tree.path("a"), { after: file("1") });
    await write(old, tree.path("b"), { after: file("1") });
    const fresh = await tree.journal({ session: "fresh" });
    equal(reasonOf(await undo(fresh)), "Nothing to take back in this session.");
    equal(await lastEndedSession(fresh), undefined);
    old.close();
    equal(
      reasonOf(await undo(fresh)),
      "Nothing to take back in this session. The last session here changed 2 files: /undo list",
    );
    equal(await lastEndedSession(fresh), "old");
    ok((await undo(fresh, { session: "old" })).ok);
    ok((await redo(fresh, { session: "old" })).ok);
    equal(Object.keys(tree.shot()).sort(), ["a", "b"]);
  });
});

Deno.test("undo() says that the bytes are gone, damaged or were too large", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0".repeat(2000));
    const small = await tree.journal({ sizeMaxBytes: 1000 });
    await write(small, a, { after: file("1") });
    equal(
      reasonOf(await undo(small)),
      "a (1 MB) was over the undo limit; this change cannot be taken back.",
    );
    await write(small, a, { after: file("2") });
    await write(small, a, { after: file("3") });
    const blobs = join(tree.storeDir(), "blobs");
    for (const dir of Deno.readDirSync(blobs)) {
      for (const { name } of Deno.readDirSync(join(blobs, dir.name))) {
        Deno.writeTextFileSync(join(blobs, dir.name, name), "damage");
      }
    }
    match(reasonOf(await undo(small)), /are damaged; nothing was changed/);
    Deno.removeSync(blobs, { recursive: true });
    equal(
      reasonOf(await undo(small)),
      "Too old: the bytes before this edit were removed (limit 30 days / 500 MB).",
    );
    equal(tree.shot(), { a: "644 3" });
  });
});

Deno.test("listEdits() names what was done, newest first, also outside the workspace", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal({ now: () => new Date("2026-03-04T05:06:07Z") });
    const outside = join(tree.dir, "outside");
    await write(journal, outside, { after: file("1") });
    await write(journal, tree.path("d/a"), { after: file("1"), turn: 2, tool: "edit_file" });
    const common = { session: "s", at: "2026-03-04T05:06:07.000Z", agent: null, state: "live" };
    equal(await listEdits(journal), [
      { id: "s-2", turn: 2, tool: "edit_file", paths: ["d/a"], ...common },
      { id: "s-1", turn: 1, tool: "write_file", paths: [outside], ...common },
    ]);
    equal(await listEdits(journal, "nobody"), []);
    ok((await undo(journal)).ok && (await undo(journal)).ok);
    equal([...Deno.readDirSync(tree.dir)].map(({ name }) => name).sort(), ["state", "ws"]);
  });
});

Deno.test("showEdit() prints a diff, and says in words what is no text", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "one\ntwo\n");
    const journal = await tree.journal();
    await write(journal, a, { after: file("one\n2\n") });
    const shown = await showEdit(journal);
    match(shown.ok ? shown.text : "", /^ai\(write_file\): a\n[^]*\n-two\n\+2\n/);
    await write(journal, a, { after: file("\0") });
    match(
      textOfShown(await showEdit(journal, { id: "s-2" })),
      /a: a file of 6 bytes → a file of 1 bytes \(binary\)/,
    );
    await write(journal, tree.path("d"), { after: { kind: "dir" } });
    match(textOfShown(await showEdit(journal)), /d: nothing → a directory/);
    match(textOfShown(await showEdit(journal, { id: "s-9" })), /No edit is called "s-9"/);
  });
});

function textOfShown(shown: Awaited<ReturnType<typeof showEdit>>): string {
  return shown.ok ? shown.text : shown.reason;
}
