import { Buffer } from "node:buffer";
import { deepStrictEqual as equal, match, ok, rejects } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Processes } from "@/sandbox/processes.ts";
import { Git } from "@/workspace/git.ts";
import { diffText } from "@/workspace/git_diff.ts";
import { readStatus } from "@/workspace/git_status.ts";
import { personGit } from "../support/git.ts";
import { machineEnv, withProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

/** A repository and, beside it, a directory in which every planted program leaves a file. */
function withRepository(
  body: (
    at: { top: string; ran: () => string[]; evil: string; processes: Processes },
  ) => Promise<void>,
): Promise<void> {
  return withWorkspace((dir) =>
    withProcesses(async (processes) => {
      const [top, out, evil] = [join(dir, "ws"), join(dir, "out"), join(dir, "evil.sh")];
      for (const made of [top, out]) await Deno.mkdir(made);
      await Deno.writeTextFile(
        evil,
        `#!/bin/sh\ntouch "${out}/$(basename "$1" | tr / _)"\n[ "$1" = fetch ] || cat\n`,
      );
      await Deno.chmod(evil, 0o755);
      await personGit(processes, top, "init", "-q");
      const ran = () => [...Deno.readDirSync(out)].map(({ name }) => name).sort();
      await body({ top, ran, evil, processes });
    })
  );
}

async function lookAtAll(processes: Processes, workspace: string): Promise<string> {
  const git = new Git(processes, { workspace });
  const { repository, within } = await git.here();
  const signal = new AbortController().signal;
  await readStatus(git, repository, signal);
  return await diffText(git, repository, { within, signal });
}

const PLANTED: readonly string[] = [
  ...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass"],
  ...[
    "core.alternateRefsCommand",
    "diff.external",
    "diff.planted.command",
    "diff.planted.textconv",
  ],
  ...["filter.planted.clean", "filter.planted.smudge", "filter.planted.process"],
  ...["filter.two words.clean", "gpg.program", "gpg.ssh.program", "credential.helper"],
  ...["sequence.editor", "merge.planted.driver", "pager.status", "pager.diff", "alias.config"],
  ...["alias.status", "alias.diff", "alias.rev-parse", "interactive.diffFilter", "core.gitProxy"],
];

const FLAGS: readonly [string, string][] = [
  ["commit.gpgsign", "true"],
  ["log.showSignature", "true"],
  ["filter.planted.required", "true"],
  ["filter.two words.required", "true"],
  ["status.submoduleSummary", "true"],
  ["diff.submodule", "diff"],
  ["submodule.recurse", "true"],
  ["color.ui", "always"],
  ["diff.noprefix", "true"],
];

Deno.test("no program that a repository names runs on status and diff", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    const write = (path: string, text: string) => Deno.writeTextFile(join(top, path), text);
    await write("a.txt", "one\n");
    await write("b.bin", "one\n");
    await write("c.txt", "one\n");
    await personGit(processes, top, "add", ".");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    await write(
      ".gitattributes",
      "*.txt diff=planted filter=planted merge=planted\n*.bin filter=two\\ words\n",
    );
    await write(".git/info/attributes", '"*.bin" filter=planted\n');
    for (const key of PLANTED) {
      const isAlias = key.startsWith("alias.");
      const command = `"${evil}" "${key}"`;
      await personGit(processes, top, "config", key, isAlias ? `!${command}` : command);
    }
    for (const [key, value] of FLAGS) await personGit(processes, top, "config", key, value);
    await Deno.mkdir(join(top, ".git/hooks"), { recursive: true });
    for (
      const hook of [
        "post-index-change",
        "pre-commit",
        "reference-transaction",
        "fsmonitor-watchman",
      ]
    ) {
      await write(`.git/hooks/${hook}`, `#!/bin/sh\n"${evil}" hook-${hook}\n`);
      await Deno.chmod(join(top, ".git/hooks", hook), 0o755);
    }
    await write("a.txt", "two\n");
    await write("b.bin", "two\n");
    await Deno.utime(join(top, "c.txt"), 1_000, 1_000);
    const diff = await lookAtAll(processes, top);
    equal(ran(), []);
    match(diff, /^-one\n\+two$/m);
    match(diff, /^diff --git a\/a\.txt b\/a\.txt$/m);
    // The trap works: without our options the person's own git runs them.
    await rejects(personGit(processes, top, "status"));
    ok(ran().length > 0, "nothing was planted");
  });
});

Deno.test("status and diff leave the index as it is, and no lock of it", async () => {
  await withRepository(async ({ top, processes }) => {
    await Deno.writeTextFile(join(top, "a.txt"), "one\n");
    await personGit(processes, top, "add", ".");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    await Deno.utime(join(top, "a.txt"), 1_000, 1_000);
    const index = join(top, ".git", "index");
    const before = await Deno.readFile(index);
    match(await lookAtAll(processes, top), /^No tracked file/);
    equal(await Deno.readFile(index), before);
    // Somebody's own diff writes it.
    await personGit(processes, top, "diff");
    ok(!Buffer.from(before).equals(await Deno.readFile(index)));
  });
});

Deno.test("git that is ended in time takes its lock away", async () => {
  await withRepository(async ({ top, processes }) => {
    const locked = join(top, ".git", "index.lock");
    // What it is told waits: a pipe that nobody writes to.
    await processes.run({ program: "mkfifo", args: [".gitattributes"], cwd: top });
    await Deno.writeTextFile(join(top, "a.txt"), "one\n");
    const git = new Git(processes, { workspace: top });
    const { repository } = await git.here();
    const adding = git.run(repository, ["add", "a.txt"], { timeoutMs: 1_000 });
    await until(() => existsSync(locked));
    equal((await adding).ended, "timed_out");
    equal(existsSync(locked), false);
  });
});

Deno.test("no program of a config that is included or belongs to the work tree runs", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    await Deno.writeTextFile(join(top, "a.txt"), "one\n");
    await personGit(processes, top, "add", ".");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    const config =
      `[core]\n\tfsmonitor = ${evil} included\n[filter "x"]\n\tclean = ${evil} filter\n`;
    await Deno.writeTextFile(join(top, "more.config"), config);
    await personGit(processes, top, "config", "include.path", "../more.config");
    await personGit(processes, top, "config", "extensions.worktreeConfig", "true");
    await Deno.writeTextFile(join(top, ".git/config.worktree"), config);
    await Deno.writeTextFile(join(top, ".gitattributes"), "* filter=x\n");
    await Deno.writeTextFile(join(top, "a.txt"), "two\n");
    await lookAtAll(processes, top);
    equal(ran(), []);
  });
});

Deno.test("no program that a submodule names runs", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    const sub = join(top, "sub");
    await Deno.mkdir(sub);
    await personGit(processes, sub, "init", "-q");
    await Deno.writeTextFile(join(sub, "a.txt"), "one\n");
    await personGit(processes, sub, "add", ".");
    await personGit(processes, sub, "commit", "-q", "-m", "first");
    await personGit(processes, top, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    await personGit(processes, top, "config", "diff.submodule", "diff");
    await personGit(processes, sub, "config", "core.fsmonitor", `"${evil}" sub`);
    await personGit(processes, sub, "config", "diff.external", `"${evil}" sub-diff`);
    await personGit(processes, sub, "config", "filter.own.clean", `"${evil}" sub-filter`);
    await Deno.writeTextFile(join(sub, ".git/info/attributes"), "* filter=own\n");
    await Deno.writeTextFile(join(sub, "a.txt"), "two\n");
    await lookAtAll(processes, top);
    equal(ran(), []);
    // The trap works: looking inside the submodule runs its filter.
    await personGit(processes, top, "-c", "core.fsmonitor=false", "status");
    ok(ran().includes("sub-filter"));
  });
});

Deno.test("a driver that could not be switched off refuses the call", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    const config = join(top, ".git/config");
    const planted = `[filter "a=b"]\n\tclean = ${evil} filter\n`;
    await Deno.writeTextFile(config, await Deno.readTextFile(config) + planted);
    await rejects(
      lookAtAll(processes, top),
      /has a config key that git is not run with: filter\.a=b/,
    );
    equal(ran(), []);
  });
});

Deno.test("a missing object is not fetched", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    await Deno.writeTextFile(join(top, "a.txt"), "one\n");
    await personGit(processes, top, "add", ".");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    await personGit(processes, top, "config", "remote.origin.url", `ext::${evil} fetch`);
    await personGit(processes, top, "config", "remote.origin.promisor", "true");
    await personGit(processes, top, "config", "extensions.partialClone", "origin");
    await personGit(processes, top, "config", "protocol.ext.allow", "always");
    await personGit(processes, top, "config", "core.repositoryFormatVersion", "1");
    const blob = (await personGit(processes, top, "rev-parse", "HEAD:a.txt")).trim();
    await Deno.remove(join(top, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    await Deno.writeTextFile(join(top, "a.txt"), "two\n");
    await rejects(lookAtAll(processes, top), /git diff failed/);
    equal(ran(), []);
    // The trap works: the person's own git fetches.
    await rejects(personGit(processes, top, "diff"));
    equal(ran(), ["fetch"]);
  });
});

Deno.test("a work tree that lies elsewhere is refused", async () => {
  await withRepository(async ({ top, processes }) => {
    await personGit(processes, top, "config", "core.worktree", join(top, "../.."));
    await rejects(lookAtAll(processes, top), /names ".*" as its work tree \(core\.worktree\)/);
  });
});

Deno.test("a .git that leads to another repository is refused, one that leads back is not", async () => {
  await withRepository(async ({ top, processes }) => {
    await Deno.writeTextFile(join(top, "secret.txt"), "token\n");
    await personGit(processes, top, "add", ".");
    await personGit(processes, top, "commit", "-q", "-m", "first");
    const [hostile, linked, tree] = ["hostile", "linked", "tree"].map((name) =>
      join(top, "..", name)
    ) as [string, string, string];
    await Deno.mkdir(hostile);
    await Deno.writeTextFile(join(hostile, ".git"), `gitdir: ${join(top, ".git")}\n`);
    await rejects(
      lookAtAll(processes, hostile),
      /leads to ".*ws\/\.git", which does not lead back/,
    );
    await Deno.mkdir(linked);
    await Deno.symlink(join(top, ".git"), join(linked, ".git"));
    await rejects(lookAtAll(processes, linked), /does not lead back/);
    await personGit(processes, top, "worktree", "add", "-q", tree);
    equal(await lookAtAll(processes, tree), "No tracked file differs from the last commit");
  });
});

Deno.test("a directory that only looks like a repository is none", async () => {
  await withRepository(async ({ top, ran, evil, processes }) => {
    const bare = join(top, "..", "bare");
    await personGit(processes, top, "init", "-q", "--bare", bare);
    await personGit(processes, bare, "config", "core.fsmonitor", `"${evil}" bare`);
    const git = new Git(processes, { workspace: bare, ceilings: [join(top, "..")] });
    equal(await git.place(bare), { kind: "outside" });
    equal(ran(), []);
  });
});

Deno.test({
  name: "a repository of somebody else is not asked",
  // Only root can give a directory away.
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  async fn() {
    await withRepository(async ({ top, processes }) => {
      for (const path of [top, join(top, ".git")]) await Deno.chown(path, 65_534, 65_534);
      await rejects(lookAtAll(processes, top), /belongs to somebody else.*safe\.directory/);
    });
  },
});

Deno.test("variables that name another repository are not inherited", async () => {
  await withRepository(async ({ top }) => {
    const other = join(top, "..", "other");
    await Deno.mkdir(other);
    const env = { ...machineEnv(), GIT_DIR: join(top, ".git"), GIT_WORK_TREE: top };
    await withProcesses(async (processes) => {
      const git = new Git(processes, { workspace: other, ceilings: [join(top, "..")] });
      equal(await git.place(other), { kind: "outside" });
    }, env);
  });
});
