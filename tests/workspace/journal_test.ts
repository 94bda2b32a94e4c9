import { deepStrictEqual as equal, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { ChangedSince, PlaceChanged } from "@/workspace/journal.ts";
import { sha256Hex } from "@/lib/hash.ts";
import { ABSENT, file, withTree, write } from "./journal_tree.ts";

Deno.test("edit() writes the file, records before and after, and reports it", async () => {
  await withTree(async (tree) => {
    const path = tree.put("src/a.ts", "one\n");
    const { uid, gid } = Deno.statSync(path);
    const edits: unknown[] = [];
    const journal = await tree.journal({
      onEdit: (edit) => void edits.push(edit),
      now: () => new Date("2026-03-04T05:06:07Z"),
    });
    const done = await write(journal, path, { expected: file("one\n"), after: file("two\n") });
    equal(done, { id: "s-1", changed: [path] });
    equal(edits, [{ journalId: "s-1", tool: "write_file", paths: [path] }]);
    equal(tree.shot(), { "src/": "dir", "src/a.ts": "644 two\n" });
    const [record, end, ...rest] = tree.lines();
    equal({ ...record, t: "", start: "" }, {
      v: 1,
      op: "edit",
      id: "s-1",
      session: "s",
      turn: 1,
      call: "c1",
      tool: "write_file",
      agent: null,
      pid: Deno.pid,
      start: "",
      at: "2026-03-04T05:06:07.000Z",
      t: "",
      paths: [{
        p: path,
        rel: "src/a.ts",
        top: tree.ws,
        b: { k: "file", h: sha256Hex("one\n"), m: 0o644, n: 4, o: [uid, gid] },
        a: { k: "file", h: sha256Hex("two\n"), m: 0, n: 4 },
        dirs: [],
      }],
    });
    equal([end, ...rest], [{ op: "done", id: "s-1" }]);
  });
});

Deno.test({
  name: "edit() keeps the mode of a script and leaves a new file to the umask (D05)",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      const script = tree.put("run.sh", "echo 1\n", 0o755);
      const journal = await tree.journal();
      await write(journal, script, { after: file("echo 2\n") });
      await write(journal, tree.path("new"), { after: file("x") });
      await write(journal, tree.path("copy.sh"), { after: file("x", 0o755) });
      const plain = (0o666 & ~Deno.umask()).toString(8);
      const program = (0o755 & ~Deno.umask()).toString(8);
      equal(tree.shot(), {
        "run.sh": "755 echo 2\n",
        "new": `${plain} x`,
        "copy.sh": `${program} x`,
      });
    });
  },
});

Deno.test("edit() makes missing directories and records them", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    const path = tree.path("a/b/c.txt");
    await write(journal, path, { expected: ABSENT, after: file("x") });
    const [record] = tree.lines();
    const [first] = record?.["paths"] as { dirs: string[] }[];
    equal(first?.dirs, [tree.path("a"), tree.path("a/b")]);
  });
});

Deno.test("edit() refuses a path that is not as expected, by content and not by time (D09, D10)", async () => {
  await withTree(async (tree) => {
    const path = tree.put("a", "one");
    const journal = await tree.journal();
    const cases = [
      { expected: file("other"), how: /"a" has changed|has changed since it was read/ },
      { expected: ABSENT, how: /exists by now/ },
      { expected: { kind: "dir" as const }, how: /is a file by now/ },
      { expected: { kind: "link" as const, target: "x" }, how: /is a file by now/ },
    ];
    for (const { expected, how } of cases) {
      await rejects(write(journal, path, { expected, after: file("two") }), (error: unknown) => {
        ok(error instanceof ChangedSince);
        equal(error.path, path);
        ok(how.test(error.message), error.message);
        return true;
      });
    }
    await rejects(
      write(journal, tree.path("gone"), { expected: file("x"), after: file("y") }),
      /no longer there/,
    );
    equal(tree.shot(), { a: "644 one" });
    Deno.utimeSync(path, 1, 1);
    await write(journal, path, { expected: file("one", 0o600), after: file("two") });
    await write(journal, path, { expected: file("two"), after: file("three") });
    equal(tree.shot(), { a: "644 three" });
  });
});

Deno.test("edit() makes no record when nothing would differ", async () => {
  await withTree(async (tree) => {
    const path = tree.put("a", "one");
    Deno.mkdirSync(tree.path("d"));
    const edits: unknown[] = [];
    const journal = await tree.journal({ onEdit: (edit) => void edits.push(edit) });
    equal(await write(journal, path, { after: file("one") }), { id: "", changed: [] });
    equal(await write(journal, tree.path("d"), { after: { kind: "dir" } }), {
      id: "",
      changed: [],
    });
    equal(await write(journal, tree.path("no"), { after: ABSENT }), { id: "", changed: [] });
    equal(edits, []);
  });
});

Deno.test("edit() changes all paths or none", async () => {
  await withTree(async (tree) => {
    const a = tree.put("a", "a1", 0o640);
    const b = tree.put("b", "b1");
    const before = tree.shot();
    const journal = await tree.journal();
    const changes = [
      { path: a, expected: file("a1"), after: file("a2") },
      { path: tree.path("new/deep"), expected: ABSENT, after: file("n") },
      { path: b, expected: file("stale"), after: file("b2") },
    ];
    const call = { tool: "edit_file", callId: "c", turn: 1 };
    await rejects(journal.edit({ ...call, changes }), ChangedSince);
    equal(tree.shot(), before);
    // The second one fails only after the first was written: a directory stands where a file is to be.
    const dir = tree.path("dir");
    Deno.mkdirSync(dir);
    const late = [
      { path: a, expected: file("a1"), after: file("a2") },
      { path: b, expected: file("b1"), after: ABSENT },
      { path: tree.path("new/deep"), expected: ABSENT, after: file("n") },
      { path: dir, expected: "unchecked" as const, after: file("x") },
    ];
    await rejects(journal.edit({ ...call, changes: late }), /a directory is there/);
    equal(tree.shot(), { ...before, "dir/": "dir" });
    equal((await write(journal, a, { after: file("a3") })).id, "s-2");
  });
});

Deno.test("edit() deletes files, links and empty directories, and refuses a full directory", async () => {
  await withTree(async (tree) => {
    const a = tree.put("d/a", "a");
    Deno.symlinkSync("nowhere", tree.path("link"));
    const journal = await tree.journal();
    await rejects(write(journal, tree.path("d"), { after: ABSENT }), /is not empty/);
    await write(journal, tree.path("link"), {
      expected: { kind: "link", target: "nowhere" },
      after: ABSENT,
    });
    await write(journal, a, { expected: file("a"), after: ABSENT });
    equal(tree.shot(), { "d/": "dir" });
    await write(journal, tree.path("d"), { expected: { kind: "dir" }, after: ABSENT });
    equal(tree.shot(), {});
  });
});

Deno.test("edit() replaces a link itself when the tool did not know of it", async () => {
  await withTree(async (tree) => {
    tree.put("target", "mine");
    Deno.symlinkSync("target", tree.path("link"));
    const journal = await tree.journal();
    await rejects(
      write(journal, tree.path("link"), { expected: file("mine"), after: file("x") }),
      ChangedSince,
    );
    await write(journal, tree.path("link"), { after: file("x") });
    equal(tree.shot()["target"], "644 mine");
  });
});

Deno.test("edit() refuses a path whose directory now is a link, and writes nothing there", async () => {
  await withTree(async (tree) => {
    tree.put("sub/a", "inside");
    const out = join(tree.dir, "out");
    Deno.mkdirSync(out);
    const journal = await tree.journal();
    Deno.renameSync(tree.path("sub"), tree.path("sub.old"));
    Deno.symlinkSync(out, tree.path("sub"));
    for (const rel of ["sub/a", "sub/new/x"]) {
      await rejects(write(journal, tree.path(rel), { after: file("x") }), PlaceChanged);
    }
    equal([...Deno.readDirSync(out)], []);
  });
});

Deno.test("edit() refuses paths that are not real absolute ones, and two changes of one path", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    for (const path of ["a", tree.path("x/../a") + "/", `${tree.ws}/./a`]) {
      await rejects(write(journal, path, { after: file("x") }), TypeError);
    }
    const twice = { path: tree.path("a"), expected: "unchecked" as const, after: file("x") };
    await rejects(
      journal.edit({ tool: "t", callId: "c", turn: 1, changes: [twice, twice] }),
      TypeError,
    );
    equal(tree.shot(), {});
  });
});

Deno.test({
  name: "edit() refuses a pipe without opening it",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      await new Deno.Command("mkfifo", { args: [tree.path("pipe")] }).output();
      const journal = await tree.journal();
      await rejects(write(journal, tree.path("pipe"), { after: file("x") }), /not a file/);
    });
  },
});

Deno.test("edit() announces before the write that a large file cannot be taken back", async () => {
  await withTree(async (tree) => {
    const path = tree.put("big.bin", "x".repeat(2_500_000));
    const said: string[] = [];
    const noticed: string[] = [];
    const journal = await tree.journal({
      sizeMaxBytes: 1000,
      onNotice: (line) => void noticed.push(line),
    });
    const say = (line: string) => void said.push(`${line} ${Deno.statSync(path).size}`);
    const changes = [{ path, expected: "unchecked" as const, after: file("small") }];
    await journal.edit({ tool: "t", callId: "c", turn: 1, changes, say });
    equal(said, [
      "big.bin (3 MB) is over the undo limit; this change cannot be taken back. 2500000",
    ]);
    await write(journal, tree.path("large"), { after: file("y".repeat(1001)) });
    equal(noticed, [
      "large (1 MB) is over the undo limit; this change can be taken back, but then not brought back.",
    ]);
    equal(Deno.statSync(tree.path("large")).size, 1001);
    // A large file is still compared by its content.
    const stale = write(journal, tree.path("large"), {
      expected: file("z".repeat(1001)),
      after: file("q"),
    });
    await rejects(stale, ChangedSince);
    await write(journal, tree.path("large"), {
      expected: file("y".repeat(1001)),
      after: file("q"),
    });
    equal(tree.shot()["large"], `${(0o666 & ~Deno.umask()).toString(8)} q`);
  });
});

Deno.test("edit() numbers a resumed session on, and shares bytes between consecutive edits", async () => {
  await withTree(async (tree) => {
    const path = tree.put("a", "0");
    const first = await tree.journal();
    await write(first, path, { after: file("1") });
    first.close();
    const again = await tree.journal();
    equal((await write(again, path, { after: file("2") })).id, "s-2");
    const blobs = [...Deno.readDirSync(join(tree.storeDir(), "blobs"))];
    equal(blobs.length, 3);
  });
});

Deno.test({
  name: "the journal keeps the person's source from others",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withTree(async (tree) => {
      const journal = await tree.journal();
      await write(journal, tree.path("a"), { after: file("secret") });
      const modes = new Set<string>();
      const visit = (path: string) => {
        const info = Deno.lstatSync(path);
        modes.add(`${info.isDirectory ? "dir" : "file"} ${((info.mode ?? 0) & 0o777).toString(8)}`);
        if (info.isDirectory) {
          for (const { name } of Deno.readDirSync(path)) visit(join(path, name));
        }
      };
      visit(tree.storeDir());
      equal([...modes].sort(), ["dir 700", "file 600"]);
    });
  },
});

Deno.test("edit() by parallel calls and by two journals of one workspace loses no record", async () => {
  await withTree(async (tree) => {
    const one = await tree.journal();
    const two = await tree.journal({ session: "t" });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        write(i % 2 === 0 ? one : two, tree.path(`f${i}`), {
          expected: ABSENT,
          after: file(String(i)),
        })),
    );
    const ids = tree.lines().filter(({ op }) => op === "edit").map(({ id }) => String(id));
    equal(new Set(ids).size, 20);
    equal(ids.filter((id) => id.startsWith("s-")).length, 10);
    equal(tree.lines().filter(({ op }) => op === "done").length, 20);
  });
});

Deno.test("edit() goes on after a line that was cut off, and after the journal was removed", async () => {
  await withTree(async (tree) => {
    const path = tree.put("a", "0");
    const journal = await tree.journal();
    await write(journal, path, { after: file("1") });
    Deno.writeTextFileSync(join(tree.storeDir(), "journal.jsonl"), '{"v":1,"op":"ed', {
      append: true,
    });
    await write(journal, path, { after: file("2") });
    const lines = Deno.readTextFileSync(join(tree.storeDir(), "journal.jsonl")).split("\n");
    equal(lines.filter((line) => line.startsWith('{"v":1,"op":"edit"')).length, 2);
    equal(lines.filter((line) => line === '{"v":1,"op":"ed').length, 1);
    Deno.removeSync(tree.storeDir(), { recursive: true });
    await write(journal, path, { after: file("3") });
    equal(tree.lines().map(({ op }) => op), ["edit", "done"]);
  });
});
