/** The journal's place in the state directory, when something else is there, or somebody holds it. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { openLockFile } from "@/lib/file_lock.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { Unrecordable } from "@/workspace/journal.ts";
import { undo } from "@/workspace/undo.ts";
import { file, withTree, write } from "./journal_tree.ts";

const pipe = (path: string) => void new Deno.Command("mkfifo", { args: [path] }).outputSync();

/** What may stand in the way, by its place below the journal's directory. */
const IN_THE_WAY: readonly { name: string; at: string; put(path: string): void }[] = [
  { name: "a file for undo/", at: "../", put: (path) => Deno.writeTextFileSync(path, "x") },
  { name: "a link to nothing for undo/", at: "../", put: (path) => Deno.symlinkSync("gone", path) },
  { name: "a file for its directory", at: "", put: (path) => Deno.writeTextFileSync(path, "x") },
  { name: "a directory for the journal", at: "journal.jsonl", put: (path) => Deno.mkdirSync(path) },
  { name: "a pipe for the journal", at: "journal.jsonl", put: pipe },
  {
    name: "a link to elsewhere for the journal",
    at: "journal.jsonl",
    put: (path) => Deno.symlinkSync("../../../planted", path),
  },
  { name: "a pipe for its lock", at: "journal.jsonl.lock", put: pipe },
  {
    name: "a link to elsewhere for its lock",
    at: "journal.jsonl.lock",
    put: (path) => Deno.symlinkSync("../../../planted", path),
  },
  { name: "a file for the blobs", at: "blobs", put: (path) => Deno.writeTextFileSync(path, "x") },
  { name: "a file for the marks", at: "live", put: (path) => Deno.writeTextFileSync(path, "x") },
];

for (const { name, at, put } of IN_THE_WAY) {
  Deno.test({
    name: `with ${name} the journal opens, edits are refused, and all is well once it is gone`,
    ignore: Deno.build.os === "windows",
    async fn() {
      await withTree(async (tree) => {
        const a = tree.put("a", "0");
        const first = await tree.journal({ session: "first" });
        await write(first, a, { after: file("0.5") });
        await write(first, a, { after: file("0") });
        first.close();
        const place = join(tree.storeDir(), at).replace(/\/$/, "");
        Deno.removeSync(place, { recursive: true });
        put(place);
        const journal = await tree.journal();
        await rejects(write(journal, a, { after: file("1") }), Error);
        equal(tree.shot(), { a: "644 0" });
        equal([...Deno.readDirSync(tree.dir)].map((entry) => entry.name).sort(), ["state", "ws"]);
        Deno.removeSync(place, { recursive: true });
        await write(journal, a, { after: file("1") });
        equal(journal.problem, undefined);
        ok((await undo(journal)).ok);
        equal(tree.shot(), { a: "644 0" });
      });
    },
  });
}

Deno.test("problem says what is wrong with the journal's place", async () => {
  await withTree(async (tree) => {
    Deno.mkdirSync(tree.state);
    Deno.writeTextFileSync(join(tree.state, "undo"), "x");
    const journal = await tree.journal();
    match(journal.problem ?? "", /a part of the path is a file|a directory/);
  });
});

Deno.test("edit() that need not be recorded is made all the same, and said to be for good", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0", 0o640);
    Deno.mkdirSync(tree.state);
    Deno.writeTextFileSync(join(tree.state, "undo"), "x");
    let isRequired = true;
    const said: string[] = [];
    const journal = await tree.journal({
      isRequired: () => isRequired,
      onNotice: (line) => void said.push(line),
    });
    await rejects(write(journal, a, { after: file("1") }), Unrecordable);
    isRequired = false;
    equal(await write(journal, a, { after: file("1") }), { id: "", changed: [a] });
    equal(tree.shot(), { a: "640 1" });
    equal(said.length, 1);
    match(said[0] ?? "", /^Cannot record the edit for \/undo: .*it cannot be taken back\.$/);
    await rejects(write(journal, a, { expected: file("0"), after: file("2") }), /changed/i);
    equal(tree.shot(), { a: "640 1" });
  });
});

Deno.test("edit() touches nothing when its bytes cannot be kept after all, and needs no record of it", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    let isRequired = true;
    const journal = await tree.journal({ isRequired: () => isRequired, onNotice: () => {} });
    const before = tree.shot();
    // Found out when the bytes get their name, which is while the new file is written beside the old one.
    for (const text of ["0", "1"]) {
      Deno.writeTextFileSync(join(tree.storeDir(), "blobs", sha256Hex(text).slice(0, 2)), "x");
    }
    const changes = [
      { path: tree.path("new/b"), expected: "unchecked" as const, after: file("0") },
      { path: a, expected: file("0"), after: file("1") },
    ];
    const edit = { tool: "t", callId: "c", turn: 1, changes };
    await rejects(journal.edit(edit), Unrecordable);
    equal(tree.shot(), before);
    equal(await undo(journal), { ok: false, reason: "Nothing to take back in this session." });
    isRequired = false;
    equal(await journal.edit(edit), { id: "", changed: changes.map(({ path }) => path) });
    equal(tree.shot(), { "new/": "dir", "new/b": "644 0", a: "644 1" });
  });
});

Deno.test("opening waits only briefly for a lock that somebody keeps, and finishes later what is unfinished", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "0");
    const first = await tree.journal();
    await write(first, a, { after: file("1") });
    const path = join(tree.storeDir(), "journal.jsonl");
    const [begin = ""] = Deno.readTextFileSync(path).split("\n");
    Deno.writeTextFileSync(path, `${begin}\n`);
    using held = await openLockFile(`${path}.lock`);
    await held.lock(true);
    const started = performance.now();
    const journal = await tree.journal({ session: "next", lockWaitMs: 50 });
    ok(performance.now() - started < 20_000);
    equal(journal.problem, undefined);
    await rejects(write(journal, a, { after: file("2") }), /another process has kept it locked/);
    await held.unlock();
    await write(journal, a, { after: file("2") });
    equal(tree.lines().map(({ op, id }) => `${op} ${id}`), [
      "edit s-1",
      "done s-1",
      "edit next-1",
      "done next-1",
    ]);
  });
});
