import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { gitDiff } from "@/tools/git_diff.ts";
import { gitStatus } from "@/tools/git_status.ts";
import { Git, GitError } from "@/workspace/git.ts";
import type { Processes } from "@/sandbox/processes.ts";
import { personGit } from "../support/git.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";

type Place = {
  dir: string;
  processes: Processes;
  status(): Promise<string>;
  diff(): Promise<string>;
  person(...args: string[]): Promise<string>;
  write(path: string, text: string): Promise<void>;
};

/** A fresh directory with the two tools on it; `under` puts the workspace below the directory. */
function withPlace(
  body: (place: Place) => Promise<void>,
  under = ".",
  mayRead: (path: string) => boolean = () => true,
): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const workspace = join(dir, under);
      await Deno.mkdir(workspace, { recursive: true });
      const git = new Git(processes, { workspace, ceilings: [join(dir, "..")], mayRead });
      const run = async (tool: ReturnType<typeof gitStatus>) =>
        (await callTool(tool, {}, testHost(workspace))).text;
      await body({
        dir,
        processes,
        status: () => run(gitStatus(git)),
        diff: () => run(gitDiff(git)),
        person: (...args) => personGit(processes, dir, ...args),
        write: (path, text) => Deno.writeTextFile(join(dir, path), text),
      });
    })
  );
}

async function commitFile(place: Place, path: string, text: string): Promise<void> {
  await place.write(path, text);
  await place.person("add", "--", path);
  await place.person("commit", "-q", "-m", "first");
}

Deno.test("git_status says branch, staged, changed and untracked files", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    equal(
      await place.status(),
      "On branch main, no commit yet\nNothing is changed, staged or untracked here",
    );
    await commitFile(place, "a.txt", "one\n");
    await place.write("a.txt", "two\n");
    await place.write("b.txt", "new\n");
    await place.person("add", "b.txt");
    await place.write("새 파일.txt", "");
    equal(
      await place.status(),
      "On branch main\nStaged for the next commit (1):\n  new file: b.txt\n" +
        "Not staged (1):\n  modified: a.txt\nUntracked (1):\n  새 파일.txt",
    );
  });
});

Deno.test("git_status says what is in progress", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    await commitFile(place, "a.txt", "one\n");
    await place.person("switch", "-q", "-c", "other");
    await commitFile(place, "a.txt", "two\n");
    await place.person("switch", "-q", "main");
    await commitFile(place, "a.txt", "three\n");
    await rejects(place.person("merge", "other"));
    equal(
      await place.status(),
      "On branch main; a merge is in progress\nConflicts (1):\n  changed by both: a.txt",
    );
  });
});

Deno.test("git tools say that there is no repository", async () => {
  await withPlace(async (place) => {
    const message = new RegExp(`There is no git repository here: neither "${place.dir}" nor`);
    await rejects(place.status(), message);
    await rejects(place.diff(), message);
    // A repository made later is found.
    await place.person("init", "-q");
    match(await place.status(), /^On branch main/);
  });
});

Deno.test("git tools say that git is missing", async () => {
  await withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const git = new Git(processes, { workspace: dir });
      await Deno.mkdir(join(dir, ".git"));
      await rejects(git.here(), /git is not installed here/);
    }, { PATH: "/nonexistent" })
  );
});

Deno.test("git_diff shows unstaged and staged changes and names untracked files", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    await commitFile(place, "a.txt", "one\n");
    equal(await place.diff(), "No tracked file differs from the last commit");
    await place.write("a.txt", "two\n");
    await place.person("add", "a.txt");
    await place.write("a.txt", "three\n");
    await place.write("new.txt", "");
    const diff = (await place.diff()).replace(/^index .*\n/gm, "");
    const header = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n";
    equal(
      diff,
      `Not staged:\n${header}-two\n+three\nStaged for the next commit:\n${header}-one\n+two\n` +
        "1 untracked file is not part of a diff: new.txt",
    );
  });
});

Deno.test("git_diff stays short and says how to read the rest", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    for (const name of ["a", "b", "c"]) await commitFile(place, `${name}.txt`, "one\n");
    for (const name of ["a", "b", "c"]) {
      await place.write(`${name}.txt`, `${`a line of ${name}\n`.repeat(2_000)}`);
    }
    await place.write("c.txt", "x".repeat(1_400_000));
    const diff = await place.diff();
    ok(diff.length < 13_500, `${diff.length} characters`);
    match(
      diff,
      /\[\d+ lines \(\d+ characters\) of the diff left out, with the beginning of b\.txt\./,
    );
    match(diff, /run_cmd with git diff -- FILE/);
    match(diff, /\+x{300,}… \[line of 1400001 characters\]/);
  });
});

Deno.test("git tools keep to the workspace in a larger repository", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    await commitFile(place, "secret.txt", "one\n");
    await commitFile(place, "app/a.txt", "one\n");
    await place.write("secret.txt", "token\n");
    await place.write("app/a.txt", "two\n");
    await place.write("other.txt", "");
    const [status, diff] = [await place.status(), await place.diff()];
    match(status, /Not staged \(1\):\n {2}modified: a\.txt\n2 more changed or untracked outside/);
    ok(diff.includes("app/a.txt") && !/secret|token|other/.test(diff), diff);
  }, "app");
});

Deno.test("git reads without taking a lock or rewriting the index", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    await commitFile(place, "a.txt", "one\n");
    await Deno.utime(join(place.dir, "a.txt"), 1_000, 1_000);
    const index = join(place.dir, ".git/index");
    const before = await Deno.readFile(index);
    await place.write(".git/index.lock", "");
    match(await place.status(), /Nothing is changed/);
    equal(await Deno.readFile(index), before);
  });
});

Deno.test("an interrupt ends a git call", async () => {
  await withPlace(async (place) => {
    await place.person("init", "-q");
    const git = new Git(place.processes, { workspace: place.dir });
    const { repository } = await git.here();
    const call = { signal: AbortSignal.abort() };
    await rejects(git.answer(repository, ["status"], call), (error: unknown) => {
      ok(error instanceof GitError);
      match(error.message, /was interrupted/);
      return true;
    });
  });
});

Deno.test("git_diff leaves out files that a rule denies reading, staged or not, and names them", async () => {
  await withPlace(
    async (place) => {
      await place.person("init", "-q");
      for (const name of ["a.txt", ".env", "old.key"]) await place.write(name, "one\n");
      await place.person("add", "-A");
      await place.person("commit", "-q", "-m", "first");
      for (const name of ["a.txt", ".env"]) await place.write(name, "SECRET two\n");
      await place.person("add", ".env");
      await place.person("mv", "old.key", "new.txt");
      const text = await place.diff();
      match(text, /^\+SECRET two$/m);
      equal(text.match(/SECRET/g)?.length, 1);
      equal(/^diff --git a\/\.env/m.test(text), false);
      match(text, /2 changed files not shown, because a rule denies reading: \.env, old\.key/);
    },
    ".",
    (path) => !/\.env$|\.key$/.test(path),
  );
});
