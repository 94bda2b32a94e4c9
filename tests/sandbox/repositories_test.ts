/** Repositories inside the sandbox: commits work, what git runs or obeys stays as it is, and no pointer opens another one. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { git } from "../support/sandbox_git.ts";
import {
  type Folders,
  isRoot,
  needing,
  runAsOrdinaryUser,
  withFolders,
  withSandbox,
  withSandboxIn,
  writeFiles as write,
} from "../support/sandbox.ts";

const GIT = [
  "git add -A",
  "git commit -q -m 'one more'",
  "git checkout -q -b side",
  "echo b > b.txt; git add b.txt; git commit -q -m b",
  "git checkout -q -; git merge -q --no-ff --no-edit side",
  "echo c >> a.txt; git stash -q; git stash pop -q; git diff --stat | grep -q a.txt; git checkout -q a.txt",
  "git tag v1; git repack -q -a -d -n; git rebase -q HEAD~1; git rev-parse -q --verify HEAD > /dev/null",
  "git status --porcelain",
];

const needsGit = await needing("git");

async function repository(folders: Folders): Promise<void> {
  await write(folders, { "a.txt": "a\n" });
  await Deno.writeTextFile(
    join(folders.home, ".gitconfig"),
    '[user]\n\tname = A \\"quoted\\" \\\\ Person\n\temail = person@example.com\n[url "https://token@x"]\n\tinsteadOf = gh:\n[include]\n\tpath = more\n',
  );
  await Deno.writeTextFile(join(folders.home, "more"), "[init]\n\tdefaultBranch = trunk\n");
  await git(folders.workspace, "init", "-q", "-b", "main");
  await git(folders.workspace, "add", "-A");
  await git(folders.workspace, "commit", "-q", "-m", "first");
}

Deno.test({
  name: "inside works: git add, commit, branch, merge, stash, diff, rebase, repack, as the person",
  ...needsGit,
}, async () => {
  await withSandbox(async ({ run, workspace }) => {
    for (const line of GIT) {
      const { code, output } = await run(line);
      equal({ code, output }, { code: 0, output: "" }, line);
    }
    equal(
      await git(workspace, "log", "-1", "--format=%an <%ae>"),
      'A "quoted" \\ Person <person@example.com>\n',
    );
    await git(workspace, "fsck", "--strict");
    const { output } = await run(
      "git config --global --list; git config --get url.https://token@x.insteadof; true",
    );
    equal(output.includes("token"), false);
    match(output, /^init\.defaultbranch=trunk$/m);
  }, {
    prepare: async (folders) => {
      await repository(folders);
      await write(folders, { "new.txt": "n\n" });
    },
  });
});

Deno.test({
  name: "inside, a repository's config holds no header that signs in, however it is written",
  ...needsGit,
}, async () => {
  await withSandbox(async ({ run }) => {
    const { code, output } = await run("cat .git/config && git status --porcelain");
    equal([code, /secret|token/.test(output)], [0, false], output);
    match(output, /signOff = true/);
  }, {
    prepare: async (folders) => {
      await repository(folders);
      const lines = [
        '[http "https://a"]\n\textraHeader = AUTHORIZATION: basic secret',
        '[http "https://b"] extraheader = AUTHORIZATION: secret',
        "[http]\n\textraheader = AUTHORIZATION: \\\n\tsecret",
        '[remote "o"]\n\turl = https://token@example.com/x',
        "[format]\n\tsignOff = true\n",
      ];
      const config = join(folders.workspace, ".git", "config");
      await Deno.writeTextFile(config, `\n${lines.join("\n")}`, { append: true });
    },
  });
});

Deno.test({
  name: "an ordinary user can work inside as well",
  ignore: needsGit.ignore || !isRoot || (await needing("setpriv", "python3")).ignore,
}, async () => {
  await withFolders(async (folders) => {
    await repository(folders);
    const { kind, problem, results } = await runAsOrdinaryUser(folders, [
      "echo n > new.txt && git add -A && git commit -q -m more && git log --oneline | wc -l",
      "python3 -c 'print(6 * 7)'",
      "touch /etc/pwned || echo refused; touch .git/hooks/x || echo refused",
      // 300 processes are allowed; a loop of 400 does not get them.
      "i=0; while [ $i -lt 400 ]; do sleep 2 & i=$((i+1)); done; wait",
    ]);
    equal({ kind, problem }, { kind: "bubblewrap", problem: undefined });
    const [first, second, third, fourth] = results.map(({ output }) => output);
    equal([first, second], ["2\n", "42\n"]);
    equal(third?.match(/refused/g)?.length, 2, third);
    match(fourth ?? "", /Cannot fork|Resource temporarily unavailable/);
  }, { under: "/tmp" });
});

Deno.test({
  name: "a commit inside does not empty a committed .env, and `git add -A` takes a masked one",
  ...needsGit,
}, async () => {
  await withSandbox(async ({ run, workspace }) => {
    const { output } = await run(
      "cat .env; cat sub/.env; git add -A && git commit -q -m all && git status --porcelain",
    );
    equal(output, "COMMITTED=1\n");
    equal(await git(workspace, "show", "HEAD:.env"), "COMMITTED=1\n");
    // The person changes it: now it holds something that is not in the repository.
    await Deno.writeTextFile(join(workspace, ".env"), "COMMITTED=1\nSECRET=2\n");
    equal((await run("cat .env")).output, "");
  }, {
    prepare: async (folders) => {
      await write(folders, { ".env": "COMMITTED=1\n" });
      await repository(folders);
      await write(folders, { "sub/.env": "SECRET=1\n", ".env.example": "NAME=value\n" });
    },
  });
});

Deno.test(
  { name: "a command cannot make a masked file visible by staging it", ...needsGit },
  async () => {
    await withSandbox(async ({ run, open, workspace, processes }) => {
      await run(
        "git add -f .env; git commit -q -m x; git update-index --add --cacheinfo 100644,$(git hash-object -w a.txt),.env",
      );
      equal((await run("cat .env")).output, "");
      await using again = asyncDisposable(await open());
      const wrap = again.value.wrap();
      const { stdout } = await processes.run({
        program: "cat",
        args: [".env"],
        cwd: workspace,
        wrap,
      });
      equal(stdout.text(), "");
    }, {
      prepare: async (folders) => {
        await repository(folders);
        await write(folders, { ".env": "SECRET=1\n" });
      },
    });
  },
);

function asyncDisposable<T extends { close(): Promise<void> }>(
  value: T,
): AsyncDisposable & { value: T } {
  return { value, [Symbol.asyncDispose]: () => value.close() };
}

Deno.test({
  name: "a trusted .env is visible as it was trusted, and examples always are",
  ...needsGit,
}, async () => {
  const trusted = new TextEncoder().encode("TRUSTED=1\n");
  const isTrusted = (_root: string, name: string, content: Uint8Array) =>
    name === ".env" && new TextDecoder().decode(content) === new TextDecoder().decode(trusted);
  await withSandbox(async ({ run, workspace }) => {
    equal((await run("cat .env .env.example .env.local")).output, "TRUSTED=1\nNAME=value\n");
    await Deno.writeTextFile(join(workspace, ".env"), "TRUSTED=1\nMORE=2\n");
    equal((await run("cat .env")).output, "");
  }, {
    prepare: (folders) =>
      write(folders, {
        ".env": "TRUSTED=1\n",
        ".env.example": "NAME=value\n",
        ".env.local": "SECRET=1\n",
      }),
    options: { isTrusted },
  });
});

Deno.test({
  name: "a linked work tree and a submodule can be committed to, and their hooks and config stay",
  ...needsGit,
}, async () => {
  await withFolders(async (folders) => {
    const main = join(folders.home, "main");
    await Deno.mkdir(main);
    await git(main, "init", "-q", "-b", "main");
    await git(main, "commit", "-q", "--allow-empty", "-m", "first");
    await git(main, "worktree", "add", "-q", join(folders.home, "tree"));
    await git(main, "worktree", "add", "-q", join(folders.home, "other"));
    await git(main, "-c", "protocol.file.allow=always", "submodule", "add", "-q", main, "sub");
    for (const name of ["tree", "main/sub"]) {
      const workspace = join(folders.home, name);
      const common = name === "tree" ? join(main, ".git") : join(main, ".git/modules/sub");
      await withSandboxIn({ ...folders, workspace }, async (run) => {
        const { code, output } = await run(
          "git -c user.name=x -c user.email=x@x commit -q --allow-empty -m second && git log --oneline | wc -l",
        );
        equal({ code, output }, { code: 0, output: "2\n" }, name);
        const tries = [
          `touch '${common}/hooks/pre-commit'`,
          `echo x >> '${common}/config'`,
          `git config core.fsmonitor x`,
          `echo 'gitdir: /tmp' > .git`,
          `rm -f .git`,
          ...(name === "tree"
            ? [
              `echo x > '${common}/worktrees/other/commondir'`,
              `echo x > '${common}/worktrees/tree/commondir'`,
            ]
            : []),
        ];
        for (const line of tries) ok((await run(line)).code !== 0, `${name}: ${line}`);
      });
    }
  });
});

Deno.test({
  name:
    "from a folder of a repository the whole of it can be read and committed to, but only the folder written",
  ...needsGit,
}, async () => {
  await withFolders(async (folders) => {
    const top = join(folders.home, "code", "project");
    await Deno.mkdir(join(top, "part"));
    await Deno.writeTextFile(join(top, "top.txt"), "top\n");
    await Deno.writeTextFile(join(top, ".env"), "SECRET=1\n");
    await git(top, "init", "-q");
    await git(top, "add", "top.txt");
    await git(top, "commit", "-q", "-m", "first");
    await withSandboxIn({ ...folders, workspace: join(top, "part") }, async (run) => {
      const { output } = await run(
        "echo x > x.txt; git add x.txt; git -c user.name=x -c user.email=x@x commit -q -m x; cat ../top.txt ../.env; touch ../y",
      );
      match(output, /^top\n.*Read-only file system\n$/s);
      equal((await run("touch ../.git/hooks/x")).code === 0, false);
    });
    equal((await git(top, "rev-list", "--count", "HEAD")).trim(), "2");
  });
});

Deno.test(
  { name: "a .git that leads into somebody else's repository opens nothing", ...needsGit },
  async () => {
    await withFolders(async (folders) => {
      const victim = join(folders.home, "victim");
      await Deno.mkdir(victim);
      await git(victim, "init", "-q");
      await Deno.writeTextFile(join(victim, ".git", "secret"), "SECRET\n");
      await Deno.mkdir(join(folders.home, ".ssh"));
      await Deno.writeTextFile(join(folders.home, ".ssh", "HEAD"), "SECRET\n");
      const evil: Record<string, () => Promise<void>> = {
        "a file": () =>
          Deno.writeTextFile(join(folders.workspace, ".git"), `gitdir: ${victim}/.git\n`),
        "a file to keys": () =>
          Deno.writeTextFile(join(folders.workspace, ".git"), `gitdir: ${folders.home}/.ssh\n`),
        "a link": () => Deno.symlink(`${victim}/.git`, join(folders.workspace, ".git")),
        "a common directory": async () => {
          await Deno.mkdir(join(folders.workspace, "own/worktrees/x"), { recursive: true });
          const own = join(folders.workspace, "own/worktrees/x");
          await Deno.writeTextFile(join(own, "HEAD"), "ref: refs/heads/main\n");
          await Deno.writeTextFile(join(own, "commondir"), `${victim}/.git\n`);
          await Deno.writeTextFile(join(own, "gitdir"), `${folders.workspace}/.git\n`);
          await Deno.writeTextFile(join(folders.workspace, ".git"), `gitdir: ${own}\n`);
        },
      };
      for (const [what, make] of Object.entries(evil)) {
        await make();
        await withSandboxIn(folders, async (run) => {
          const { output } = await run(
            `cat ${victim}/.git/* ${folders.home}/.ssh/*; touch ${victim}/.git/pwned`,
          );
          equal(output.includes("SECRET"), false, what);
        });
        equal(
          [...Deno.readDirSync(join(victim, ".git"))].some(({ name }) => name === "pwned"),
          false,
        );
        await Deno.remove(join(folders.workspace, ".git"));
      }
    });
  },
);

Deno.test({
  name: "folders with spaces, quotes, line ends and a leading dash in their names work",
  ...needsGit,
}, async () => {
  await withFolders(async (folders) => {
    const workspace = join(folders.home, "a 'b' \"c\"\n$d `e`", "-- f");
    await Deno.mkdir(workspace, { recursive: true });
    await git(workspace, "init", "-q");
    await Deno.writeTextFile(join(workspace, ".env"), "SECRET\n");
    await withSandboxIn({ ...folders, workspace }, async (run) => {
      const { output } = await run("pwd; cat .env; echo x > x; touch .git/hooks/x; true");
      ok(output.startsWith(`${workspace}\n`), output);
      match(output, /hooks\/x.*Read-only file system/);
    });
    equal(await Deno.readTextFile(join(workspace, "x")), "x\n");
  });
});
