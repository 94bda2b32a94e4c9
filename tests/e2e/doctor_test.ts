import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { needing } from "../support/sandbox.ts";
import { withWorkspace } from "../support/workspace.ts";

const needs = await needing("git");

type Folders = { dir: string; cwd: string; home: string };

async function withFolders(body: (folders: Folders) => Promise<void>): Promise<void> {
  await withWorkspace(async (dir) => {
    for (const name of ["home", "state", "project"]) await Deno.mkdir(join(dir, name));
    await Deno.chmod(join(dir, "state"), 0o700);
    await body({ dir, cwd: join(dir, "project"), home: join(dir, "state") });
  });
}

Deno.test({
  name: "harness doctor says what holds and what is there, without accepted terms",
  ...needs,
}, async () => {
  await withFolders(async ({ dir, cwd, home }) => {
    await using api = startFakeOllama(() => ({ text: "" }), { models: { "gemma4:e4b": {} } });
    await Deno.writeTextFile(join(cwd, ".mcp.json"), '{"mcpServers":{"x":{"command":"y"}}}');
    const env = {
      HOME: join(dir, "home"),
      OLLAMA_HOST: api.url,
      HARNESS_ACCEPT_TERMS: "",
      TERM: "xterm",
    };
    const { code, stdout, stderr } = await harness(["doctor"], { cwd, home, env });
    equal({ code, stderr }, { code: 0, stderr: "" });
    match(stdout, /^harness \d\S*, Deno 2\.\S+ \(\/.*\), linux /);
    match(
      stdout,
      /^ {2}network +(only hosts that you allowed|none: ).*\[namespace, proxy\]$/m,
    );
    match(stdout, /^ {2}signals: the last line's end, the kernel \(\/proc\), idle CPU, silence$/m);
    match(stdout, /^ {2}prompt +seen to wait \(by its last line\), /m);
    match(stdout, /^ {2}question and line end +seen to wait \(the kernel says that it reads\), /m);
    match(stdout, /without \/proc, as on macOS:[^]*question and line end +seen to wait \(by /);
    for (
      const name of ["silent sleep +waited out", "busy loop +waited out", "runaway +ended when"]
    ) {
      equal(stdout.match(new RegExp(`^ {2}${name}`, "gm"))?.length, 2, name);
    }
    match(stdout, /^State in .*\n {2}writable, for you alone \(0700\)$/m);
    match(stdout, /^Project .*\n {2}does nothing until you trust it \(\/trust\): \.mcp\.json$/m);
    match(stdout, /^ {2}git +\d+\.\d+\S* +\/\S+$/m);
    match(stdout, /^ {2}bwrap +\d+\.\d+\S* +\/\S+$/m);
    match(stdout, /no terminal: a run is one turn here\n {2}TERM xterm, locale C\.UTF-8$/m);
    match(stdout, /^Ollama at http:\/\/127.*\n {2}answers; 1 models?, gemma4:e4b among them$/m);
    equal([...Deno.readDirSync(home)].map(({ name }) => name), [], "it leaves nothing behind");
  });
});

// Without programs on PATH there is little to wait for in the commands that it tries.

Deno.test(
  {
    name:
      "harness doctor says that nothing holds commands, who may read keys, what acts on Deno, where it is so",
    ...needs,
  },
  async () => {
    await withFolders(async ({ dir, cwd, home }) => {
      await Deno.writeTextFile(join(home, "providers.json"), "{}", { mode: 0o644 });
      await Deno.chmod(home, 0o755);
      const env = {
        HOME: join(dir, "home"),
        PATH: join(dir, "none"),
        NODE_OPTIONS: "--max-old-space-size=4096",
      };
      const { code, stdout } = await harness(["doctor"], { cwd, home, env });
      equal(code, 0);
      match(
        stdout,
        /^ {2}commands +run with your rights: bubblewrap \(bwrap\) is not installed.*\[nothing\]$/m,
      );
      match(stdout, /^ {2}git +not found: no git_status/m);
      match(stdout, /^ {2}bwrap +not found: no sandbox/m);
      match(stdout, /^Ollama at .*\n {2}\S/m);
      match(stdout, /writable, and others may look into it \(0755\); chmod 700 would end that/);
      match(stdout, /providers\.json holds keys and others may read it; chmod 600/);
      match(stdout, /^ {2}NODE_OPTIONS of your shell acts on harness itself: /m);
    });
  },
);

Deno.test("harness doctor fails where state cannot be kept, and still says the rest", async () => {
  await withFolders(async ({ dir, cwd }) => {
    const home = join(dir, "file");
    await Deno.writeTextFile(home, "");
    const env = {
      HOME: join(dir, "home"),
      PATH: join(dir, "none"),
      HARNESS_PERSON_NODE_OPTIONS: "--max-old-space-size=4096",
    };
    const { code, stdout } = await harness(["doctor"], { cwd, home, env });
    equal(code, 1);
    match(stdout, /^State in .*\n {2}Cannot keep sessions and settings in /m);
    match(stdout, /^Programs$/m);
    match(stdout, /^ {2}nothing of your shell's variables acts on the Deno below it$/m);
  });
});
