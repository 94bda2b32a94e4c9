import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { bind } from "@/agent/bind.ts";
import { bytesOf, withFiles } from "../support/file_place.ts";

Deno.test("read_file names a near miss of the name, and what is not a file", () =>
  withFiles(async (place) => {
    await place.put("src/config.py", "x\n");
    const text = async (filepath: string) => (await place.call("read_file", { filepath })).text;
    equal(
      await text("src/confg.py"),
      'Cannot read "src/confg.py": no such file; "config.py" is in the same directory',
    );
    match(await text("src/zzzzzz"), /no such file; list_dir shows/);
    match(await text("src"), /it is a directory; list_dir shows what is in it/);
    match(await text("no/such/file"), /the directory it would be in does not exist either/);
  }));

Deno.test("read_file refuses ranges that the file does not have", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    const beyond = await place.call("read_file", { filepath: "f.txt", start: 9 });
    equal([beyond.status, beyond.text], [
      "failed",
      'Cannot read "f.txt" from line 9: it has 2 lines',
    ]);
    const backwards = await place.call("read_file", { filepath: "f.txt", start: 3, end: 2 });
    match(backwards.text, /the range is backwards/);
    const zero = bind(place.tools.read_file ?? never(), { filepath: "f.txt", start: 0 });
    ok(!zero.ok);
  }));

Deno.test("read_file says in its card what it read", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\nb\n");
    await place.put("one.txt", "a");
    const summary = (
      input: Record<string, unknown>,
      result?: Awaited<ReturnType<typeof place.call>>,
    ) => place.tools.read_file?.summary(input, result);
    const part = { filepath: "f.txt", start: 2 };
    equal(summary(part), "read f.txt, lines 2-end");
    equal(summary(part, await place.call("read_file", part)), "read f.txt, line 2 of 2");
    const whole = { filepath: "f.txt" };
    equal(summary(whole, await place.call("read_file", whole)), "read f.txt (2 lines)");
    const short = { filepath: "one.txt" };
    equal(summary(short, await place.call("read_file", short)), "read one.txt (1 line)");
    const missing = { filepath: "g.txt" };
    equal(summary(missing, await place.call("read_file", missing)), "did not read g.txt");
  }));

Deno.test("edit_file and write_file take the names that models use for the body, and refuse other shapes", () =>
  withFiles((place) => {
    const edit = bind(place.tools.edit_file ?? never(), { filepath: "x", content: "y" });
    equal(edit, { ok: true, input: { filepath: "x", old_content: "", new_content: "y" } });
    const write = bind(place.tools.write_file ?? never(), {
      filepath: { path: "x" },
      content: "x",
    });
    match(write.ok ? "" : write.problem, /expected string/);
    const bare = bind(place.tools.edit_file ?? never(), { filepath: "x", old_content: "y" });
    ok(!bare.ok && bare.problem.includes("new_content"));
    return Promise.resolve();
  }));

Deno.test("delete_file removes a file, and of a link only the link", () =>
  withFiles(async (place) => {
    await place.put("f.txt", "a\n");
    await place.put("target.txt", "kept\n");
    await Deno.symlink("target.txt", place.path("link"));
    await Deno.symlink("nowhere", place.path("dangling"));
    const file = await place.call("delete_file", { filepath: "f.txt" });
    equal([file.status, file.text, file.changed], ["ok", "File deleted: f.txt", [
      place.path("f.txt"),
    ]]);
    const link = await place.call("delete_file", { filepath: "link" });
    match(link.text, /^Link removed: link \(it pointed to target\.txt, which is untouched\)$/);
    equal((await place.call("delete_file", { filepath: "dangling" })).status, "ok");
    const names = [...Deno.readDirSync(place.dir)].map(({ name }) => name);
    equal(names, ["target.txt"]);
    equal(await place.text("target.txt"), "kept\n");
  }));

Deno.test("delete_file refuses directories and what is not there", () =>
  withFiles(async (place) => {
    await place.put("dir/f.txt", "a\n");
    match((await place.call("delete_file", { filepath: "dir" })).text, /it is a directory/);
    match(
      (await place.call("delete_file", { filepath: "dir/g.txt" })).text,
      /no such file; "f\.txt" is in the same/,
    );
    equal(await place.text("dir/f.txt"), "a\n");
  }));

Deno.test("delete_file leaves a file alone that changed in between", async () => {
  await withFiles(async (place) => {
    await place.put("f.txt", "a\n");
    const deletion = place.call("delete_file", { filepath: "f.txt" }).catch((error) =>
      error.message
    );
    match(await deletion, /has changed since it was read/);
    equal(await place.text("f.txt"), "theirs\n");
  }, { beforeJournal: (place) => place.put("f.txt", "theirs\n") });
});

Deno.test("copy_file copies any bytes with their mode, and says what it replaced", () =>
  withFiles(async (place) => {
    const bytes = bytesOf(0, 0xff, "\r\n", 0x89, "PNG");
    await place.put("a.bin", bytes, 0o750);
    const fresh = await place.call("copy_file", { src: "a.bin", dst: "b.bin" });
    equal([fresh.status, fresh.changed], ["ok", [place.path("b.bin")]]);
    equal(await place.bytes("b.bin"), bytes);
    equal(((await Deno.stat(place.path("b.bin"))).mode ?? 0) & 0o777, 0o750);
    await place.put("c.txt", "old\n", 0o600);
    equal(
      await place.preview("copy_file", { src: "a.bin", dst: "c.txt" }),
      "c.txt exists and is replaced",
    );
    match(
      (await place.call("copy_file", { src: "a.bin", dst: "c.txt" })).text,
      /the file that was there is replaced/,
    );
    equal(await place.bytes("c.txt"), bytes);
    equal(((await Deno.stat(place.path("c.txt"))).mode ?? 0) & 0o777, 0o600);
    equal(await place.preview("copy_file", { src: "a.bin", dst: "new.txt" }), undefined);
  }));

Deno.test("copy_file follows a link to what it copies, and writes through none that dangles", () =>
  withFiles(async (place) => {
    await place.put("real.txt", "x\n");
    await Deno.symlink("real.txt", place.path("link"));
    equal((await place.call("copy_file", { src: "link", dst: "copy.txt" })).status, "ok");
    ok((await Deno.lstat(place.path("copy.txt"))).isFile);
    equal(await place.text("copy.txt"), "x\n");
  }));

Deno.test("copy_file refuses directories, itself, missing files and missing directories", () =>
  withFiles(async (place) => {
    await place.put("dir/f.txt", "a\n");
    const text = async (src: string, dst: string) => {
      const result = await place.call("copy_file", { src, dst });
      equal(result.status, "failed");
      return result.text;
    };
    match(await text("dir", "x"), /it is a directory; copy_file copies single files/);
    match(await text("dir/f.txt", "dir"), /name the file in it \("dir\/f\.txt"\)/);
    match(await text("dir/f.txt", "./dir/f.txt"), /both are the same file/);
    match(await text("dir/g.txt", "x"), /no such file; "f\.txt" is in the same/);
    match(await text("dir/f.txt", "no/x"), /the directory "no" does not exist.*create_dir/);
    await place.put("ro.txt", "r\n", 0o444);
    match(await text("dir/f.txt", "ro.txt"), /write-protected/);
    equal([...Deno.readDirSync(place.dir)].length, 2);
  }));

Deno.test("copy_file declares that it only reads its source", () =>
  withFiles((place) => {
    const subject = place.tools.copy_file?.subject({ src: "a", dst: "b" });
    equal(subject, { kind: "path", paths: ["a", "b"], reads: ["a"] });
    return Promise.resolve();
  }));

Deno.test("create_dir makes directories above, and is content with one that is there", () =>
  withFiles(async (place) => {
    const made = await place.call("create_dir", { dirpath: "a/b/c" });
    equal([made.status, made.text], ["ok", "Directory created: a/b/c"]);
    ok((await Deno.stat(place.path("a/b/c"))).isDirectory);
    const again = await place.call("create_dir", { dirpath: "a/b" });
    equal([again.status, again.text, again.changed], [
      "ok",
      "Directory a/b is there already",
      undefined,
    ]);
    await place.put("f", "");
    match(
      (await place.call("create_dir", { dirpath: "f" })).text,
      /a file with that name is there/,
    );
  }));

Deno.test("list_dir shows directories first, by name, with sizes, links and a count of hidden entries", () =>
  withFiles(async (place) => {
    await place.put("b.txt", "x".repeat(1_234));
    await place.put("A.txt", "");
    await place.put(".hidden", "1");
    await place.put("src/f.ts", "");
    await place.put(".git/config", "");
    await Deno.symlink("b.txt", place.path("link"));
    await place.put("odd\nname", "x");
    const result = await place.call("list_dir", { dirpath: "." });
    equal(
      result.text,
      [
        ". has 2 directories, 4 files, 1 link (2 hidden):",
        ".git/",
        "src/",
        ".hidden (1 byte)",
        "A.txt (0 bytes)",
        "b.txt (1.2 KB)",
        "link (link to b.txt)",
        '"odd\\nname" (1 byte)',
      ].join("\n"),
    );
    equal(place.tools.list_dir?.summary({ dirpath: "." }, result), "listed . (7 entries)");
  }));

Deno.test("list_dir is bounded, and says what it leaves out", () =>
  withFiles(async (place) => {
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => place.put(`dir/file-${index}.txt`, "")),
    );
    const { text } = await place.call("list_dir", { dirpath: "dir" });
    match(text, /^dir has 1000 files:\n/);
    match(text, /\n\[600 entries are not shown/);
    ok(text.length < 13_000);
    await Deno.mkdir(place.path("empty"));
    equal((await place.call("list_dir", { dirpath: "empty" })).text, "[empty is empty]");
  }));

Deno.test("list_dir does not call a name gone that is no UTF-8", {
  ignore: Deno.build.os !== "linux",
}, () =>
  withFiles(async (place) => {
    const args = ["-c", `printf x > "$(printf 'a\\377.txt')"`];
    ok((await new Deno.Command("sh", { args, cwd: place.dir }).output()).success);
    const { text } = await place.call("list_dir", { dirpath: "." });
    match(text, /^a.*\.txt \(its name is not UTF-8, so that only a command can reach it\)$/m);
  }));

Deno.test("list_dir refuses files and what is not there", () =>
  withFiles(async (place) => {
    await place.put("src/f.ts", "");
    match(
      (await place.call("list_dir", { dirpath: "src/f.ts" })).text,
      /it is a file; read_file shows it/,
    );
    match(
      (await place.call("list_dir", { dirpath: "srcs" })).text,
      /no such directory; "src" is in the same/,
    );
  }));

function never(): never {
  throw new Error("The tool is not there");
}
