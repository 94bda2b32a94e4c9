/**
 * Kills a real process between file, journal, index and branch, of edits with commits and of their undo. The next start
 * repairs what is ours and nothing else. `deno test tests/workspace/commit/commit_crash_test.ts -- --kills=100` tries more.
 */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { listEdits, undo } from "@/workspace/undo.ts";
import { type RepoTree, RepoTree as Repo, withRepo } from "./repo_tree.ts";

const CONFIG = join(import.meta.dirname ?? "", "../../../deno.json");
const CHILD = join(import.meta.dirname ?? "", "crash_child.ts");
const FLAGS = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

/** How many times the process is killed, of each kind. */
const KILLS = Number(Deno.args.find((arg) => arg.startsWith("--kills="))?.slice(8) ?? "4");

const FILES = {
  "a.txt": "1\n2\n3\n4\n5\n6\n7\nend\n",
  "b.txt": "b\n",
  "c.txt": "c\n",
  "own.txt": "o\n",
};

/** The person's work, staged and not, in files of ours and others. */
async function plant(repo: RepoTree): Promise<void> {
  repo.put("a.txt", FILES["a.txt"].replace("1\n", "staged\n"));
  repo.put("own.txt", "staged\n");
  await repo.git("add", "a.txt", "own.txt");
  repo.put("a.txt", FILES["a.txt"].replace("1\n", "staged\n").replace("4\n", "unstaged\n"));
  repo.put("own.txt", "unstaged\n");
  repo.put("loose.txt", "loose\n");
}

function start(repo: RepoTree, { killAt = 0, first = 0 }): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-q", "--no-check", "--config", CONFIG, ...FLAGS, "--allow-run", CHILD],
      ...[repo.tree.ws, repo.tree.state, String(killAt), String(first)],
    ],
    stdout: "piped",
  }).spawn();
}

async function untilReady(child: Deno.ChildProcess): Promise<void> {
  const reader = child.stdout.getReader();
  equal(new TextDecoder().decode((await reader.read()).value), "ready\n");
  await reader.cancel();
}

/** Whatever was happening: nothing is torn or left lying about, and everything can be taken back. */
async function check(repo: RepoTree, original: Record<string, unknown>): Promise<void> {
  // What ends the children of a process that was killed needs a moment.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const after = await Repo.open(repo.tree, repo.processes, { session: "crashing" });
  await after.commits.held(() => Promise.resolve());
  const { locks, files } = await after.view();
  equal(locks, []);
  ok(!Object.keys(Object(files)).some((name) => name.includes(".harness-")));
  const left = [...Deno.readDirSync(repo.tree.storeDir())].map(({ name }) => name)
    .filter((name) => /^git\.json$|^git-|^merge-/.test(name));
  equal(left, []);
  match(`${await after.git("fsck", "--strict", "--no-dangling")}`, /^$/);
  equal(await after.git("diff", "--cached", "--name-only"), "a.txt\nown.txt\n");
  const standing = (await listEdits(after.journal)).filter(({ state }) => state === "live").length;
  for (let i = 0; i < standing; i++) {
    const result = await undo(after.journal, { git: after.commits });
    ok(
      result.ok,
      result.ok ? "" : `${result.reason} ${JSON.stringify(repo.tree.lines().slice(-8), null, 1)}`,
    );
  }
  equal(await after.view(), original);
  await after.commits.close();
  after.journal.close();
}

Deno.test({
  name:
    "a process killed at any step of a commit or an undo leaves nothing that the next start does not repair",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    for (let kill = 1; kill <= KILLS; kill++) {
      const [first, killAt] = [kill % 9, 1 + (kill * 7) % 37];
      await t.step(`operation ${first} on, step ${killAt}`, async () => {
        await withRepo(async (repo) => {
          await plant(repo);
          const original = await repo.view();
          const child = start(repo, { killAt, first });
          await untilReady(child);
          equal((await child.status).signal, "SIGKILL");
          await check(repo, original);
        }, { files: FILES });
      });
    }
  },
});

Deno.test({
  name:
    "a process killed at any moment leaves nothing that the next start does not repair, time after time",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withRepo(async (repo) => {
      await plant(repo);
      const original = await repo.view();
      for (let kill = 0; kill < KILLS; kill++) {
        const child = start(repo, { first: kill });
        await untilReady(child);
        await new Promise((resolve) => setTimeout(resolve, (kill * 137) % 1500));
        child.kill("SIGKILL");
        await child.status;
        await check(repo, original);
      }
    }, { files: FILES });
  },
});

Deno.test({
  name:
    "what a process of another workspace left in the repository is finished, and a lock of git's is not touched",
  ignore: Deno.build.os === "windows",
  async fn() {
    await withRepo(async (repo) => {
      const lock = join(await repo.gitDir(), "index.lock");
      const edits = { "b.txt": "ai\n" };
      // Steps of the journal come first: blobs, recorded, file, written, done; then those of the commit.
      for (const [killAt, isMade] of [[8, false], [9, false], [10, true], [11, true]] as const) {
        const child = start(repo, { killAt, first: 7 });
        await untilReady(child);
        equal((await child.status).signal, "SIGKILL");
        if (killAt > 8) match(Deno.readTextFileSync(lock), /^harness [0-9a-f]{16}\n$/);
        await new Promise((resolve) => setTimeout(resolve, 200));
        Deno.mkdirSync(repo.path("sub"), { recursive: true });
        const other = await Repo.open(repo.tree, repo.processes, { workspace: repo.path("sub") });
        await other.commits.idle();
        equal(
          [...Deno.readDirSync(await repo.gitDir())].filter(({ name }) =>
            /lock|harness/.test(name)
          ),
          [],
        );
        const log = (await repo.git("log", "-1", "--format=%s")).trim();
        equal(log, isMade ? "ai(write_file): c.txt" : "first");
        equal(await repo.git("diff", "--cached", "--name-only"), "");
        await repo.git("reset", "-q", "--hard", "HEAD");
        if (isMade) await repo.git("reset", "-q", "--hard", "HEAD~1");
        await other.commits.close();
        other.journal.close();
      }
      Deno.writeTextFileSync(lock, "");
      equal(await repo.ai(edits), undefined);
      equal(Deno.readTextFileSync(lock), "");
    }, { files: FILES });
  },
});
