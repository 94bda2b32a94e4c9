/** Repositories of every kind in which an edit is committed, undone and brought back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { personGit } from "../../support/git.ts";
import { withProcesses } from "../../support/processes.ts";
import { Tree, withTree } from "../journal_tree.ts";
import { assertOk, refusal, RepoTree, type Wanted, withRepo } from "./repo_tree.ts";

/** Edit, undo and bring back; everything is as it was, each time. */
async function assertRoundTrip(
  repo: RepoTree,
  changes: Readonly<Record<string, Wanted>>,
): Promise<string> {
  const before = await repo.view();
  const commit = await repo.ai(changes);
  ok(commit, repo.notices.join());
  const after = await repo.view();
  assertOk(await repo.undo());
  equal(await repo.view(), before);
  assertOk(await repo.redo());
  equal(await repo.view(), after);
  return commit;
}

Deno.test("a new file, a file in new directories, a deletion, an executable, two files at once", async () => {
  await withRepo(async (repo) => {
    await assertRoundTrip(repo, { "new.txt": "ai\n" });
    await assertRoundTrip(repo, { 'x/y/z with blanks "and" ö.txt': "ai\n" });
    await assertRoundTrip(repo, { "b.txt": null });
    repo.put("run.sh", "echo\n", 0o755);
    await repo.git("add", "run.sh");
    await repo.git("commit", "-q", "-m", "run");
    await assertRoundTrip(repo, { "run.sh": "echo ai\n", "a.txt": "ai\n" });
    match(await repo.git("ls-tree", "HEAD", "run.sh"), /^100755/);
    equal(await repo.git("status", "--porcelain"), "");
  });
});

Deno.test("on a detached HEAD the commit is made there, and undone there", async () => {
  await withRepo(async (repo) => {
    await repo.git("checkout", "-q", "--detach");
    const main = await repo.git("rev-parse", "main");
    await assertRoundTrip(repo, { "a.txt": "ai\n" });
    equal(await repo.git("rev-parse", "main"), main);
  });
});

Deno.test("before the first commit the edit is the first, and its undo leaves none", async () => {
  await withRepo(async (repo) => {
    repo.put("mine.txt", "mine\n");
    await repo.git("add", "mine.txt");
    const commit = await assertRoundTrip(repo, { "new.txt": "ai\n" });
    equal((await repo.git("show", "--format=", "--name-only", commit)).trim(), "new.txt");
  }, { files: {} });
});

Deno.test("no hook, no signing, no fsmonitor, no filter runs, and no name is needed", async () => {
  await withRepo(async (repo) => {
    const dir = await repo.gitDir();
    const hooks = ["pre-commit", "commit-msg", "post-commit", "reference-transaction"];
    for (const name of [...hooks, "post-index-change", "fsmonitor"]) {
      Deno.mkdirSync(join(dir, "hooks"), { recursive: true });
      const path = join(dir, "hooks", name);
      Deno.writeTextFileSync(path, `#!/bin/sh\ntouch "${repo.tree.dir}/ran-${name}"\nexit 1\n`);
      Deno.chmodSync(path, 0o755);
    }
    const evil = `touch "${repo.tree.dir}/ran-driver"; exit 1; :`;
    for (
      const [key, value] of [
        ["commit.gpgsign", "true"],
        ["gpg.program", join(dir, "hooks", "pre-commit")],
        ["user.useConfigOnly", "true"],
        ["core.fsmonitor", join(dir, "hooks", "fsmonitor")],
        ["merge.default", "evil"],
        ["merge.evil.driver", evil],
        ["filter.evil.clean", evil],
        ["filter.evil.required", "true"],
        ["core.safecrlf", "true"],
        ["merge.conflictStyle", "diff3"],
        ["fastimport.unpackLimit", "1"],
      ] as const
    ) await repo.git("config", key, value);
    repo.put(".git/info/attributes", "*.bin filter=evil\n* merge=evil\n");
    repo.put("a.txt", "one\ntwo\nmine\n");
    const commit = await repo.ai({ "a.txt": "ai\ntwo\nmine\n" });
    ok(commit, repo.notices.join());
    assertOk(await repo.undo());
    assertOk(await repo.redo());
    equal(
      [...Deno.readDirSync(repo.tree.dir)].map(({ name }) => name).filter((name) =>
        /^ran/.test(name)
      ),
      [],
    );
  });
});

Deno.test("the person's name is the author's where git knows it", async () => {
  await withRepo(async (repo) => {
    await repo.git("config", "user.name", "Ann Ö");
    await repo.git("config", "user.email", "ann@example.org");
    await repo.ai({ "a.txt": "ai\n" });
    equal(
      (await repo.git("log", "-1", "--format=%an <%ae>|%cn <%ce>")).trim(),
      "Ann Ö <ann@example.org>|Ann Ö <ann@example.org>",
    );
  });
});

Deno.test("line endings are stored as git would, and as they were committed", async () => {
  await withRepo(async (repo) => {
    repo.put(".gitattributes", "*.crlf text eol=crlf\n*.auto text=auto\n*.id ident\n");
    repo.put("x.crlf", "one\r\ntwo\r\nthree\r\n");
    repo.put("x.id", "one\ntwo\n");
    await repo.git("add", "-A");
    await repo.git("commit", "-q", "-m", "attributes");
    await assertRoundTrip(repo, { "x.crlf": "one\r\nai\r\nthree\r\n" });
    await assertRoundTrip(repo, { "new.crlf": "ai\r\n" });
    await assertRoundTrip(repo, { "x.id": "one\nai\n" });
    equal(await repo.git("status", "--porcelain"), "");
    equal(await repo.git("cat-file", "blob", "HEAD:x.crlf"), "one\nai\nthree\n");
    // Own lines are merged in the stored form.
    repo.put("x.crlf", "mine\r\nai\r\nthree\r\n");
    const commit = await repo.ai({ "x.crlf": "mine\r\nai\r\nend\r\n" });
    ok(commit, repo.notices.join());
    match(await repo.shown(commit), /-three\n\+end\n$/);
    match(await repo.git("diff", "-U0"), /-one\r?\n\+mine/);
    // Committed with CRLF before anybody said text=auto.
    await repo.git("checkout", "-q", "--", ".");
    repo.put("old.auto", "one\r\ntwo\r\n");
    const id = (await repo.git("hash-object", "-w", "--no-filters", "old.auto")).trim();
    await repo.git("update-index", "--add", "--cacheinfo", `100644,${id},old.auto`);
    await repo.git("commit", "-q", "-m", "old");
    await assertRoundTrip(repo, { "old.auto": "ai\r\ntwo\r\n" });
    equal(await repo.git("cat-file", "blob", "HEAD:old.auto"), "ai\r\ntwo\r\n");
  });
});

Deno.test("in a linked work tree the commit is on its branch, with its index", async () => {
  await withRepo(async (repo) => {
    const tree = new Tree(join(repo.tree.dir, "linked"));
    await repo.git("worktree", "add", "-q", "-b", "side", tree.ws);
    const main = await repo.git("rev-parse", "main");
    const side = await RepoTree.open(tree, repo.processes);
    await assertRoundTrip(side, { "a.txt": "ai\n" });
    equal(await repo.git("rev-parse", "main"), main);
    equal((await repo.git("log", "-1", "--format=%s", "side")).trim(), "ai(edit_file): a.txt");
    equal(await repo.git("status", "--porcelain"), "");
    await side.commits.close();
    tree.close();
  });
});

Deno.test("in a submodule on a branch the commit is in the submodule; without a branch there is none", async () => {
  await withRepo(async (repo) => {
    const source = join(repo.tree.dir, "source");
    await repo.gitIn(repo.tree.dir, "init", "-q", "source");
    Deno.writeTextFileSync(join(source, "s.txt"), "s\n");
    await repo.gitIn(source, "add", ".");
    await repo.gitIn(source, "commit", "-q", "-m", "sub");
    await repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", source, "sub");
    await repo.git("commit", "-q", "-m", "with sub");
    const head = await repo.git("rev-parse", "HEAD");
    const commit = await repo.ai({ "sub/s.txt": "ai\n" });
    ok(commit, repo.notices.join());
    equal(
      (await repo.gitIn(repo.path("sub"), "log", "-1", "--format=%s")).trim(),
      "ai(edit_file): s.txt",
    );
    equal(await repo.git("rev-parse", "HEAD"), head);
    assertOk(await repo.undo());
    equal(await repo.git("status", "--porcelain"), "");
    await repo.gitIn(repo.path("sub"), "checkout", "-q", "--detach");
    equal(await repo.ai({ "sub/s.txt": "ai\n" }), undefined);
    match(repo.notices.join(), /has no branch checked out/);
    assertOk(await repo.undo());
    equal(await repo.git("status", "--porcelain"), "");
  });
});

Deno.test("a repository with SHA-256, a split index, an untracked cache", async () => {
  await withRepo(async (repo) => {
    await repo.git("config", "core.untrackedCache", "true");
    await repo.git("update-index", "--split-index", "--untracked-cache");
    await assertRoundTrip(repo, { "a.txt": "ai\n" });
    await assertRoundTrip(repo, { "new.txt": "ai\n" });
    await repo.git("fsck", "--strict");
  }, { init: ["--object-format=sha256"] });
});

Deno.test("in a sparse checkout a file inside is committed; one outside is not, and keeps its flag", async () => {
  await withRepo(async (repo) => {
    await repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "in");
    await assertRoundTrip(repo, { "in/a": "ai\n" });
    const before = await repo.view();
    match(String(before["index"]), /^S 100644 .*\tout\/b$/m);
    equal(await repo.ai({ "out/b": "ai\n" }), undefined);
    match(repo.notices.join(), /out\/b is outside of the sparse checkout/);
    assertOk(await repo.undo());
    equal(await repo.view(), before);
  }, { files: { "in/a": "a\n", "out/b": "b\n", "out/c": "c\n" } });
});

Deno.test("through a link the file that it leads to is committed", async () => {
  await withRepo(async (repo) => {
    Deno.mkdirSync(repo.path("real"));
    repo.put("real/x.sh", "x\n", 0o750);
    await repo.git("add", "-A");
    await repo.git("commit", "-q", "-m", "real");
    await assertRoundTrip(repo, { "real/x.sh": "ai\n" });
    equal((Deno.statSync(repo.path("real/x.sh")).mode ?? 0) & 0o777, 0o750);
  });
});

Deno.test({
  name: "a repository that belongs to somebody else is not asked",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  fn: async () => {
    await withTree(async (tree) => {
      await withProcesses(async (processes) => {
        await personGit(processes, tree.ws, "init", "-q");
        for (const path of [tree.ws, tree.path(".git")]) Deno.chownSync(path, 65_534, 65_534);
        const repo = await RepoTree.open(tree, processes);
        equal(await repo.ai({ "a": "ai\n" }), undefined);
        match(repo.notices.join(), /belongs to somebody else/);
        equal(repo.notices.length, 1);
        assertOk(await repo.undo());
        await repo.commits.close();
      });
    });
  },
});

Deno.test("what undo refuses changes nothing", async () => {
  await withRepo(async (repo) => {
    equal(refusal(await repo.undo()), "Nothing to take back in this session.");
  });
});
