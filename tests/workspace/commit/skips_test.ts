/** Where an edit has no commit: it stands, the person is told once, and /undo takes it back. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { Git } from "@/workspace/git.ts";
import { withProcesses } from "../../support/processes.ts";
import { withTree } from "../journal_tree.ts";
import { assertOk, type RepoTree, RepoTree as Repo, type Wanted, withRepo } from "./repo_tree.ts";

/** Prepare, edit, and see that there is no commit, one notice, and an undo that brings everything back. */
async function assertSkipped(
  repo: RepoTree,
  changes: Readonly<Record<string, Wanted>>,
  notice: RegExp | undefined,
): Promise<void> {
  const before = await repo.view();
  const heads = await repo.tryGit("rev-parse", "HEAD");
  equal(await repo.ai(changes), undefined);
  if (notice === undefined) equal(repo.notices, []);
  else {
    equal(repo.notices.length, 1, repo.notices.join("\n"));
    match(repo.notices[0] ?? "", notice);
    match(repo.notices[0] ?? "", /^not committed: .*\. \/undo still takes it back\.$/s);
  }
  for (const [rel, text] of Object.entries(changes)) {
    if (text !== null) equal(repo.read(rel), text);
  }
  equal(await repo.tryGit("rev-parse", "HEAD"), heads);
  assertOk(await repo.undo());
  equal(await repo.view(), before);
}

const CASES: Readonly<
  Record<
    string,
    {
      prepare(repo: RepoTree): Promise<void> | void;
      changes: Readonly<Record<string, Wanted>>;
      notice: RegExp | undefined;
    }
  >
> = {
  "own lines next to the edit": {
    prepare: (repo) => repo.put("a.txt", "one\ntwo\nmine\n"),
    changes: { "a.txt": "one\nai\nmine\n" },
    notice: /a\.txt has own uncommitted lines next to this edit/,
  },
  "a file of the person's that was never committed": {
    prepare: (repo) => repo.put("mine.txt", "mine\n"),
    changes: { "mine.txt": "mine\nai\n" },
    notice: /mine\.txt was never committed/,
  },
  "a new file of the person's that is staged": {
    prepare: async (repo) => {
      repo.put("mine.txt", "mine\n");
      await repo.git("add", "mine.txt");
    },
    changes: { "mine.txt": "mine\nai\n" },
    notice: /mine\.txt was never committed/,
  },
  "a new file that git ignores": {
    prepare: (repo) => repo.put(".gitignore", "*.log\n"),
    changes: { "x.log": "ai\n" },
    notice: /x\.log is ignored by git/,
  },
  "a deletion of a file with own changes": {
    prepare: (repo) => repo.put("a.txt", "mine\n"),
    changes: { "a.txt": null },
    notice: /a\.txt has own uncommitted changes/,
  },
  "a file that the person deleted, made again": {
    prepare: (repo) => Deno.removeSync(repo.path("a.txt")),
    changes: { "a.txt": "ai\n" },
    notice: /a\.txt has own uncommitted changes/,
  },
  "a binary file with own changes": {
    prepare: (repo) => repo.put("a.txt", "one\0\ntwo\nmine\n"),
    changes: { "a.txt": "ai\0\ntwo\nmine\n" },
    notice: /a\.txt is binary and has own uncommitted changes/,
  },
  "a file that goes through a filter": {
    prepare: (repo) => repo.put(".gitattributes", "*.txt filter=lfs\n"),
    changes: { "a.txt": "ai\n" },
    notice: /stored through the filter "lfs"/,
  },
  "assume-unchanged": {
    prepare: async (repo) => void await repo.git("update-index", "--assume-unchanged", "a.txt"),
    changes: { "a.txt": "ai\n" },
    notice: /a\.txt is marked as assume-unchanged/,
  },
  "a merge that waits for its commit": {
    prepare: async (repo) => {
      await repo.git("checkout", "-q", "-b", "other");
      repo.put("a.txt", "theirs\n");
      await repo.git("commit", "-q", "-am", "theirs");
      await repo.git("checkout", "-q", "main");
      repo.put("a.txt", "ours\n");
      await repo.git("commit", "-q", "-am", "ours");
      await repo.tryGit("merge", "other");
    },
    changes: { "b.txt": "ai\n" },
    notice: /a merge is in progress/,
  },
  "a rebase that stopped": {
    prepare: async (repo) => {
      repo.put("a.txt", "second\n");
      await repo.git("commit", "-q", "-am", "second");
      await repo.tryGit("rebase", "-q", "--exec", "false", "HEAD~1");
    },
    changes: { "b.txt": "ai\n" },
    notice: /a rebase is in progress/,
  },
  "/autocommit off": {
    prepare: (repo) => void (repo.isOn = false),
    changes: { "a.txt": "ai\n" },
    notice: undefined,
  },
  "where case does not count and git has another spelling": {
    prepare: async (repo) => void await repo.git("config", "core.ignoreCase", "true"),
    changes: { "A.txt": "ai\n" },
    notice: /git knows A\.txt as a\.txt/,
  },
};

for (const [name, { prepare, changes, notice }] of Object.entries(CASES)) {
  Deno.test(`no commit: ${name}`, async () => {
    await withRepo(async (repo) => {
      await prepare(repo);
      await assertSkipped(repo, changes, notice);
    });
  });
}

Deno.test("a lock of somebody else's is left alone: the edit stands, and its undo needs no lock", async () => {
  await withRepo(async (repo) => {
    const lock = join(await repo.gitDir(), "index.lock");
    const before = await repo.view();
    Deno.writeTextFileSync(lock, "");
    equal(await repo.ai({ "a.txt": "ai\n" }), undefined);
    match(repo.notices.join(), /another git process holds ".*index\.lock"/);
    equal(repo.read("a.txt"), "ai\n");
    equal(Deno.readTextFileSync(lock), "");
    assertOk(await repo.undo());
    equal(Deno.readTextFileSync(lock), "");
    Deno.removeSync(lock);
    equal(await repo.view(), before);
  });
});

Deno.test("the person is told once of each reason", async () => {
  await withRepo(async (repo) => {
    repo.put("mine.txt", "mine\n");
    repo.put("other.txt", "mine\n");
    await repo.ai({ "mine.txt": "1\n" });
    await repo.ai({ "other.txt": "2\n" });
    equal(repo.notices.length, 1);
    repo.put("b.txt", "other\n");
    await repo.ai({ "b.txt": "ai\n" });
    equal(repo.notices.length, 2);
  });
});

Deno.test("outside a repository nothing is committed and nothing is said", async () => {
  await withTree(async (tree) => {
    await withProcesses(async (processes) => {
      const repo = await Repo.open(tree, processes);
      tree.put("a", "mine\n");
      equal(await repo.ai({ "a": "ai\n" }), undefined);
      equal(repo.notices, []);
      equal(repo.edits.map(({ paths }) => paths), [[tree.path("a")]]);
      assertOk(await repo.undo());
      equal(repo.read("a"), "mine\n");
      await repo.commits.close();
    });
  });
});

Deno.test("without git nothing is committed and nothing is said", async () => {
  await withTree(async (tree) => {
    await withProcesses(async (processes) => {
      Deno.mkdirSync(tree.path(".git"));
      const repo = await Repo.open(tree, processes, {
        git: new Git(processes, { workspace: tree.ws }),
      });
      tree.put("a", "mine\n");
      equal(await repo.ai({ "a": "ai\n" }), undefined);
      equal(repo.notices, []);
      assertOk(await repo.undo());
      equal(repo.read("a"), "mine\n");
      await repo.commits.close();
    }, { PATH: "/nowhere" });
  });
});

Deno.test("files of several repositories are in no commit", async () => {
  await withRepo(async (repo) => {
    await repo.git("init", "-q", "inner");
    equal(await repo.ai({ "a.txt": "ai\n", "inner/x": "ai\n" }), undefined);
    match(repo.notices.join(), /its files are in several repositories/);
    ok(!(await repo.git("status", "--porcelain", "--", "a.txt")).includes("A"));
    assertOk(await repo.undo());
    equal(await repo.git("status", "--porcelain", "--", "a.txt"), "");
  });
});
