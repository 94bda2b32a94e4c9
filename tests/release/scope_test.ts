/** Where the launcher lets the program write, and what Deno makes of it. */
import { deepStrictEqual as equal } from "node:assert";
import { join } from "node:path";
import { writeProgram } from "../support/program_file.ts";
import { probeFile, started } from "../support/single_file.ts";
import { withWorkspace } from "../support/workspace.ts";

const ignore = Deno.build.os === "windows";

type Folders = { root: string; file: string; home: string; ws: string };

/** The probe file beside a workspace; `write` gives what the program may write, without the temporary directories. */
async function withFolders(
  body: (
    folders: Folders,
    write: (args: readonly string[], env?: Record<string, string>, cwd?: string) => Promise<
      readonly string[] | "everything"
    >,
  ) => Promise<void>,
): Promise<void> {
  await withWorkspace(async (dir) => {
    const root = await Deno.realPath(dir);
    const [file, home, ws] = ["program", "home", "ws"].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [home, ws]) await Deno.mkdir(path);
    await writeProgram(file, probeFile());
    await body({ root, file, home, ws }, async (args, env = {}, cwd = ws) => {
      const { stdout, stderr } = await started([file, ...args], {
        env: { HOME: home, XDG_CACHE_HOME: join(root, "cache"), ...env },
        cwd,
      });
      equal(stderr, "");
      const flag = stdout.split("\0").find((word) => word.startsWith("--allow-write"));
      if (flag === "--allow-write") return "everything";
      const paths = flag?.slice("--allow-write=".length).split(",") ?? [];
      const temporary = ["/tmp", "/var/tmp"];
      return [...new Set(paths.filter((path) => !temporary.includes(path)))];
    });
  });
}

Deno.test(
  "the program may write to its workspace, state and temporary directories",
  { ignore },
  () =>
    withFolders(async ({ root, home, ws }, write) => {
      const state = join(home, ".harness");
      equal(await write([]), [ws, state]);
      equal(await write(["-p", "a b", "*"]), [ws, state]);
      const [own, two] = [join(root, "own"), join(root, "a b")];
      await Deno.mkdir(own);
      await Deno.mkdir(two);
      await Deno.symlink(own, join(root, "link"));
      equal(await write(["--cwd", "../own"]), [own, state]);
      equal(await write([`--cwd=${own}`, "--add-dir", two, "--add-dir=../home"]), [
        ...[two, home, own, state],
      ]);
      equal(await write([], {}, join(root, "link")), [own, state], "by its real path");
      equal(
        await write(["--cwd", "../none", "--add-dir"]),
        [state],
        "which the program then refuses",
      );
      equal(await write([], { CDPATH: root }), [ws, state]);
      equal(await write([], { TMPDIR: own }), [ws, state, own]);
      equal(await write([], { HARNESS_HOME: "../own" }), "everything", "not by a path with ..");
      equal(await write([], { HARNESS_HOME: "inside" }), [ws, join(ws, "inside")]);
      equal(await write([], { HARNESS_HOME: "~/other" }), [ws, join(home, "other")]);
      equal(await write([], { HARNESS_HOME: join(root, "link") }), [ws, join(root, "link"), own]);
    }),
);

Deno.test(
  "a comma in a path, and what is started anywhere, may write everywhere",
  { ignore },
  () =>
    withFolders(async ({ root, home, ws }, write) => {
      const comma = join(root, "a,b");
      await Deno.mkdir(comma);
      equal(await write([], {}, comma), "everything");
      equal(await write(["--add-dir", comma]), "everything");
      equal(await write(["acp"]), "everything");
      equal(await write(["update"]), [ws, join(home, ".harness")]);
    }),
);

Deno.test(
  "the program may write to the repository around it, and to no place that only calls itself one",
  { ignore },
  () =>
    withFolders(async ({ root, home, ws }, write) => {
      const state = join(home, ".harness");
      const git = async (...args: readonly string[]) => {
        const who = ["-c", "user.name=a", "-c", "user.email=a@b"];
        const { success } = await new Deno.Command("git", { args: ["-C", ws, ...who, ...args] })
          .output();
        equal(success, true);
      };
      await git("init", "-q");
      await git("commit", "-q", "--allow-empty", "-m", "first");
      await git("worktree", "add", "-q", join(root, "tree"));
      await Deno.mkdir(join(ws, "deep", "er"), { recursive: true });
      equal(await write([]), [ws, join(ws, ".git"), state]);
      equal(await write([], {}, join(ws, "deep/er")), [
        join(ws, "deep/er"),
        join(ws, ".git"),
        state,
      ]);
      const parts = [join(ws, ".git/worktrees/tree"), join(ws, ".git")];
      equal(await write([], {}, join(root, "tree")), [join(root, "tree"), ...parts, state]);
      const fake = join(root, "fake");
      await Deno.mkdir(fake);
      for (const line of ["gitdir: /", "gitdir: ../home", "gitdir: /etc\n", "nothing", ""]) {
        await Deno.writeTextFile(join(fake, ".git"), line);
        equal(await write([], {}, fake), [fake, state], line);
      }
    }),
);

Deno.test("a list is held by Deno, and what is given up stays given up", { ignore }, async () => {
  await withWorkspace(async (dir) => {
    for (const name of ["ws", "state", "out"]) await Deno.mkdir(join(dir, name));
    const script = join(dir, "script.ts");
    const url = new URL("../../src/lib/write_scope.ts", import.meta.url).href;
    await Deno.writeTextFile(
      script,
      `import { isWriteScoped, revokeWriting } from ${JSON.stringify(url)};
const [dir, keep] = Deno.args;
const can = (name: string) => {
  try { Deno.writeTextFileSync(dir + "/" + name + "/x", ""); return true; } catch { return false; }
};
const tried = () => ["ws", "state", "out"].map(can);
const before = [isWriteScoped(), ...tried()];
revokeWriting([dir + "/ws"], [dir + "/" + keep]);
console.log(JSON.stringify([before, tried()]));
`,
    );
    const run = async (flag: string, keep: string) => {
      const config = new URL("../../deno.json", import.meta.url).pathname;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-q", "--no-prompt", "--no-check", "--config", config, "--allow-read", flag],
          ...[script, dir, keep],
        ],
      }).output();
      return JSON.parse(new TextDecoder().decode(stdout));
    };
    const list = `--allow-write=${dir}/ws,${dir}/state`;
    equal(await run(list, "state"), [[true, true, true, false], [false, true, false]]);
    equal(await run(list, "ws"), [[true, true, true, false], [true, true, false]]);
    equal(await run("--allow-write", "state"), [[false, true, true, true], [true, true, true]]);
  });
});
