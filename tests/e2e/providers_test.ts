/** One session over several providers and processes: the history goes along, and the prefix stays the same bytes. */
import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeAnthropic } from "../support/fake_anthropic.ts";
import { startFakeGemini } from "../support/fake_gemini.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { startFakeChat } from "../support/fake_openai_chat.ts";
import { harness } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { withWorkspace } from "../support/workspace.ts";

type OllamaBody = { messages: unknown[]; tools: unknown[] };
type AnthropicBody = { system: unknown; messages: unknown[]; tools: unknown[] };

const LIST: ScriptedReply = {
  text: "I look.",
  calls: [{ name: "list_dir", arguments: { dirpath: "." } }],
};

async function world(body: (at: { dir: string; home: string }) => Promise<void>): Promise<void> {
  await withWorkspace(async (root) => {
    const [dir, home] = [join(root, "ws"), join(root, "home")];
    await Deno.mkdir(dir);
    await body({ dir, home });
  });
}

/** A body without cache marks, which move by design. */
function unmarked(value: unknown): string {
  return JSON.stringify(
    value,
    (key, inner: unknown) => key === "cache_control" ? undefined : inner,
  );
}

Deno.test("the prefix of a request is the same bytes from request to request, across processes and after resume", () =>
  world(async ({ dir, home }) => {
    await using api = startFakeOllama([LIST, { text: "Empty." }, LIST, { text: "Still empty." }]);
    const options = { cwd: dir, home, env: { OLLAMA_HOST: api.url } };
    equal((await harness(["-m", "ollama/m", "-p", "what is here?"], options)).code, 0);
    equal((await harness(["-c", "-p", "and now?"], options)).code, 0);
    const bodies = api.bodies as OllamaBody[];
    equal(bodies.length, 4);
    for (let at = 1; at < bodies.length; at += 1) {
      const [before, after] = [bodies[at - 1], bodies[at]];
      ok(before !== undefined && after !== undefined);
      equal(JSON.stringify(after.tools), JSON.stringify(before.tools));
      const prefix = after.messages.slice(0, before.messages.length);
      equal(JSON.stringify(prefix), JSON.stringify(before.messages));
    }
  }));

Deno.test("a session started on one provider goes on on another and back, every call answered", () =>
  world(async ({ dir, home }) => {
    await using ollama = startFakeOllama([LIST, { text: "Empty." }, { text: "Back again." }]);
    await using anthropic = startFakeAnthropic([
      { thinking: "hm", ...LIST },
      { text: "Nothing new." },
    ]);
    const env = {
      OLLAMA_HOST: ollama.url,
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: "k",
    };
    const options = { cwd: dir, home, env };
    equal((await harness(["-m", "ollama/m", "-p", "one"], options)).stdout, "Empty.\n");
    const second = await harness(["-c", "-m", "anthropic/claude-test", "-p", "two"], options);
    equal([second.code, second.stdout], [0, "Nothing new.\n"], second.stderr);
    const third = await harness(["-c", "-m", "ollama/m", "-p", "three"], options);
    equal([third.code, third.stdout], [0, "Back again.\n"], third.stderr);
    const last = ollama.bodies.at(-1) as OllamaBody;
    const users = JSON.stringify(last.messages);
    ok(["one", "two", "three", "Nothing new."].every((text) => users.includes(text)));
    ok(!users.includes("signature"), "what is private to Anthropic does not travel");
    const [first, next] = anthropic.bodies as AnthropicBody[];
    ok(first !== undefined && next !== undefined);
    equal(unmarked(next.messages.slice(0, first.messages.length)), unmarked(first.messages));
    equal(unmarked([next.system, next.tools]), unmarked([first.system, first.tools]));
  }));

Deno.test("a reopened session goes on with the model it was last answered by", () =>
  world(async ({ dir, home }) => {
    await using ollama = startFakeOllama([{ text: "A." }, { text: "B." }]);
    const options = { cwd: dir, home, env: { OLLAMA_HOST: ollama.url } };
    await harness(["-m", "ollama/special:7b", "-p", "one"], options);
    const ran = await harness(["-c", "-p", "two", "--output", "json"], options);
    equal((JSON.parse(ran.stdout) as { model: string }).model, "ollama/special:7b");
  }));

Deno.test("NATIVE_TOOLS off forces the text protocol on a model that has calls of its own", () =>
  world(async ({ dir, home }) => {
    await using ollama = startFakeOllama([
      { text: '<tool_call>{"name": "list_dir", "arguments": {"dirpath": "."}}</tool_call>' },
      { text: "Empty." },
    ]);
    const ran = await harness(["-m", "ollama/m", "-p", "look", "--set", "NATIVE_TOOLS=off"], {
      cwd: dir,
      home,
      env: { OLLAMA_HOST: ollama.url },
    });
    equal([ran.code, ran.stdout], [0, "Empty.\n"]);
    const body = ollama.bodies[0] as Partial<OllamaBody>;
    equal(body.tools ?? [], []);
  }));

const THINKING = ["-m", "anthropic/claude-opus-4-7", "--set", "THINKING=adaptive"];

Deno.test("a signed thought survives disk and resume byte for byte", () =>
  world(async ({ dir, home }) => {
    const thinking = "first, look\n\u2028then 한글 \u00e9";
    await using anthropic = startFakeAnthropic([{ thinking, ...LIST }, { text: "Ok." }, {
      text: "Yes.",
    }]);
    const env = { ANTHROPIC_BASE_URL: anthropic.url, ANTHROPIC_API_KEY: "k" };
    await harness([...THINKING, "-p", "one"], { cwd: dir, home, env });
    await harness([...THINKING, "-c", "-p", "two"], { cwd: dir, home, env });
    const bodies = anthropic.bodies as AnthropicBody[];
    const thoughts = bodies.slice(1).map(({ messages }) =>
      /\{"type":"thinking"[^}]*\}/.exec(unmarked(messages))?.[0]
    );
    ok(thoughts[0] !== undefined && thoughts[0].includes("signature"));
    equal(thoughts[1], thoughts[0]);
  }));

Deno.test("README's lines for each provider reach it, by its variables or --base-url", () =>
  world(async ({ dir, home }) => {
    const script = [{ text: "Reached." }];
    await using ollama = startFakeOllama(script);
    await using anthropic = startFakeAnthropic(script);
    await using openai = startFakeChat(script);
    await using gemini = startFakeGemini(script);
    await using own = startFakeChat(script);
    const lines: readonly (readonly [string[], Record<string, string>])[] = [
      [["-m", "ollama/m"], { OLLAMA_HOST: ollama.url }],
      [["-m", "anthropic/m"], { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: anthropic.url }],
      [["-m", "openai/m"], { OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${openai.url}/v1` }],
      [["-m", "gemini/m"], { GEMINI_API_KEY: "k", GEMINI_BASE_URL: gemini.url }],
      [["-m", "openai/m", "--base-url", `${own.url}/v1`], {}],
    ];
    for (const [args, env] of lines) {
      const { code, stdout, stderr } = await harness([...args, "-p", "hi"], {
        cwd: dir,
        home,
        env,
      });
      equal([code, stdout], [0, "Reached.\n"], `${args.join(" ")}: ${stderr}`);
    }
  }));
