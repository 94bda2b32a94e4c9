/** What a file has beside its bytes and mode, through edits, undo and redo. */
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { type PlacingNeeds, placingOf } from "@/compose/placing.ts";
import { Processes } from "@/sandbox/processes.ts";
import { Attributes } from "@/workspace/attributes.ts";
import type { EditJournal } from "@/workspace/journal.ts";
import { redo, undo } from "@/workspace/undo.ts";
import { ACCESS_LIST, attributes, hasAttributes, TAG } from "../support/attributes.ts";
import { ABSENT, file, type Tree, withTree, write } from "../workspace/journal_tree.ts";

const ignore = !await hasAttributes();
const isRoot = new TextDecoder().decode(
  (await new Deno.Command("id", { args: ["-u"] }).output()).stdout,
) === "0\n";

type World = { tree: Tree; journal: EditJournal; said: string[]; commands: string[] };

async function inWorld(
  body: (world: World) => Promise<void>,
  { wrappedRunning = 0, path = "", opened }: {
    wrappedRunning?: number;
    /** Before the others on PATH. */
    path?: string;
    opened?: PlacingNeeds["sandbox"]["opened"];
  } = {},
): Promise<void> {
  await withTree(async (tree) => {
    const processes = new Processes({
      ...{ PATH: `${path}:/usr/local/bin:/usr/bin:/bin`, HOME: tree.dir },
    });
    const commands: string[] = [];
    const counted: PlacingNeeds["processes"] = {
      wrappedRunning,
      ownPath: processes.ownPath,
      run: async (command, options) => {
        commands.push(command.program);
        return await processes.run(command, options);
      },
    };
    const said: string[] = [];
    const attributes = new Attributes(counted);
    const journal = await tree.journal({
      placing: placingOf({
        ...{ attributes, processes: counted, sandbox: { opened } },
        roots: [tree.ws],
      }),
      onExpected: (path) => attributes.expect(path),
      onNotice: (line) => void said.push(line),
    });
    await body({ tree, journal, said, commands });
    attributes.close();
    await processes.close();
  });
}

/** The first edit of the conversation: one program is asked about the file. Nothing of it is expected to be edited again. */
async function edited(tree: Tree, journal: EditJournal): Promise<void> {
  await write(journal, tree.put("first.txt", "one\n"), { after: ABSENT });
}

Deno.test(
  "an edit, its undo and its redo keep extended attributes and the access list",
  { ignore },
  async () => {
    await inWorld(async ({ tree, journal }) => {
      const path = tree.put("notes.txt", "one\n", 0o664);
      const had = await attributes(path, { ...TAG, ...ACCESS_LIST });
      await write(journal, path, { after: file("two\n") });
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "664 two\n" }, had]);
      ok((await undo(journal)).ok);
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "664 one\n" }, had]);
      ok((await redo(journal)).ok);
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "664 two\n" }, had]);
    });
  },
);

Deno.test(
  "a deleted file comes back by undo with what it had, and what was made comes back by redo",
  { ignore },
  async () => {
    await inWorld(async ({ tree, journal }) => {
      const path = tree.put("notes.txt", "one\n", 0o664);
      const had = await attributes(path, { ...TAG, ...ACCESS_LIST });
      await write(journal, path, { after: ABSENT, tool: "delete_file" });
      equal(tree.shot(), {});
      ok((await undo(journal)).ok);
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "664 one\n" }, had]);
      const made = tree.path("new.txt");
      await write(journal, made, { after: file("new\n") });
      await attributes(made, TAG);
      ok((await undo(journal)).ok);
      ok((await redo(journal)).ok);
      equal(await attributes(made), TAG);
    });
  },
);

Deno.test("a deleted file without attributes gets none that an earlier one of its name had", {
  ignore,
}, async () => {
  await inWorld(async ({ tree, journal }) => {
    const path = tree.put("notes.txt", "one\n");
    await attributes(path, TAG);
    await write(journal, path, { after: ABSENT });
    tree.put("notes.txt", "one\n");
    await write(journal, path, { after: ABSENT });
    ok((await undo(journal)).ok);
    equal(await attributes(path), {});
  });
});

Deno.test(
  "with the first edit files that were read are asked about together; then those that were written",
  { ignore },
  async () => {
    await inWorld(async ({ tree, journal, commands }) => {
      const names = ["a/one.txt", "a/two.txt", "b/a\nb.txt"];
      const paths = names.map((name) => tree.put(name, "one\n"));
      await new Promise((resolve) => setTimeout(resolve, 1_100)); // Until the second of their change is over.
      for (const path of paths) journal.expect(path);
      await new Promise((resolve) => setTimeout(resolve, 400)); // They would have been asked about by now.
      equal(commands, []);
      await edited(tree, journal);
      while (commands.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      for (const path of paths) await write(journal, path, { after: file("two\n") });
      equal(commands, ["tar", "tar"]);
      while (commands.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    });
  },
);

Deno.test("whatever a file is called, what it has is kept", { ignore }, async () => {
  await inWorld(async ({ tree, journal }) => {
    for (const name of ["a\\nb", "--files-from=x", " 'q\"*? ", "-d\n\n/f"]) {
      const path = tree.put(name, "one\n");
      await attributes(path, { "user.a\nb": "0a", ...TAG });
      await write(journal, path, { after: file("two\n") });
      equal(await attributes(path), { "user.a\nb": "0a", ...TAG }, name);
    }
  });
});

Deno.test("a directory's list for new files gives a file that is edited nothing that it had not", {
  ignore,
}, async () => {
  await inWorld(async ({ tree, journal }) => {
    const path = tree.put("keys.txt", "one\n", 0o660);
    const [list = ""] = Object.values(ACCESS_LIST);
    await attributes(tree.ws, { "system.posix_acl_default": list });
    await write(journal, path, { after: file("two\n") });
    equal([tree.shot(), await attributes(path)], [{ "keys.txt": "660 two\n" }, {}]);
    await write(journal, path, { after: ABSENT });
    ok((await undo(journal)).ok);
    equal([tree.shot(), await attributes(path)], [{ "keys.txt": "660 two\n" }, {}]);
  });
});

Deno.test(
  "a file of which tar cannot say all is taken to have attributes",
  { ignore },
  async () => {
    const bin = await Deno.makeTempDir();
    const tar =
      `#!/bin/sh\nfor last; do :; done\n/usr/bin/tar "$1" "$2" "$3" "$4" "$5" "$last"\nexit 2\n`;
    await Deno.writeTextFile(`${bin}/tar`, tar, { mode: 0o755 });
    await inWorld(async ({ tree, journal }) => {
      const path = tree.put("notes.txt", "one\n");
      await attributes(path, TAG);
      await write(journal, path, { after: file("two\n") });
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "644 two\n" }, TAG]);
    }, { path: bin });
    await Deno.remove(bin, { recursive: true });
  },
);

Deno.test("what is known of a file counts until something of it changes", { ignore }, async () => {
  await inWorld(async ({ tree, journal, commands }) => {
    const path = tree.put("notes.txt", "one\n");
    await edited(tree, journal);
    journal.expect(path);
    while (commands.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await attributes(path, TAG);
    await write(journal, path, { after: file("two\n") });
    equal(commands, ["tar", "tar", "tar", "/bin/sh"]);
    equal(await attributes(path), TAG);
  });
});

Deno.test(
  "a label of its own is kept, and one like its directory's is no reason for another process",
  { ignore: ignore || !isRoot },
  async () => {
    await inWorld(async ({ tree, journal, commands }) => {
      const label = (type: string) => {
        const text = `system_u:object_r:${type}:s0\0`;
        return { "security.selinux": new TextEncoder().encode(text).toHex() };
      };
      const [own, like] = [tree.put("a/own", "one\n"), tree.put("a/like", "one\n")];
      await attributes(tree.path("a"), label("etc_t"));
      await attributes(own, label("httpd_sys_content_t"));
      await attributes(like, label("etc_t"));
      await write(journal, like, { after: file("two\n") });
      equal(commands, ["tar"]);
      await write(journal, own, { after: file("two\n") });
      equal(commands, ["tar", "tar", "/bin/sh"]);
      equal(await attributes(own), label("httpd_sys_content_t"));
    });
  },
);

Deno.test("a file of somebody else stays theirs when root edits, deletes and brings it back", {
  ignore: !isRoot,
}, async () => {
  await inWorld(async ({ tree, journal, said }) => {
    const path = tree.put("theirs.txt", "one\n", 0o4755);
    Deno.chownSync(path, 61_234, 61_235);
    Deno.chmodSync(path, 0o4755);
    const owner = () => {
      const { uid, gid, mode } = Deno.statSync(path);
      return [uid, gid, (mode ?? 0) & 0o7777];
    };
    await write(journal, path, { after: file("two\n") });
    equal(owner(), [61_234, 61_235, 0o4755]);
    await write(journal, path, { after: ABSENT });
    ok((await undo(journal)).ok);
    equal(owner(), [61_234, 61_235, 0o4755]);
    equal(said, []);
  });
});

Deno.test("a file with another name is changed under this one alone, and that is said before", async () => {
  await inWorld(async ({ tree, journal, said }) => {
    const path = tree.put("one.txt", "one\n");
    Deno.linkSync(path, tree.path("other.txt"));
    await write(journal, path, { after: file("two\n") });
    equal(tree.shot(), { "one.txt": "644 two\n", "other.txt": "644 one\n" });
    match(said.join(), /one\.txt has another name \(hard links\), where everything stays as it is/);
  });
});

Deno.test(
  "while a command runs in the sandbox, attributes that undo would lose keep a file from being deleted",
  { ignore },
  async () => {
    const opened = { isProven: true, wrap: () => (inner: unknown) => inner } as never;
    await inWorld(async ({ tree, journal }) => {
      const path = tree.put("notes.txt", "one\n");
      await attributes(path, TAG);
      await rejects(
        write(journal, path, { after: ABSENT }),
        /extended attributes .* end the command first/,
      );
      await write(journal, path, { after: file("two\n") });
      equal([tree.shot(), await attributes(path)], [{ "notes.txt": "644 two\n" }, TAG]);
    }, { wrappedRunning: 1, opened });
  },
);
