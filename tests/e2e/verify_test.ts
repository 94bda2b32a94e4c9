/** The project's own check after a turn, and /tdd, in the real program with a scripted model. */
import { deepStrictEqual as equal, doesNotMatch, match } from "node:assert/strict";
import { join } from "node:path";
import type { FakeApi } from "../support/fake_api.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness, type Ran } from "../support/program.ts";
import { needing } from "../support/sandbox.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { plant } from "../verify/tree.ts";
import { withWorkspace } from "../support/workspace.ts";

const RIGHT = "export const last = (xs: number[], n: number) => xs.slice(xs.length - n);\n";
const WRONG = RIGHT.replace("length - n", "length - n + 1");
const BETTER = RIGHT.replace("xs.slice(xs.length - n)", "n === 0 ? [] : xs.slice(-n)");

const PROJECT = {
  "deno.json": '{"tasks":{"test":"deno test -q --no-check"}}',
  "window.ts": RIGHT,
  "window_test.ts":
    'import { last } from "./window.ts";\nDeno.test("last", () => {\n  const got = last([1, 2, 3], 2);\n  if (`${got}` !== "2,3") throw new Error(`last two are ${got}`);\n});\n',
};

const write = (filepath: string, content: string): ScriptedReply => ({
  calls: [{ name: "write_file", arguments: { filepath, content } }],
});

type World = {
  dir: string;
  api: FakeApi;
  run(...args: string[]): Promise<Ran>;
  read(name: string): Promise<string>;
};

function world(
  script: readonly ScriptedReply[],
  body: (world: World) => Promise<void>,
): Promise<void> {
  return withWorkspace(async (root) => {
    await using api = startFakeOllama(script);
    const [dir, home] = [join(root, "chat"), join(root, "home")];
    await Deno.mkdir(home);
    await plant(dir, PROJECT);
    const options = { cwd: dir, home, env: { OLLAMA_HOST: api.url } };
    const run = (...args: string[]) => harness(["-m", "ollama/m", ...args], options);
    await body({ dir, api, run, read: (name) => Deno.readTextFile(join(dir, name)) });
  });
}

Deno.test({
  name: "an off-by-one fails the check, is fed back, mended, checked again, and undone twice",
  ...await needing("bwrap", "deno"),
  fn: () =>
    world(
      [write("window.ts", WRONG), { text: "Done." }, write("window.ts", BETTER), {
        text: "Mended.",
      }],
      async ({ api, run, read }) => {
        const ran = await run("--auto", "-p", "make it quicker");
        equal([ran.code, ran.stdout], [0, "Mended.\n"], ran.stderr);
        match(
          ran.stderr,
          /auto-verify: deno task test in chat[^]*deno task test failed with exit code 1[^]*auto-verify: deno task test in chat[^]*deno task test passed again/,
        );
        const fed = JSON.stringify(api.bodies[2]);
        match(fed, /After your changes the project's own check fails: deno task test/);
        match(fed, /\\n\| [^"]*last two are 3/);
        equal(await read("window.ts"), BETTER);
        equal((await run("-p", "/undo")).code, 0);
        equal(await read("window.ts"), WRONG);
        equal((await run("-p", "/undo")).code, 0);
        equal(await read("window.ts"), RIGHT);
      },
    ),
});

Deno.test({
  name:
    "a deny rule about the check's command line keeps it from running, and so does /set AUTO_VERIFY off",
  ...await needing("bwrap", "deno"),
  fn: () =>
    world(
      [write("window.ts", WRONG), { text: "Done." }, write("window.ts", BETTER), { text: "Done." }],
      async ({ api, run }) => {
        const denied = await run("--auto", "--deny", "run_cmd(deno *)", "-p", "make it quicker");
        equal([denied.code, denied.stdout, api.bodies.length], [0, "Done.\n", 2]);
        match(denied.stderr, /deno task test is off for this session: it was not run: .*deno \*/);
        equal((await run("-p", "/set AUTO_VERIFY off")).code, 0);
        const off = await run("--auto", "-p", "again");
        equal(off.stdout, "Done.\n");
        doesNotMatch(off.stderr, /auto-verify/);
      },
    ),
});

Deno.test("without a sandbox, and with nobody to ask, the check is left out with a word", () =>
  world([write("window.ts", WRONG), { text: "Done." }], async ({ api, run }) => {
    const allow = ["--sandbox", "off", "--allow", "write_file(*)"];
    const ran = await run(...allow, "-p", "make it quicker");
    equal([ran.stdout, api.bodies.length], ["Done.\n", 2], ran.stderr);
    match(ran.stderr, /deno task test is off for this session: it was not run: nobody is here/);
  }));

Deno.test("/tdd locks the tests for one request and says so up front", () =>
  world(
    [
      {
        calls: [
          { name: "write_file", arguments: { filepath: "window_test.ts", content: "" }, id: "a" },
          { name: "copy_file", arguments: { src: "window.ts", dst: "window_test.ts" }, id: "b" },
          { name: "delete_file", arguments: { filepath: "./window_test.ts" }, id: "c" },
        ],
      },
      { text: "The test is right." },
      write("window_test.ts", "// looser\n"),
      { text: "Done." },
    ],
    async ({ api, run, read }) => {
      const args = ["--auto", "--sandbox", "off", "--set", "AUTO_VERIFY=off"];
      const ran = await run(...args, "--output", "json", "-p", "/tdd make last pass");
      const { calls, answer } = JSON.parse(ran.stdout);
      equal(answer, "The test is right.");
      equal(calls.map(({ verdict, by }: { verdict: string; by: string }) => `${verdict} ${by}`), [
        ...["deny guard", "deny guard", "deny guard"],
      ]);
      match(JSON.stringify(api.bodies[0]), /make last pass.*test files are locked/);
      match(JSON.stringify(api.bodies[1]), /is one of the project's tests, and \/tdd has locked/);
      equal(await read("window_test.ts"), PROJECT["window_test.ts"]);
      await run(...args, "-c", "-p", "now loosen it");
      equal(await read("window_test.ts"), "// looser\n");
    },
  ));

Deno.test("/autoverify says whether it is on, what the project declares and what there is", () =>
  world([], async ({ run }) => {
    const { code, stdout } = await run("-p", "/autoverify");
    equal(code, 0);
    match(stdout, /^auto-verify is on\nThis project declares: deno task test\n/);
    match(stdout, /Cargo\.toml +cargo test --quiet/);
    equal((await run("-p", "/autoverify maybe")).code, 2);
    equal((await run("-p", "/tdd off")).stdout, "No test files were locked\n");
  }));
