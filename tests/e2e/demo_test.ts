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
