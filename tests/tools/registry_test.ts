import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { findTool } from "@/agent/find_tool.ts";
import { systemPrompt } from "@/agent/prompt.ts";
import { toolPrompt } from "@/provider/prompt_tools.ts";
import { portableSchema } from "@/lib/portable_schema.ts";
import { allTools, type ToolParts } from "@/tools/mod.ts";
import { definition } from "@/tools/spec.ts";
import { projectText } from "../quality/project.ts";
import { withApp } from "../support/whole_app.ts";

// What tools work with is used when they run; here declarations are read.
const TOOLS = allTools({} as ToolParts);
const NAMES = TOOLS.map(({ name }) => name);

/** What a model may be told at most, in bytes: a weak one reads all of it before the first word that is said. */
const SCHEMAS_MAX = 14_000;
const PROMPT_MAX = 4_500;
const FIRST_REQUEST_MAX = 12_000;

Deno.test("the list, the dispatcher, the prompt of a model without calls and README name the same tools", () => {
  equal(NAMES.map((name) => findTool(name, TOOLS)?.name), NAMES);
  const told = toolPrompt(TOOLS.map(definition)).matchAll(/^(\w+)\(.*\)(?: \+ <.*>\??)*$/gm);
  equal([...told].map(([, name]) => name), NAMES);
  const readme = projectText("README.md") ?? "";
  const [, table = ""] = /<!-- table: tools -->\n([^]*?)<!-- end/.exec(readme) ?? [];
  equal([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name), NAMES);
});

Deno.test("no name leads to two tools, and what a model is shown of a parameter is taken", () => {
  const all = TOOLS.flatMap(({ name, otherNames = [] }) => [name, ...otherNames]);
  equal(all.filter((name, at) => all.indexOf(name) !== at), []);
  for (const tool of TOOLS) {
    const shown = Object.keys(definition(tool).schema.properties ?? {});
    equal([tool.name, shown.filter((name) => !Object.hasOwn(tool.input.shape, name))], [
      tool.name,
      [],
    ]);
  }
});

Deno.test("all tools, and the system prompt beside them, stay small", () => {
  const sent = TOOLS.map(definition).map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: portableSchema(schema) },
  }));
  const schemas = bytes(JSON.stringify(sent));
  ok(schemas <= SCHEMAS_MAX, `${schemas} bytes`);
  const manuals = TOOLS.flatMap(({ manual }) => manual ?? []);
  const prompt = bytes(systemPrompt({ os: "linux", workspace: "/home/person/project", manuals }));
  ok(prompt <= PROMPT_MAX, `${prompt} bytes`);
});

Deno.test("the first request is small before anything is said", () =>
  withApp(() => ({ text: "Hello." }), async ({ app, api }) => {
    await app.say("hello");
    const sent = bytes(JSON.stringify(api.bodies[0]));
    ok(sent <= FIRST_REQUEST_MAX, `${sent} bytes`);
  }));

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
