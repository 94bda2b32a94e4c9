/** The diff of what changed since a moment, in real repositories. */
import { deepStrictEqual as equal, doesNotMatch, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import type { Processes } from "@/sandbox/processes.ts";
import { CHANGES_CHARS_MAX, Since } from "@/workspace/changes_since.ts";
import { Git, GitError } from "@/workspace/git.ts";
import { personGit } from "../support/git.ts";
import { withProcesses } from "../support/processes.ts";
import { withWorkspace } from "../support/workspace.ts";

const calm = new AbortController().signal;

type Place = {
  dir: string;
  git: Git;
  person(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
};

function withPlace(
  body: (place: Place) => Promise<void>,
  { under = ".", mayRead }: { under?: string; mayRead?: (path: string) => boolean } = {},
): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses(async (processes: Processes) => {
      const workspace = join(dir, under);
      await Deno.mkdir(workspace, { recursive: true });
      const ceilings = [join(dir, "..")];
      await body({
        dir,
        git: new Git(processes, { workspace, ceilings, ...(mayRead && { mayRead }) }),
        person: (...args) => personGit(processes, dir, ...args),
        write: (path, text) => Deno.writeTextFile(join(dir, path), text),
        remove: (path) => Deno.remove(join(dir, path)),
      });
    })
  );
}

Deno.test("diff() shows edits, new files, deletions and commits, whoever made them, and nothing from before", () =>
  withPlace(async ({ git, person, write, remove }) => {
    await person("init");
    for (const name of ["kept", "edited", "gone", "committed", "dirty"]) {
      await write(`${name}.txt`, `${name} one\n`);
    }
    await write(".gitignore", "build\n");
    await person("add", ".");
    await person("commit", "-m", "first");
    await write("dirty.txt", "the person's own\n");
    await write("notes.txt", "the person's notes\n");
    const since = await Since.now(git, calm);
    equal(await since.diff(calm), "");
    await write("edited.txt", "edited two\n");
    await write("new.txt", "hello\n");
    await write("build", "ignored\n");
    await remove("gone.txt");
    await write("committed.txt", "committed two\n");
    await person("commit", "-m", "second", "committed.txt");
    await write("dirty.txt", "the person's own\nand ours\n");
    const diff = await since.diff(calm);
    match(diff, /-edited one\n\+edited two/);
    match(diff, /-committed one\n\+committed two/);
    match(diff, /-gone one/);
    match(diff, /\+\+\+ new\.txt\n@@ .*\n\+hello/);
    match(diff, / the person's own\n\+and ours/);
    doesNotMatch(diff, /kept|dirty one|person's notes|ignored/);
  }));

Deno.test("diff() is of the workspace alone, and names what must not be shown", () =>
  withPlace(async ({ git, person, write }) => {
    await person("init");
    await write("outside.txt", "one\n");
    await write("sub/secret.env", "KEY=1\n");
    await person("add", ".");
    await person("commit", "-m", "first");
    const since = await Since.now(git, calm);
    await write("outside.txt", "two\n");
    await write("sub/secret.env", "KEY=2\n");
    equal(
      await since.diff(calm),
      "1 changed file not shown, because a rule denies reading: sub/secret.env",
    );
  }, { under: "sub", mayRead: (path) => !path.endsWith(".env") }));

Deno.test("diff() shows nothing of what lies behind a link that took a directory's place", () =>
  withPlace(async ({ git, dir, person, write, remove }) => {
    await person("init");
    await Deno.mkdir(join(dir, "sub"));
    await write("sub/id", "one\n");
    await person("add", ".");
    await person("commit", "-m", "first");
    await write("sub/id", "two\n");
    const since = await Since.now(git, calm);
    await withWorkspace(async (out) => {
      await Deno.writeTextFile(join(out, "id"), "a key of the person's\n");
      await remove("sub/id");
      await remove("sub");
      await Deno.symlink(out, join(dir, "sub"));
      const diff = await since.diff(calm);
      doesNotMatch(diff, /a key/);
      match(diff, /^Changed, no text: sub\/id$/m);
    });
  }));

Deno.test("diff() works before the first commit, and says of what is no text that it changed", () =>
  withPlace(async ({ git, dir, person, write }) => {
    await person("init");
    await write("a.txt", "one\n");
    await person("add", "a.txt");
    const since = await Since.now(git, calm);
    await write("a.txt", "two\n");
    await Deno.writeFile(join(dir, "b.bin"), Uint8Array.of(0, 1, 2));
    const diff = await since.diff(calm);
    match(diff, /-one\n\+two/);
    match(diff, /^New, no text: b\.bin$/m);
  }));

Deno.test("diff() is cut from its middle, and says so", () =>
  withPlace(async ({ git, person, write }) => {
    await person("init");
    const since = await Since.now(git, calm);
    for (let at = 0; at < 5; at += 1) await write(`f${at}.txt`, `line of ${at}\n`.repeat(1_000));
    const diff = await since.diff(calm);
    ok(diff.length < CHANGES_CHARS_MAX + 200);
    match(diff, /\[\d+ lines \(\d+ characters\) of the diff left out: read the files themselves\]/);
    ok(diff.includes("+++ f0.txt") && diff.endsWith("+line of 4"));
  }));

Deno.test("now() refuses where there is no repository", () =>
  withPlace(async ({ git }) => {
    await rejects(Since.now(git, calm), GitError);
  }));
