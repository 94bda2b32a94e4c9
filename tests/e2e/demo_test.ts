/** The built-in demo: scripted, but everything it does is real. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("demo/tour lists, searches, reads, writes, edits by anchor and reports, and /undo takes the edit back", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.writeTextFile(join(dir, "README.md"), "# A project\n\nTODO: everything\n");
    const options = { cwd: dir, home };
    const ran = await harness([
      "-m",
      "demo/tour",
      "-p",
      "show me around",
      "--auto",
      "--output",
      "json",
    ], options);
    const { exitCode, calls, answer } = JSON.parse(ran.stdout) as {
      exitCode: number;
      calls: { name: string; status: string }[];
      answer: string;
    };
    equal(exitCode, 0);
    equal(calls.map(({ name, status }) => [name, status]), [
      ["list_dir", "ok"],
      ["search_in_file", "ok"],
      ["read_file", "ok"],
      ["write_file", "ok"],
      ["read_file", "ok"],
      ["edit_file", "ok"],
    ]);
    match(answer, /scripted/);
    const note = join(dir, "harness-tour.md");
    match(Deno.readTextFileSync(note), /- \[x\] edited by anchor/);
    equal((await harness(["-p", "/undo"], options)).code, 0);
    match(Deno.readTextFileSync(note), /- \[ \] edited by anchor/);
    equal((await harness(["-p", "/undo"], options)).code, 0);
    equal([...Deno.readDirSync(dir)].map(({ name }) => name), ["README.md"]);
  }));

Deno.test("demo/tour changes nothing where nobody can say yes", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    const ran = await harness(["-m", "demo/tour", "-p", "show me around"], { cwd: dir, home });
    equal([ran.code, [...Deno.readDirSync(dir)].length], [4, 0]);
  }));

Deno.test("the demo answers what is in the folder from the real listing", () =>
  withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await Deno.writeTextFile(join(dir, "only.txt"), "x");
    const ran = await harness(["-m", "demo/tour", "-p", "What is in this folder?"], {
      cwd: dir,
      home,
    });
    match(ran.stdout, /holds 1 entr.*only\.txt/);
  }));

Deno.test("harness demo mends its program, takes the edit back, brings it again, and leaves nothing behind", () =>
  withWorkspace(async (root) => {
    const temp = join(root, "tmp");
    await Deno.mkdir(temp);
    const ran = await harness(["demo"], {
      cwd: root,
      home: join(root, "home"),
      env: { TMPDIR: temp },
    });
    equal(ran.code, 0, ran.stderr);
    ok(
      /edited window\.py/.test(ran.stdout) && /Took back/.test(ran.stdout) &&
        /Brought back/.test(ran.stdout),
    );
    equal([...Deno.readDirSync(temp)].length, 0);
  }));

Deno.test("harness demo policy: the supervisor's rules decide real calls, a sub-agent mends, and it can be reopened", () =>
  withWorkspace(async (root) => {
    const options = { cwd: root, home: join(root, "home") };
    const ran = await harness(["demo", "policy"], options);
    equal(ran.code, 0, ran.stderr);
    const report = ran.stdout.split("What became of each call:\n")[1]?.split("\n\n")[0] ?? "";
    const became = report.split("\n").map((row) => row.replace(/^- (\w+) .*: (\w+)$/, "$1 $2"));
    equal(became, [
      ...["list_dir ok", "read_file ok", "search_in_file ok", "run_cmd ok", "write_file ok"],
      ...["write_file denied", "run_cmd denied", "read_file denied", "delete_file ok"],
      ...["spawn_agent ok", "read_file ok"],
    ]);
    const questions = ran.stdout.split("\n").filter((line) => line.startsWith("question: "));
    equal(questions.map((line) => /\((sub-agent)?/.exec(line)?.[1] ?? "supervisor"), [
      ...["supervisor", "supervisor", "sub-agent", "sub-agent", "sub-agent"],
    ]);
    match(ran.stdout, /deny +write_file +\(supervisor\/policy\.toml:\d+\)/);
    const [saved] = [...Deno.readDirSync(join(root, "home/demo/policy"))]
      .filter(({ name }) => name.endsWith(".jsonl"));
    const again = await harness(["demo", "policy", "-c"], options);
    equal(again.code, 0, again.stderr);
    const records = Deno.readTextFileSync(join(root, "home/demo/policy", saved?.name ?? ""));
    equal(records.match(/"type":"turn_start"/g)?.length, 2);
    match((await harness(["demo", "repair", "-c"], options)).stderr, /No session of this demo/);
    equal((await harness(["demo", "polcy"], options)).code, 2);
  }));
