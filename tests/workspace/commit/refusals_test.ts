/** What undo and redo refuse in a repository, with nothing changed, and how a turn is taken back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { type UndoResult, undoTurn } from "@/workspace/undo.ts";
import { assertOk, refusal, RepoTree, withRepo } from "./repo_tree.ts";

/** An undo or redo that is refused, and changes nothing. */
async function assertRefused(
  repo: RepoTree,
  act: () => Promise<UndoResult>,
  reason: RegExp,
): Promise<void> {
  const before = await repo.view();
  match(refusal(await act()), reason);
  equal(await repo.view(), before);
}

Deno.test("undo refuses and names a file that changed since, and leaves untracked files alone", async () => {
  await withRepo(async (repo) => {
    repo.put("loose.txt", "mine\n");
    ok(await repo.ai({ "a.txt": "ai\n" }, { tool: "write_file" }));
    repo.put("a.txt", "ai\nmine\n");
    await assertRefused(
      repo,
      () => repo.undo(),
      /a\.txt has changed since ai\(write_file\): a\.txt/,
    );
    repo.put("a.txt", "ai\n");
    assertOk(await repo.undo());
    equal(repo.read("loose.txt"), "mine\n");
  });
});

Deno.test("undo refuses where the newest commit is not ours", async () => {
  await withRepo(async (repo) => {
    const commit = await repo.ai({ "a.txt": "ai\n" });
    repo.put("b.txt", "mine\n");
    await repo.git("commit", "-q", "-am", "tidy up");
    await assertRefused(
      repo,
      () => repo.undo(),
      new RegExp(
        `The newest commit, \\w{7} "tidy up", is not ours.*git revert ${commit?.slice(0, 7)}`,
      ),
    );
    await repo.git("reset", "-q", "--hard", "HEAD~1");
    assertOk(await repo.undo());
  });
});

Deno.test("undo refuses where the commit was amended, the branch is another, or an operation is in progress", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "ai\n" }));
    const head = (await repo.git("rev-parse", "HEAD")).trim();
    await repo.git("commit", "-q", "--amend", "-m", "mine now");
    await assertRefused(
      repo,
      () => repo.undo(),
      /is no longer on this branch; the newest is \w{7} "mine now"/,
    );
    await repo.git("reset", "-q", "--soft", head);
    await repo.git("checkout", "-q", "-b", "feature");
    await assertRefused(
      repo,
      () => repo.undo(),
      /The branch was main when this was made, now it is feature\. Switch back/,
    );
    await repo.git("checkout", "-q", "main");
    Deno.writeTextFileSync(join(await repo.gitDir(), "MERGE_HEAD"), `${head}\n`);
    await assertRefused(
      repo,
      () => repo.undo(),
      /A merge is in progress\. Finish or abort it first\./,
    );
    Deno.removeSync(join(await repo.gitDir(), "MERGE_HEAD"));
    assertOk(await repo.undo());
  });
});

Deno.test("undo refuses what a remote has, and says what takes it back", async () => {
  await withRepo(async (repo) => {
    const remote = join(repo.tree.dir, "remote.git");
    await repo.git("init", "-q", "--bare", remote);
    await repo.git("remote", "add", "origin", remote);
    const commit = await repo.ai({ "a.txt": "ai\n" });
    await repo.git("push", "-q", "origin", "main");
    await assertRefused(
      repo,
      () => repo.undo(),
      new RegExp(`${commit?.slice(0, 7)} is already on origin/main\\. git revert`),
    );
  });
});

Deno.test("undo refuses where the file is partly staged since, or committed since", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "ai\n" }));
    repo.put("a.txt", "mine\n");
    await repo.git("add", "a.txt");
    repo.put("a.txt", "ai\n");
    await assertRefused(
      repo,
      () => repo.undo(),
      /a\.txt is partly staged since\. git restore --staged a\.txt/,
    );
    await repo.git("restore", "--staged", "a.txt");
    assertOk(await repo.undo());
    // Without a commit of ours.
    repo.isOn = false;
    await repo.ai({ "b.txt": "ai\n" });
    await repo.git("commit", "-q", "-am", "took it over");
    await assertRefused(
      repo,
      () => repo.undo(),
      /b\.txt was committed since \(\w{7} "took it over"\)\. To take it out of history: git revert \w{7}/,
    );
  });
});

Deno.test("undo under a lock of somebody else's changes nothing when the index has to change", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "ai\n" }));
    const lock = join(await repo.gitDir(), "index.lock");
    Deno.writeTextFileSync(lock, "theirs");
    match(refusal(await repo.undo()), /Another git process holds .*index\.lock/);
    equal(repo.read("a.txt"), "ai\n");
    equal(Deno.readTextFileSync(lock), "theirs");
    Deno.removeSync(lock);
    assertOk(await repo.undo());
  });
});

Deno.test("what the person staged whole since is staged without the edit afterwards", async () => {
  await withRepo(async (repo) => {
    repo.isOn = false;
    repo.put("a.txt", "one\nmine\nthree\n");
    repo.put("mine.txt", "mine\n");
    await repo.ai({ "a.txt": "one\nmine\nai\n" });
    await repo.ai({ "mine.txt": "ai\n" });
    await repo.ai({ "new.txt": "ai\n" });
    await repo.git("add", "-A");
    for (let i = 0; i < 3; i++) assertOk(await repo.undo());
    equal(await repo.git("show", ":a.txt"), "one\nmine\nthree\n");
    equal(await repo.git("show", ":mine.txt"), "mine\n");
    equal(await repo.git("status", "--porcelain"), "M  a.txt\nA  mine.txt\n");
  });
});

Deno.test("a staged deletion of a file that the edit deleted may be the person's own, so undo refuses", async () => {
  await withRepo(async (repo) => {
    repo.isOn = false;
    await repo.ai({ "a.txt": null });
    await repo.git("rm", "-q", "--cached", "a.txt");
    await assertRefused(repo, () => repo.undo(), /a\.txt is partly staged since/);
    await repo.git("restore", "--staged", "a.txt");
    assertOk(await repo.undo());
  });
});

Deno.test("what has no commit is taken back also when the repository is broken or gone by then", async () => {
  await withRepo(async (repo) => {
    repo.isOn = false;
    for (const text of ["1\n", "2\n"]) await repo.ai({ "a.txt": text });
    const dir = await repo.gitDir();
    Deno.writeTextFileSync(join(dir, "HEAD"), "nonsense\n");
    assertOk(await repo.undo());
    Deno.removeSync(dir, { recursive: true });
    assertOk(await repo.undo());
    equal(repo.read("a.txt"), "one\ntwo\nthree\n");
  });
});

Deno.test("redo refuses where something was committed or staged since", async () => {
  await withRepo(async (repo) => {
    const commit = await repo.ai({ "a.txt": "ai\n" });
    assertOk(await repo.undo());
    repo.put("b.txt", "mine\n");
    await repo.git("commit", "-q", "-am", "mine");
    await assertRefused(
      repo,
      () => repo.redo(),
      new RegExp(`"mine" was committed since the undo.*git cherry-pick ${commit?.slice(0, 7)}`),
    );
    await repo.git("reset", "-q", "--soft", "HEAD~1");
    await repo.git("rm", "-q", "--cached", "a.txt");
    await assertRefused(repo, () => repo.redo(), /a\.txt was staged since the undo/);
    await repo.git("restore", "--staged", "a.txt");
    assertOk(await repo.redo());
    equal((await repo.git("rev-parse", "HEAD")).trim(), commit);
  });
});

Deno.test("where something was committed since, redo names all commits that it would bring, and makes anew what is gone", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "one\ntwo\nai\n" }));
    const last = await repo.ai({ "new.txt": "new\n" });
    assertOk(await repo.undoTurn());
    const base = (await repo.git("rev-parse", "HEAD")).trim().slice(0, 7);
    repo.put("b.txt", "mine\n");
    await repo.git("commit", "-q", "-am", "mine");
    const range = `${base}..${last?.slice(0, 7)}`;
    match(refusal(await repo.redo()), new RegExp(`git cherry-pick ${range} brings`));
    const theirs = await repo.view();
    await repo.git("cherry-pick", range);
    equal(repo.read("new.txt"), "new\n");
    await repo.git("reset", "-q", "--hard", "HEAD~2");
    await repo.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
    await repo.git("gc", "-q", "--prune=now");
    assertOk(await repo.redo());
    await repo.commits.idle();
    equal((await repo.git("log", "-3", "--format=%s")).trim().split("\n"), [
      "ai(edit_file): new.txt",
      "ai(edit_file): a.txt",
      "mine",
    ]);
    equal(await repo.git("status", "--porcelain"), "");
    assertOk(await repo.undoTurn());
    equal(await repo.view(), theirs);
  });
});

Deno.test("redo makes commits anew that git has thrown away, and they can be taken back like the first", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "one\ntwo\nai\n" }, { turn: 2 }));
    ok(await repo.ai({ "a.txt": "one\nai\nai\n", "new.txt": "new\n" }, { turn: 2 }));
    const before = await repo.view();
    assertOk(await repo.undoTurn());
    const undone = await repo.view();
    await repo.git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all");
    await repo.git("gc", "-q", "--prune=now");
    for (const _ of [1, 2]) {
      assertOk(await repo.redo());
      await repo.commits.idle();
      const { log, ...rest } = await repo.view();
      equal({ ...rest, log: subjects(log) }, { ...before, log: subjects(before["log"]) });
      assertOk(await repo.undoTurn());
      equal(await repo.view(), undone);
    }
    equal(repo.edits.length, 2, "an edit is told of once");
  });
});

function subjects(log: unknown): string {
  return String(log).replace(/^\w+ /gm, "");
}

Deno.test("a turn is taken back and brought back as one, over commits and edits without one", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "b.txt": "earlier\n" }, { turn: 1 }));
    const before = await repo.view();
    ok(await repo.ai({ "a.txt": "1\n" }, { turn: 2 }));
    ok(await repo.ai({ "a.txt": "2\n", "new.txt": "ai\n" }, { turn: 2 }));
    repo.put("mine.txt", "mine\n");
    equal(await repo.ai({ "mine.txt": "ai\n" }, { turn: 2 }), undefined);
    ok(await repo.ai({ "new.txt": null }, { turn: 2 }));
    const after = await repo.view();
    assertOk(await repo.undoTurn());
    Deno.removeSync(repo.path("mine.txt"));
    equal(await repo.view(), before);
    repo.put("mine.txt", "mine\n");
    assertOk(await repo.redo());
    equal(await repo.view(), after);
  });
});

Deno.test("an edit of another session on top is not ours to take away", async () => {
  await withRepo(async (repo) => {
    ok(await repo.ai({ "a.txt": "ai\n" }));
    const other = await RepoTree.open(repo.tree, repo.processes, { session: "other" });
    ok(await other.ai({ "b.txt": "other\n" }));
    await assertRefused(
      repo,
      () => repo.undo(),
      /The newest commit, \w{7} "ai\(edit_file\): b\.txt", is not ours/,
    );
    assertOk(await other.undo());
    assertOk(await repo.undo());
    await other.commits.close();
  });
});

Deno.test("a turn whose file changed since names the edits of that file, and the command to give again", async () => {
  await withRepo(async (repo) => {
    await repo.ai({ "a.txt": "1\n" }, { tool: "write_file" });
    await repo.ai({ "b.txt": "1\n" }, { tool: "edit_file" });
    repo.put("a.txt", "mine\n");
    const reason = refusal(await undoTurn(repo.journal, { git: repo.commits }));
    equal(
      reason,
      "a.txt has changed since ai(write_file): a.txt. " +
        "Save or discard that change, then /undo turn again. /undo show prints the edit.",
    );
  });
});
