import { deepStrictEqual as equal } from "node:assert/strict";
import { join } from "node:path";
import { findGitDirs, mayShowTop, RedirectionWatch } from "@/sandbox/git_dirs.ts";
import { configText } from "@/sandbox/git_identity.ts";
import { git } from "../support/sandbox_git.ts";
import { until } from "../support/until.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

async function withRepository(body: (dir: string, top: string) => Promise<void>): Promise<void> {
  await withWorkspace(async (dir) => {
    const top = join(dir, "top");
    await Deno.mkdir(top);
    await git(top, "init", "-q", "--template=");
    await git(top, "commit", "-q", "--allow-empty", "-m", "first");
    await body(dir, top);
  });
}

function relativeTo(base: string, found: ReturnType<typeof findGitDirs>) {
  const short = (path: string) => path.slice(base.length + 1);
  return found === undefined ? undefined : {
    top: short(found.top),
    writable: found.writable.map(short),
    pinned: found.pinned.map(short).sort(),
    redirections: found.redirections.map(short),
  };
}

Deno.test({
  name: "findGitDirs() pins what git runs and obeys, and makes what is not there",
  ignore,
}, async () => {
  await withRepository(async (dir, top) => {
    await Deno.mkdir(join(top, "a", "b"), { recursive: true });
    const expected = {
      top: "top",
      writable: ["top/.git"],
      pinned: ["top/.git/config", "top/.git/hooks", "top/.git/info", "top/.git/modules"],
      redirections: ["top/.git/commondir"],
    };
    equal(relativeTo(dir, findGitDirs(top)), expected);
    equal(relativeTo(dir, findGitDirs(join(top, "a", "b"))), expected);
    await git(top, "fsck");
    await git(top, "config", "extensions.worktreeConfig", "true");
    equal(findGitDirs(top)?.pinned.includes(join(top, ".git/config.worktree")), true);
    await git(top, "status");
  });
});

Deno.test({
  name: "findGitDirs() finds the two directories of a linked work tree and that of a submodule",
  ignore,
}, async () => {
  await withRepository(async (dir, top) => {
    await git(top, "worktree", "add", "-q", join(dir, "tree"));
    await git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", top, "sub");
    const tree = relativeTo(dir, findGitDirs(join(dir, "tree")));
    equal(tree?.writable, ["top/.git", "top/.git/worktrees/tree"]);
    equal(tree?.pinned, [
      "top/.git/config",
      "top/.git/hooks",
      "top/.git/info",
      "top/.git/modules",
      "top/.git/worktrees",
      "top/.git/worktrees/tree/commondir",
      "top/.git/worktrees/tree/gitdir",
      "tree/.git",
    ]);
    const sub = relativeTo(dir, findGitDirs(join(top, "sub")));
    equal(sub?.writable, ["top/.git/modules/sub"]);
    equal(sub?.pinned.includes("top/sub/.git"), true);
  });
});

Deno.test({
  name: "findGitDirs() believes no pointer that does not lead back, and no link",
  ignore,
}, async () => {
  await withRepository(async (dir, top) => {
    const evil = join(dir, "evil");
    await Deno.mkdir(evil);
    const pointers = [
      `gitdir: ${top}/.git\n`,
      `gitdir: ${dir}\n`,
      `gitdir: ${dir}/gone\n`,
      "gitdir: \n",
      "nonsense",
      "",
    ];
    for (const text of pointers) {
      await Deno.writeTextFile(join(evil, ".git"), text);
      equal(findGitDirs(evil), undefined, text);
    }
    await Deno.remove(join(evil, ".git"));
    await Deno.symlink(join(top, ".git"), join(evil, ".git"));
    equal(findGitDirs(evil), undefined);
  });
});

Deno.test(
  { name: "findGitDirs() makes a repository read-only in which hooks are a link", ignore },
  async () => {
    await withRepository(async (dir, top) => {
      await Deno.mkdir(join(top, "hooks"));
      await Deno.symlink("../hooks", join(top, ".git", "hooks"));
      const found = relativeTo(dir, findGitDirs(top));
      equal([found?.writable, found?.pinned], [[], ["top/.git"]]);
    });
  },
);

Deno.test("mayShowTop() shows no work tree that holds what is hidden", () => {
  const git = (top: string) => ({ top, writable: [], pinned: [], redirections: [] });
  equal(mayShowTop(git("/home/u/code"), ["/home", "/root"]), true);
  equal(mayShowTop(git("/home/u"), ["/home/u", "/root"]), false);
  equal(mayShowTop(git("/"), ["/home"]), false);
});

Deno.test(
  { name: "RedirectionWatch removes what appears, at once and at the end", ignore },
  async () => {
    await withRepository(async (_dir, top) => {
      const path = join(top, ".git", "commondir");
      const removed: string[] = [];
      const watch = new RedirectionWatch([path], (gone) => removed.push(gone));
      const isGone = () => Deno.lstat(path).then(() => false, () => true);
      await Deno.writeTextFile(path, "/tmp/evil\n");
      await until(isGone);
      await Deno.mkdir(path);
      await until(isGone);
      await Deno.writeTextFile(join(top, ".git", "other"), "");
      await Deno.symlink("/tmp", path);
      watch.close();
      equal(await isGone(), true);
      equal(removed.every((gone) => gone === path) && removed.length >= 3, true);
      await Deno.lstat(join(top, ".git", "other"));
    });
  },
);

Deno.test("configText() keeps a person's name and habits, and nothing that could hold a secret", () => {
  const listed = [
    'user.name\nA "B" \\ C\nD',
    "user.email\na@b",
    "user.signingkey\nKEY",
    "credential.helper\nstore",
    "url.https://token@host.insteadof\ngh:",
    "http.https://host.extraheader\nAuthorization: token",
    "core.sshcommand\nevil",
    "core.autocrlf\ninput",
    "alias.x\n!evil",
    "safe.directory\n/srv/x",
    "novalue",
  ].join("\0");
  equal(
    configText(listed),
    '[user]\n\tname = "A \\"B\\" \\\\ C\\nD"\n[user]\n\temail = "a@b"\n' +
      '[core]\n\tautocrlf = "input"\n[safe]\n\tdirectory = "/srv/x"\n',
  );
});
