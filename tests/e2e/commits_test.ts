/** Edits in a real repository: each a commit, undone and brought back by later runs, with the person's work untouched. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { personGit } from "../support/git.ts";
import { withProcesses } from "../support/processes.ts";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

type Line = { type: string; tool?: string; commit?: string };

Deno.test("each edit is a commit before anything looks at the repository; /undo and /redo go with the branch", () =>
  withWorkspace((root) =>
    withProcesses(async (processes) => {
      const [dir, home] = [join(root, "ws"), join(root, "home")];
      await Deno.mkdir(dir);
      const git = (...args: string[]) => personGit(processes, dir, ...args);
      const put = (text: string) => Deno.writeTextFile(join(dir, "own.txt"), text);
      await git("init", "-q");
      await put("first\n");
      await git("add", ".");
      await git("commit", "-q", "-m", "first");
      await put("staged\n");
      await git("add", ".");
      await put("unstaged\n");
      await Deno.writeTextFile(join(dir, "loose.txt"), "loose\n");
      const own = async () =>
        await Promise.all([git("diff"), git("diff", "--cached"), git("status", "--porcelain")]);
      const log = async () => (await git("log", "--format=%s")).trim().split("\n");
      const before = await own();

      const options = { cwd: dir, home };
      const asked = ["-m", "demo/tour", "-p", "show me around", "--auto", "--output", "jsonl"];
      const ran = await harness(asked, options);
      const lines = ran.stdout.trim().split("\n").map((line) => JSON.parse(line) as Line);
      const edits = lines.filter(({ type }) => type === "edit");
      const made = ["ai(edit_file): harness-tour.md", "ai(write_file): harness-tour.md"];
      equal(await log(), [...made, "first"]);
      equal(
        edits.map(({ commit }) => commit),
        (await git("log", "--format=%H", "--reverse", "-2")).trim().split("\n"),
      );
      equal(lines.at(-1)?.type, "result");
      equal(await own(), before);

      const { stdout } = await harness(["-p", "/autocommit"], options);
      match(
        stdout,
        /committed: on\n[0-9a-f]{7} {2}ai\(edit_file\): harness-tour\.md\n[0-9a-f]{7} /,
      );
      const said = async (line: string) => (await harness(["-p", line], options)).stdout;
      match(
        await said("/undo list"),
        /^2 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}edit_file {2}harness-tour\.md {2}[0-9a-f]{7} {2}\(session .*\n1 {2}/,
      );
      match(await said("/undo show"), /^ai\(edit_file\): harness-tour\.md\n/);
      match(await said("/undo show 1"), /^ai\(write_file\): harness-tour\.md\n/);
      equal((await harness(["-p", "/undo"], options)).code, 0);
      equal(await log(), [...made.slice(1), "first"]);
      equal((await harness(["-p", "/undo"], options)).code, 0);
      equal(await log(), ["first"]);
      equal(await own(), before);
      equal((await harness(["-p", "/redo"], options)).code, 0);
      equal(await log(), [...made.slice(1), "first"]);
      equal(await own(), before);
    })
  ));
