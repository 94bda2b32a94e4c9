/** `harness update` says how, and can say it without a right to anything but reading. */
import { deepStrictEqual as equal, doesNotMatch, match } from "node:assert/strict";
import { join } from "node:path";
import { updateText } from "@/subcommands/update.ts";
import { environment, harness } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;

Deno.test("update prints the command for this copy, and makes no state directory", () =>
  withWorkspace(async (dir) => {
    const ran = await harness(["update"], { program: MAIN, cwd: dir, home: join(dir, "none") });
    equal([ran.code, ran.stderr], [0, ""]);
    match(ran.stdout, /git (-C \S+ )?pull --ff-only/);
    equal([...Deno.readDirSync(dir)], []);
  }));

Deno.test("update needs no network, no program and no right to write", () =>
  withWorkspace(async (dir) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-q",
        "--no-prompt",
        "--no-remote",
        "--allow-read",
        "--allow-env",
        MAIN,
        "update",
      ],
      ...{ cwd: dir, clearEnv: true, env: environment({ home: dir }), stdin: "null" },
    }).output();
    equal([code, new TextDecoder().decode(stderr)], [0, ""]);
  }));

Deno.test("a path that a shell would read otherwise is quoted", () => {
  match(updateText("sources", "/home/a b/it's"), /git -C '\/home\/a b\/it'\\''s' pull/);
});

Deno.test("each way that a copy came here has its own line", () => {
  match(updateText("file", ""), /single file.*\n[^]* task build\n/);
  match(updateText("compiled", ""), / task compile\n/);
  match(updateText("npm", ""), /\n {2}npm install --global \.\/harness-VERSION-npm\.tgz /);
  // Nobody has published it: what a registry has under its name would be somebody else's.
  doesNotMatch(updateText("npm", ""), /npm install[^\n]*@harness/);
});
