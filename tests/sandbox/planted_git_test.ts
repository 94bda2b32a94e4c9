/** What the person's own git would run because of what a command has left. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { PlantedGit, programKeys } from "@/sandbox/planted_git.ts";
import { git } from "../support/sandbox_git.ts";
import { needing, withSandbox } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

const needsGit = await needing("git");

Deno.test("programKeys() finds the keys whose value is a program, and no switch", () => {
  const config = `[core]
\tbare = false
\tfsmonitor = true
[Core] FSMonitor = "touch x"
[include] path = ../more
[filter "a b"]
\tclean = evil \\
  more
\trequired = true
[alias]
\tst = status
\tpwn = !evil
[diff.old] textconv = evil
[submodule "x"]
\tupdate = rebase
[remote "origin"]
\turl = https://a.example/b.git
# [core] pager = evil
[core]
\teditor=evil
`;
  equal(programKeys(config).map(({ name }) => name), [
    "core.fsmonitor",
    "include.path",
    "filter.clean",
    "alias.pwn",
    "diff.textconv",
    "core.editor",
  ]);
});

Deno.test("PlantedGit tells what came since its first look, once each", async () => {
  await withWorkspace(async (dir) => {
    const notices: string[] = [];
    const planted = new PlantedGit((folder) => folder === dir, (text) => notices.push(text));
    const write = async (path: string, text: string, mode = 0o644) => {
      await Deno.mkdir(join(dir, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(dir, path), text, { mode });
    };
    const all = ["", "old", "bare.git", "linked", "plain"].map((name) => join(dir, name));
    await write("old/.git/config", "[core]\nfsmonitor = watchman\n");
    await write(".git/config", "[core]\nfsmonitor = watchman\n");
    planted.see(all.slice(0, 2));
    // Ours is held; and it is no news that somebody made a repository.
    await write(".git/config", "[core]\nfsmonitor = other\n");
    await write("plain/.git/config", "[core]\nbare = false\n");
    await write("plain/.git/hooks/update.sample", "", 0o755);
    planted.see(all);
    equal(notices, []);
    await write("old/.git/config", "[core]\nfsmonitor = other\n");
    await write("bare.git/config", "[include]\npath = x\n");
    await write("linked/.git", "gitdir: ../hidden/dir\n");
    await write("hidden/dir/hooks/pre-commit", "", 0o755);
    planted.see(all);
    planted.see(all);
    equal(notices.map((text) => /^The repository "([^"]*)".* \((.*?)\)/.exec(text)?.slice(1)), [
      [join(dir, "old"), "core.fsmonitor"],
      [join(dir, "bare.git"), "include.path"],
      [join(dir, "linked"), "the hook pre-commit"],
    ]);
  });
});

Deno.test("PlantedGit tells of hooks that a held repository keeps among the project's files", async () => {
  await withWorkspace(async (dir) => {
    const notices: string[] = [];
    const planted = new PlantedGit(() => true, (text) => notices.push(text));
    await Deno.mkdir(join(dir, ".git"));
    await Deno.mkdir(join(dir, ".husky/_"), { recursive: true });
    const write = (path: string, text: string, mode: number) =>
      Deno.writeTextFile(join(dir, path), text, { mode });
    await write(".git/config", "[core]\n\thooksPath = .husky/_\n\tpager = less\n", 0o644);
    await write(".husky/_/pre-commit", ". husky.sh", 0o755);
    await write(".husky/pre-commit", "npm test", 0o644);
    planted.see([dir]);
    // Made anew as it was, as each installation of packages does.
    await write(".husky/_/pre-commit", ". husky.sh", 0o755);
    await write(".git/config", "[core]\n\thooksPath = .husky/_\n\tpager = more\n", 0o644);
    planted.see([dir]);
    equal(notices, []);
    await write(".husky/pre-commit", "evil", 0o644);
    planted.see([dir]);
    equal(notices.length, 1);
    match(notices[0] ?? "", /\(the hook pre-commit\)/);
  });
});

Deno.test(
  { name: "a repository that a command planted for the person's git is told", ...needsGit },
  async () => {
    let said: readonly string[] = [];
    await withSandbox(async ({ run, workspace, notices }) => {
      said = notices;
      const plant =
        "git init -q evil && cd evil && git -c user.name=x -c user.email=x@x.example commit -q --allow-empty -m x && " +
        "git config core.fsmonitor 'touch /tmp/x' && cd .. && git add evil && git init -q fine";
      equal((await run(plant)).code, 0);
      equal(
        await Deno.stat(join(workspace, "fine/.git")).then(({ isDirectory }) => isDirectory),
        true,
      );
    }, {
      prepare: async ({ workspace }) => {
        await git(workspace, "init", "-q");
      },
    });
    equal(said.length, 1);
    match(said[0] ?? "", /^The repository ".*\/evil" .* \(core\.fsmonitor\), your own git too/);
  },
);
