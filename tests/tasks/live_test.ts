/** `deno task live` against scripted servers: what a good model and a talker get, and what is said where none is. */
import { deepStrictEqual as equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { environment, FLAGS } from "../support/program.ts";
import type { ScriptedReply } from "../support/scripted_reply.ts";
import { withWorkspace } from "../support/workspace.ts";

const TASK = fileURLToPath(new URL("../../tasks/live.ts", import.meta.url));
const NOBODY = "http://127.0.0.1:1";

/** Where this run of the tests has the program; absent: its sources. */
const BUILT = Deno.env.get("HARNESS_PROGRAM") ?? "";

async function live(host: string, ...models: string[]): Promise<{ code: number; said: string }> {
  let ran = { code: -1, said: "" };
  await withWorkspace(async (home) => {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...FLAGS, TASK, ...models],
      clearEnv: true,
      env: environment({
        home,
        env: { OLLAMA_HOST: host, LLAMA_SERVER: NOBODY, HARNESS_PROGRAM: BUILT },
      }),
    }).output();
    ran = { code, said: new TextDecoder().decode(stdout) };
  });
  return ran;
}

/** A model that does what it is told. */
function good(body: unknown): ScriptedReply {
  const { messages } = body as { messages: { role: string; content: string }[] };
  const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
  const results = messages.filter(({ role }) => role === "tool").length;
  const call = (name: string, args: Record<string, unknown>) => ({
    calls: [{ name, arguments: args }],
  });
  const steps: readonly [RegExp, ScriptedReply[]][] = [
    [/^List/, [call("list_dir", { dirpath: "." }), { text: "There are 3." }]],
    [/^Which word/, [call("read_file", { filepath: "code.txt" }), { text: "quartz41" }]],
    [/^Create/, [
      call("write_file", { filepath: "greeting.txt", content: "Grüße, 42 & <done>" }),
      { text: "Done." },
    ]],
    [/^Read source/, [
      call("read_file", { filepath: "source.txt" }),
      call("write_file", { filepath: "target.txt", content: "SLOW TIDE\n" }),
      { text: "Done." },
    ]],
    [/^What is 2/, [{ text: "4" }]],
  ];
  return steps.find(([pattern]) => pattern.test(prompt))?.[1][results] ?? { text: "Title" };
}

const TALKS: ScriptedReply = { text: "I did it: 3, quartz41, 4." };

/** An Ollama with a model that does what it is told, and one that says so. */
function startOllama() {
  const able = { capabilities: ["completion", "tools"] };
  return startFakeOllama(
    (body) => (body as { model: string }).model === "talker:1b" ? TALKS : good(body),
    { models: { "small:4b": able, "talker:1b": able } },
  );
}

Deno.test("live counts what a model did, not what it said", async () => {
  await using ollama = startOllama();
  const { code, said } = await live(ollama.url);
  equal(code, 0);
  match(said, /^ollama\/small:4b(?: +yes, \d+ s *\|){5} 5 of 5$/m);
  match(said, /^ollama\/talker:1b .* 1 of 5$/m);
});

Deno.test("live says plainly that no model answers, and names those that were not asked for", async () => {
  const nobody = await live(NOBODY);
  equal(nobody.code, 0);
  match(nobody.said, /^No model answers at .* so nothing was run\.\n/);
  await using ollama = startOllama();
  match(
    (await live(ollama.url, "ollama/other")).said,
    /There are: ollama\/small:4b, ollama\/talker/,
  );
});
