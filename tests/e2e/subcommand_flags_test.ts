/** A subcommand takes the options that mean something to it: one that is taken and ignored is a promise broken. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

Deno.test("a subcommand refuses an option that it would ignore", () =>
  withWorkspace(async (dir) => {
    const ignored = [
      ["set", "--cwd", dir],
      ["demo", "--model", "ollama/m"],
      ["policy", "check", "read_file(a)", "--resume", "x"],
    ];
    for (const args of ignored) {
      const ran = await harness(args, { cwd: dir, home: dir });
      equal([args, ran.code, ran.stdout], [args, 2, ""]);
      match(ran.stderr, /No flag registered for --/);
    }
  }));

Deno.test("policy check asks under the rules that stand beside it", () =>
  withWorkspace(async (root) => {
    const dir = join(root, "ws");
    await Deno.mkdir(dir);
    const check = (...flags: string[]) =>
      harness(["policy", "check", "write_file(a.ts)", ...flags], {
        cwd: dir,
        home: join(root, "h"),
      });
    match((await check()).stdout, /^ask/);
    match((await check("--deny", "write_file")).stdout, /^deny/);
    match((await check("--plan")).stdout, /^deny/);
  }));
