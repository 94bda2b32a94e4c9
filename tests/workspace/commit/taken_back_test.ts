/** What the person has taken back by other means than /undo, and what only looks like it. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { undo } from "@/workspace/undo.ts";
import { file, withTree, write } from "../journal_tree.ts";
import { assertOk, refusal, withRepo } from "./repo_tree.ts";

const NOTED = /a\.txt was taken back already, by other means than \/undo\. That is noted/;

function textOf(result: Awaited<ReturnType<typeof undo>>): string {
  return result.ok ? result.text : `refused: ${result.reason}`;
}

Deno.test("an edit whose commit was reset away is noted as taken back, and the one before it comes next", async () => {
  await withRepo(async (repo) => {
    const first = (await repo.git("rev-parse", "HEAD")).trim();
    ok(await repo.ai({ "b.txt": "ai\n" }));
    const commit = await repo.ai({ "a.txt": "ai\n" });
    await repo.git("reset", "-q", "--hard", "HEAD~1");
    const before = await repo.view();
    match(textOf(await repo.undo()), NOTED);
    equal(await repo.view(), before);
    match(
      refusal(await repo.redo()),
      new RegExp(
        `out of the branch by other means than /undo\\. git cherry-pick ${commit?.slice(0, 7)}`,
      ),
    );
    assertOk(await repo.undo());
    equal((await repo.git("rev-parse", "HEAD")).trim(), first);
    equal(await repo.git("status", "--porcelain"), "");
  });
});

Deno.test("an edit without a commit that was restored is noted as taken back, and comes back with redo", async () => {
  await withRepo(async (repo) => {
    repo.isOn = false;
    await repo.ai({ "a.txt": "ai\n" });
    await repo.git("checkout", "-q", "--", "a.txt");
    match(textOf(await repo.undo()), NOTED);
    assertOk(await repo.redo());
    equal(repo.read("a.txt"), "ai\n");
    assertOk(await repo.undo());
    equal(await repo.git("status", "--porcelain"), "");
  });
});

Deno.test("an edit that HEAD still has is not taken back by a restored file, nor by another branch", async () => {
  await withRepo(async (repo) => {
    const text = repo.read("a.txt");
    ok(await repo.ai({ "a.txt": "ai\n" }, { tool: "write_file" }));
    repo.put("a.txt", text);
    match(refusal(await repo.undo()), /a\.txt has changed since ai\(write_file\): a\.txt/);
    await repo.git("checkout", "-q", "-f", "-b", "feature", "HEAD~1");
    match(
      refusal(await repo.undo()),
      /The branch was main when this was made, now it is feature\. Switch back/,
    );
    await repo.git("checkout", "-q", "main");
    assertOk(await repo.undo());
  });
});

Deno.test("outside of git, a file that is as before is taken back, and one of two is not", async () => {
  await withTree(async (tree) => {
    const [a, b] = [tree.put("a.txt", "1\n"), tree.put("b", "1\n")];
    const journal = await tree.journal();
    await write(journal, b, { after: file("0\n") });
    const changes = [a, b].map((path) => ({
      path,
      expected: "unchecked" as const,
      after: file("2\n"),
    }));
    await journal.edit({ tool: "t", callId: "c", turn: 1, changes });
    Deno.writeTextFileSync(a, "1\n");
    match(textOf(await undo(journal)), /^refused: a\.txt has changed since/);
    Deno.writeTextFileSync(b, "0\n");
    match(textOf(await undo(journal)), /a\.txt, b was taken back already/);
    equal(textOf(await undo(journal)), "Took back ai(write_file): b");
    equal(tree.shot(), { "a.txt": "644 1\n", b: "644 1\n" });
  });
});

Deno.test("a file that an edit made and the person renamed is not called taken back; its other name stays", async () => {
  await withTree(async (tree) => {
    const journal = await tree.journal();
    await write(journal, tree.path("new.txt"), { after: file("1\n") });
    Deno.renameSync(tree.path("new.txt"), tree.path("better.txt"));
    equal(
      textOf(await undo(journal)),
      "new.txt is not there any more, so that nothing of ai(write_file): new.txt can be taken back: " +
        "moved, renamed or removed. That is noted; nothing was changed",
    );
    equal(tree.shot(), { "better.txt": "644 1\n" });
  });
});
