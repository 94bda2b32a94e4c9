/** Connecting providers as a person does it: from the shell, in a conversation, with keys that are never shown. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { startFakeChat } from "../support/fake_openai_chat.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness } from "../support/program.ts";
import { terminal } from "../support/tmux.ts";
import { withWorkspace } from "../support/workspace.ts";

const HELLO = { text: "Hello there." };
const KEY = "sk-ant-test-0123456789";

async function world(body: (at: { dir: string; home: string }) => Promise<void>): Promise<void> {
  await withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await body({ dir, home });
  });
}

Deno.test("connect keeps provider and model for later runs, without accepted terms", () =>
  world(async ({ dir, home }) => {
    await using api = startFakeOllama([HELLO], {
      models: {
        "m:8b": { capabilities: ["completion", "tools"] },
        "n:3b": { parameterSize: "3.1B" },
      },
    });
    const options = { cwd: dir, home, env: { OLLAMA_HOST: api.url } };
    const unaccepted = { ...options, env: { ...options.env, HARNESS_ACCEPT_TERMS: "0" } };
    const connected = await harness(["connect", "ollama", "m:8b"], unaccepted);
    equal([connected.code, connected.stdout], [0, "Connected to Ollama, m:8b (native protocol)\n"]);
    equal((await harness(["-p", "hi"], options)).stdout, "Hello there.\n");
    match(
      (await harness(["connect", "status"], options)).stdout,
      /^\* ollama +m:8b; native protocol; http/m,
    );
    const status = ["connect", "status"];
    await harness(["set", "NATIVE_TOOLS", "off"], options);
    match((await harness(status, options)).stdout, /^\* ollama +m:8b; text protocol; http/m);
    await harness(["set", "NATIVE_TOOLS", "on"], options);
    match(
      (await harness(["connect", "ollama", "n:3b"], options)).stdout,
      /below the floor \(3\.1B\)/,
    );
    match((await harness(["-p", "/models"], options)).stdout, /^ {2}m:8b\b/m);
    const said = async (text: string) => (await harness(["-p", text], options)).stdout;
    match(await said("/model m:8b"), /^Connected to Ollama, m:8b /);
    match(await said("/model demo/tour"), /tour/);
    match((await harness(status, options)).stdout, /^\* demo +tour/m);
  }));

Deno.test("connect takes a key from a pipe, keeps it at 0600, never shows it, and forgets it", () =>
  world(async ({ dir, home }) => {
    await using api = startFakeAnthropic([HELLO]);
    const options = { cwd: dir, home };
    const args = ["connect", "anthropic", "claude-test", "--base-url", api.url];
    // A server of one's own may want no key, so one that is given is asked for only at the provider's own address.
    const connected = await harness(args, { ...options, env: { ANTHROPIC_API_KEY: KEY } });
    equal(connected.code, 0, connected.stderr);
    ok(!(connected.stdout + connected.stderr).includes(KEY));
    const file = join(home, "providers.json");
    equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
    const missing = await harness(["connect", "openai", "gpt-x", "--offline"], options);
    equal([missing.code, missing.stdout], [1, ""]);
    match(missing.stderr, /OpenAI needs a key: set OPENAI_API_KEY/);
    const offline = await harness(["connect", "openai", "gpt-x", "--offline"], {
      ...options,
      stdin: `${KEY}\n`,
    });
    equal(offline.code, 1);
    ok(
      !offline.stderr.includes(KEY) && !Deno.readTextFileSync(file).includes(KEY),
      "a key that was not accepted is not kept",
    );
  }));

Deno.test("connect asks for the key that a server of the person's own turns out to want", () =>
  world(async ({ dir, home }) => {
    await using api = startFakeChat([HELLO], { key: KEY, models: [{ id: "m" }], guardsList: true });
    const options = { cwd: dir, home, stdin: `${KEY}\n` };
    const args = ["connect", "openai", "m", "--base-url", `${api.url}/v1`];
    const connected = await harness(args, options);
    equal([connected.code, connected.stderr], [0, ""]);
    ok(!connected.stdout.includes(KEY));
    equal((await harness(["-p", "hi"], { cwd: dir, home })).stdout, "Hello there.\n");
    await harness(["connect", "forget", "openai"], options);
    const refused = await harness(args, { ...options, stdin: "" });
    equal(refused.code, 1);
    match(refused.stderr, /wants a key and none is set/);
  }));

Deno.test("connect forget deletes a saved key only, and says what the shell still sets", () =>
  world(async ({ dir, home }) => {
    await Deno.mkdir(home, { recursive: true });
    const file = join(home, "providers.json");
    await Deno.writeTextFile(
      file,
      JSON.stringify({ active: "openai", providers: { openai: { api_key: KEY, model: "gpt-x" } } }),
      { mode: 0o600 },
    );
    const options = { cwd: dir, home };
    match(
      (await harness(["connect", "status"], options)).stdout,
      /openai +gpt-x; .*key from .*providers\.json/,
    );
    const ran = await harness(["connect", "forget", "openai"], {
      ...options,
      env: { OPENAI_API_KEY: "other" },
    });
    match(ran.stdout, /deleted\nOPENAI_API_KEY is still set/);
    equal(JSON.parse(Deno.readTextFileSync(file)), {
      active: "openai",
      providers: { openai: { model: "gpt-x" } },
    });
    equal((await harness(["connect", "nope"], options)).code, 2);
  }));

Deno.test("/connect in a conversation asks for provider and model, and the next turn goes there", () =>
  world(async ({ dir, home }) => {
    await using api = startFakeOllama([HELLO], { models: { "m:8b": {} } });
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "demo/tour"],
      env: { OLLAMA_HOST: api.url },
    });
    await screen.until(/^> *$/m);
    await screen.type("/connect");
    await screen.keys("Enter");
    await screen.until(/Connect which provider\?[\s\S]*1 = ollama/);
    await screen.keys("1", "Enter");
    await screen.until(/Which model of Ollama\?[\s\S]*1 = m:8b/);
    await screen.keys("1", "Enter");
    await screen.until(/Connected to Ollama, m:8b/);
    await screen.type("hi");
    await screen.keys("Enter");
    await screen.until(/Hello there\./);
  }));

Deno.test("/connect takes a key that is not shown while it is typed", () =>
  world(async ({ dir, home }) => {
    await using screen = await terminal({
      cwd: dir,
      home,
      args: ["--plain", "-m", "demo/tour", "--offline"],
    });
    await screen.until(/^> *$/m);
    await screen.type("/connect openai gpt-x");
    await screen.keys("Enter");
    await screen.until(/Key for OpenAI \(it is not shown\):/);
    await screen.type(KEY);
    await screen.keys("Enter");
    const seen = await screen.until(/error:/);
    ok(!seen.includes(KEY));
    await screen.type("/help");
    await screen.keys("Enter");
    await screen.until(/\/exit, \/quit/);
  }));
