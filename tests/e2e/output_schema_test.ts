/** Answers for programs: JSON that fits, asked for once more, or exit 1 with the cause. */
import { deepStrictEqual as equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { harness, type Ran } from "../support/program.ts";
import { withWorkspace } from "../support/workspace.ts";

const SCHEMA = JSON.stringify({
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
});

type Asked = { ran: Ran; said: string[] };

/** Runs one prompt against a model that gives these answers; `said` is what the last request had from the person. */
async function ask(
  answers: readonly string[],
  { args = [], schema = SCHEMA }: { args?: readonly string[]; schema?: string } = {},
): Promise<Asked> {
  let asked: Asked | undefined;
  await withWorkspace(async (dir) => {
    await using api = startFakeOllama(answers.map((text) => ({ text })));
    await Deno.writeTextFile(join(dir, "schema.json"), schema);
    const all = ["-m", "ollama/m", "-p", "count", "--output-schema", "schema.json", ...args];
    const env = { OLLAMA_HOST: api.url };
    const ran = await harness(all, { cwd: dir, home: join(dir, "home"), env });
    const last = api.bodies.at(-1) as { messages: { role: string; content: string }[] } | undefined;
    const said = (last?.messages ?? []).filter(({ role }) => role === "user");
    asked = { ran, said: said.map(({ content }) => content) };
  });
  ok(asked);
  return asked;
}

Deno.test("an answer that fits is printed as it is, without the fence around it", async () => {
  const { ran, said } = await ask(['```json\n{"count": 3}\n```']);
  equal([ran.code, ran.stdout], [0, '{"count": 3}\n']);
  equal(said.length, 1);
  match(said[0] ?? "", /^count\n[^]*"additionalProperties":false/);
});

Deno.test("one that does not fit is asked for once more, with the cause", async () => {
  const { ran, said } = await ask(['{"count": "three"}', '{"count": 3}'], {
    args: ["--output", "json"],
  });
  const { answer, exitCode, requests, stop } = JSON.parse(ran.stdout);
  equal([answer, exitCode, requests, stop], ['{"count": 3}', 0, 2, "end"]);
  equal(said.length, 2);
  match(said[1] ?? "", /cannot be used: count: .*integer/);
});

Deno.test("one that fits neither time is exit 1 with the cause and nothing on stdout", async () => {
  const { ran } = await ask(["three", '{"count": 3, "more": 1}']);
  equal([ran.code, ran.stdout], [1, ""]);
  match(ran.stderr, /does not fit --output-schema, asked for twice: .*more/);
  const told = await ask(["three", "four"], { args: ["--output", "json"] });
  const { exitCode, error } = JSON.parse(told.ran.stdout);
  equal([told.ran.code, exitCode, error.kind], [1, 1, "provider"]);
  match(error.message, /not JSON/);
});

Deno.test("a schema that is none is wrong usage, and the model is asked nothing", async () => {
  for (const schema of ["{", "[]", '{"$ref": "https://example.com/a.json"}']) {
    const { ran, said } = await ask([], { schema });
    equal([schema, ran.code, ran.stdout, said], [schema, 2, "", []]);
  }
  equal((await ask([], { args: ["--output-schema", "none.json"] })).ran.code, 2);
});
