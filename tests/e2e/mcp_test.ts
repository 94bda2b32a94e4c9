/** MCP servers through the whole program: rules, questions and denials, with and without a terminal. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { withScript } from "../support/scripted_world.ts";
import type { FakeApi } from "../support/fake_api.ts";
import { fromNpm, SCRIPTED } from "../support/mcp.ts";
import { harness, type Ran } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";

type World = {
  dir: string;
  home: string;
  api: FakeApi;
  run(...args: string[]): Promise<Ran>;
  /** The names of the tools that the model was offered, request by request. */
  offered(): string[][];
};

/** A workspace, and the person's own servers. */
async function world(
  { servers = {}, script, rules }: {
    servers?: Record<string, unknown>;
    script: readonly ScriptedReply[];
    rules?: { allow?: string[]; deny?: string[] };
  },
  body: (world: World) => Promise<void>,
): Promise<void> {
  await withScript(script, async ({ dir, home, api }) => {
    // In the workspace, where the sandbox shows it.
    await Deno.copyFile(SCRIPTED, join(dir, "server.py"));
    await Deno.writeTextFile(join(home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
    if (rules !== undefined) {
      await Deno.writeTextFile(join(home, "permissions.json"), JSON.stringify(rules));
    }
    const run = (...args: string[]) =>
      harness(["-m", "ollama/m", ...args], { cwd: dir, home, env: { OLLAMA_HOST: api.url } });
    const offered = () =>
      api.bodies.map((body) =>
        (body as { tools: { function: { name: string } }[] }).tools.map((tool) =>
          tool.function.name
        )
      );
    await body({ dir, home, api, run, offered });
  });
}

function scripted(options: Record<string, unknown>): Record<string, unknown> {
  return { command: "python3", args: ["-u", "server.py", JSON.stringify(options)] };
}

const add = { name: "add", description: "Adds", inputSchema: { type: "object" } };
const callAdd = { calls: [{ name: "mcp__s__add", arguments: { a: 1 } }] };
const done = { text: "Done." };
/** Long enough for a busy machine. */
const PATIENT = ["--set", "MCP_STARTUP_WAIT=60"];

Deno.test("a call of a server needs a person, a rule or the word of its entry", async () => {
  const servers = { s: scripted({ tools: [add] }) };
  await world({ servers, script: [callAdd, done] }, async ({ run, offered }) => {
    const { code, stdout } = await run("-p", "go", "--output", "json", ...PATIENT);
    const { calls } = JSON.parse(stdout);
    equal([code, calls[0].verdict, calls[0].by, calls[0].status], [4, "deny", "nobody", "denied"]);
    ok(offered()[0]?.includes("mcp__s__add"));
  });
  const rules = { allow: ["mcp__s__*"] };
  await world({ servers, rules, script: [callAdd, done] }, async ({ run, api }) => {
    const { code, stdout } = await run("-p", "go", "--output", "json", ...PATIENT);
    const { calls } = JSON.parse(stdout);
    equal([code, calls[0].by, calls[0].status], [0, "rule", "ok"]);
    match(JSON.stringify(api.bodies[1]), /add called with/);
  });
  const trusted = { s: { ...servers.s, trust: true } };
  const deny = { deny: ["mcp__s__add"] };
  await world({ servers: trusted, rules: deny, script: [callAdd, done] }, async ({ run }) => {
    const { stdout } = await run("-p", "go", "--output", "json", ...PATIENT);
    equal(JSON.parse(stdout).calls[0].verdict, "deny", "a rule that denies comes first");
  });
});

Deno.test("harness mcp ls lists a profile's tools under the names that rules are written for", () =>
  world({ servers: { own: scripted({ tools: [add] }) }, script: [] }, async ({ dir, home }) => {
    const profile = join(home, "keeper");
    await Deno.mkdir(profile);
    const toml =
      `[[servers]]\nname = "notes"\ncommand = "python3"\nargs = ["-u", "server.py", '{"count": 1}']\n`;
    await Deno.writeTextFile(join(profile, "mcp.toml"), toml);
    const listed = await harness(["mcp", "ls", profile], { cwd: dir, home });
    equal([listed.code, listed.stderr], [0, ""]);
    match(
      listed.stdout,
      /^notes:\n {2}mcp__notes__browser_do_0 {2}Does 0\nown:\n {2}mcp__own__add {2}Adds\n$/,
    );
    const stood = await harness(["mcp", "list", "--profile", profile], { cwd: dir, home });
    match(stood.stdout, /^notes: attached, /);
    const wrong = await harness(["mcp", "ls", "nobody"], { cwd: dir, home });
    equal(wrong.code === 0, false);
    match(wrong.stderr, /"nobody"/);
    const twice = await harness(["mcp", "ls", profile, "--profile", profile], { cwd: dir, home });
    equal([twice.code, twice.stdout], [2, ""]);
    match(twice.stderr, /named twice/);
  }));

Deno.test("a tool of a real server is called in the program", async () => {
  const echo = { calls: [{ name: "mcp__everything__echo", arguments: { message: "hello" } }] };
  const servers = { everything: { ...fromNpm("everything", "stdio"), sandbox: false } };
  await world({
    servers,
    rules: { allow: ["mcp__everything__echo"] },
    script: [echo, done],
  }, async ({ run, api }) => {
    const { code, stderr } = await run("-p", "go", ...PATIENT);
    equal(code, 0, stderr);
    match(JSON.stringify(api.bodies[1]), /Echo: hello/);
  });
});
