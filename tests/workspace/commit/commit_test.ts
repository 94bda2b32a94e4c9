import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { CommitStep } from "@/workspace/commit/commit_edit.ts";
import { assertOk, RepoTree, withRepo } from "./repo_tree.ts";

Deno.test("an edit is a commit of its own, named for the tool, and the index follows", async () => {
  await withRepo(async (repo) => {
    const commit = await repo.ai({ "a.txt": "one\nTWO\nthree\n" }, { tool: "write_file" });
    ok(commit);
    equal(await repo.shown(commit).then((text) => text.split("\n")[0]), "ai(write_file): a.txt");
    equal((await repo.git("log", "--format=%s")).trim().split("\n"), [
      "ai(write_file): a.txt",
      "first",
    ]);
    equal(await repo.git("status", "--porcelain"), "");
    equal(repo.notices, []);
    equal((await repo.git("for-each-ref", "--format=%(refname)")).trim(), "refs/heads/main");
    const refs = [...Deno.readDirSync(repo.path(".git/refs"))].map(({ name }) => name);
    equal(refs.sort(), ["heads", "tags"]);
    equal(
      (await repo.git("log", "-1", "--format=%an <%ae> %cn")).trim(),
      "harness <harness@localhost> harness",
    );
    await repo.git("fsck", "--strict");
  });
});

Deno.test("the person's own lines, staged and not, are not in the commit, and undo and redo keep them", async () => {
  await withRepo(async (repo) => {
    const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    repo.put("many.txt", text);
    await repo.git("add", "many.txt");
    await repo.git("commit", "-q", "-m", "many");
    repo.put("many.txt", text.replace("1\n", "staged\n"));
    await repo.git("add", "many.txt");
    repo.put("many.txt", text.replace("1\n", "staged\n").replace("9\n", "unstaged\n"));
    repo.put("b.txt", "mine\n");
    repo.put("new.txt", "untracked\n");
    const before = await repo.view();
    const commit = await repo.ai({ "many.txt": repo.read("many.txt").replace("5\n", "ai\n") });
    ok(commit, repo.notices.join());
    match(await repo.shown(commit), /^@@ -5 \+5 @@.*\n-5\n\+ai\n$/m);
    equal((await repo.git("diff", "--cached", "-U0")).match(/^[-+][^-+].*$/gm), ["-1", "+staged"]);
    equal((await repo.git("diff", "-U0", "many.txt")).match(/^[-+][^-+].*$/gm), [
      "-9",
      "+unstaged",
    ]);
    const after = await repo.view();
    assertOk(await repo.undo());
    equal(await repo.view(), before);
    assertOk(await repo.redo());
    equal(await repo.view(), after);
  });
});

Deno.test("edits of several sessions at once are commits one after the other", async () => {
  await withRepo(async (repo) => {
    const sessions = await Promise.all(
      ["x", "y", "z"].map((session) => RepoTree.open(repo.tree, repo.processes, { session })),
    );
    const made = await Promise.all(
      sessions.flatMap((one, at) =>
        [0, 1, 2].map((number) => one.ai({ [`${at}.txt`]: `${at} ${number}\n` }))
      ),
    );
    equal(made.length, 9);
    equal((await repo.git("log", "--format=%s")).trim().split("\n").length, 10);
    equal(await repo.git("status", "--porcelain"), "");
    await repo.git("fsck", "--strict");
    for (const one of sessions) await one.commits.close();
  });
});

Deno.test("an edit whose bytes are as before is no edit and no commit", async () => {
  await withRepo(async (repo) => {
    equal(await repo.ai({ "a.txt": repo.read("a.txt") }), undefined);
    equal(repo.edits, []);
  });
});

Deno.test("what the person commits and stages while a commit is made is taken in, and their git was not kept waiting", async () => {
  const made: { repo?: RepoTree; locks: boolean[] } = { locks: [] };
  const own = (...args: string[]) => gitOf(made.repo, ...args);
  const onStep = (step: CommitStep) => {
    if (step !== "built" || made.repo === undefined) return;
    made.locks.push(isLocked(made.repo));
    if (made.locks.length === 1) own("commit", "-q", "--allow-empty", "-m", "mine");
    if (made.locks.length === 2) {
      made.repo.put("b.txt", "staged\n");
      own("add", "b.txt");
    }
  };
  await withRepo(async (repo) => {
    made.repo = repo;
    ok(await repo.ai({ "a.txt": "ai\n" }));
    equal(made.locks, [false, false, false]);
    equal(
      (await repo.git("log", "--format=%s")).trim().split("\n"),
      ["ai(edit_file): a.txt", "mine", "first"],
    );
    equal(await repo.git("status", "--porcelain"), "M  b.txt\n");
    assertOk(await repo.undo());
    equal(await repo.git("status", "--porcelain"), "M  b.txt\n");
  }, { options: { onStep } });
});

Deno.test("an edit that the person takes back while its commit is made is not committed", async () => {
  const ways = [["stash"], ["reset", "--hard", "HEAD"], ["checkout", "HEAD", "--", "a.txt"]];
  for (const way of ways) {
    const made: { repo?: RepoTree } = {};
    const onStep = (step: CommitStep) => {
      if (step !== "built") return;
      gitOf(made.repo, ...way);
      delete made.repo;
    };
    await withRepo(async (repo) => {
      made.repo = repo;
      equal(await repo.ai({ "a.txt": "one\nai\nthree\n" }), undefined);
      equal(await repo.git("status", "--porcelain"), "");
      equal((await repo.git("log", "--format=%s")).trim(), "first");
      match(repo.notices.join(), /^not committed: a\.txt is again as the last commit has it/);
    }, { options: { onStep } });
  }
});

Deno.test("an edit that the person stages while its commit is made is not staged after its undo", async () => {
  const made: { repo?: RepoTree } = {};
  const onStep = (step: CommitStep) => {
    if (step !== "planned") return;
    gitOf(made.repo, "add", "-A");
    delete made.repo;
  };
  await withRepo(async (repo) => {
    for (const changes of [{ "a.txt": "one\nai\nthree\n" }, { "new.txt": "ai\n" }]) {
      made.repo = repo;
      await repo.ai(changes);
      match(await repo.git("status", "--porcelain"), /^(A {2}new\.txt\n)?$/);
      assertOk(await repo.undo());
      equal(await repo.git("status", "--porcelain"), "");
    }
  }, { options: { onStep } });
});

Deno.test("a commit that the person's git gc throws away before it is in the branch is made anew", async () => {
  const made: { repo?: RepoTree } = {};
  const onStep = (step: CommitStep) => {
    if (step !== "built") return;
    gitOf(made.repo, "gc", "-q", "--prune=now");
    delete made.repo;
  };
  await withRepo(async (repo) => {
    made.repo = repo;
    ok(await repo.ai({ "a.txt": "ai\n" }), repo.notices.join());
    await repo.git("fsck", "--strict");
  }, { options: { onStep } });
});

Deno.test("where the index changes all the time, it is held for the last try", async () => {
  const made: { repo?: RepoTree; steps: string[] } = { steps: [] };
  const onStep = (step: CommitStep) => {
    if (made.repo === undefined) return;
    made.steps.push(step);
    const index = join(made.repo.tree.ws, ".git/index");
    if (step === "built" && !isLocked(made.repo)) {
      Deno.copyFileSync(index, `${index}.new`);
      Deno.renameSync(`${index}.new`, index);
    }
  };
  await withRepo(async (repo) => {
    made.repo = repo;
    ok(await repo.ai({ "a.txt": "ai\n" }));
    equal(made.steps.filter((step) => step === "built").length, 4);
    equal(made.steps.filter((step) => step === "held").length, 1);
    equal(await repo.git("status", "--porcelain"), "");
  }, { options: { onStep } });
});

function gitOf(repo: RepoTree | undefined, ...args: string[]): void {
  if (repo === undefined) return;
  const { success } = new Deno.Command("git", {
    args: ["-c", "user.name=Jo", "-c", "user.email=jo@example.org", ...args],
    cwd: repo.tree.ws,
  }).outputSync();
  equal(success, true, args.join(" "));
}

function isLocked(repo: RepoTree): boolean {
  return [...Deno.readDirSync(repo.path(".git"))].some(({ name }) => name === "index.lock");
}
