/** Tools of other people's servers bring schemas of every shape: no wire may send what its API refuses. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { ProviderError } from "@/protocol/provider.ts";
import type { JsonSchema } from "@/protocol/tool.ts";
import { geminiSchema } from "@/provider/gemini_schema.ts";
import { portableSchema } from "@/provider/schema.ts";
import { ToolNames } from "@/provider/tool_names.ts";
import { requestOf, user } from "../support/conversation.ts";
import { RecordingHttp } from "../support/recording_http.ts";
import { refusalOf, type WireName } from "../support/strict_history.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { WIRES } from "../support/wires.ts";

const SHAPES: [string, JsonSchema][] = [
  ["nothing at all", {}],
  ["no properties", { type: "object" }],
  ["$schema and $id", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "x",
    type: "object",
    properties: { a: { type: "string" } },
  }],
  ["a combinator at the root", {
    anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { properties: { b: {} } }],
  }],
  ["allOf beside properties", {
    type: "object",
    properties: { a: {} },
    allOf: [{ required: ["a"] }],
    not: {},
  }],
  ["references", {
    type: "object",
    properties: { a: { $ref: "#/$defs/A", description: "x" } },
    $defs: { A: { type: "string", pattern: "x" } },
  }],
  ["recursion", { type: "object", properties: { child: { $ref: "#" } } }],
  ["const, pattern, default, examples", {
    type: "object",
    properties: { a: { const: "x", pattern: "^x", default: "x", examples: ["x"] } },
  }],
  ["numbers in an enum", { type: "object", properties: { a: { enum: [1, 2] } } }],
  ["a list of types", { type: "object", properties: { a: { type: ["string", "null"] } } }],
  ["conditions", {
    type: "object",
    properties: { a: {} },
    if: { properties: { a: { const: 1 } } },
    then: {},
    else: {},
  }],
  ["properties named like words", {
    type: "object",
    properties: {
      $schema: { type: "string" },
      const: { type: "string" },
      type: { type: "string" },
    },
  }],
  ["tuples and bounds", {
    type: "object",
    properties: {
      a: { type: "array", prefixItems: [{}], items: false, minItems: 1, uniqueItems: true },
      n: { exclusiveMinimum: 0, multipleOf: 2 },
    },
  }],
  ["maps", {
    type: "object",
    additionalProperties: { type: "string" },
    patternProperties: { "^x": {} },
    propertyNames: {},
  }],
  ["another root type", { type: "string" }],
  ["a root without a type", { properties: { a: { type: "string" } }, required: ["a"] }],
];

const NAMES = [
  "mcp__server__tool",
  "with.dots",
  "with dots",
  "x".repeat(80),
  "1st",
  "가나",
  "with_dots",
  "",
];

for (const under of WIRES) {
  Deno.test(`${under.wire}: the schema and name of any tool are legal`, async () => {
    for (const [shape, schema] of SHAPES) {
      const tools = NAMES.map((name) => ({ name, description: "A tool.", schema }));
      const http = new RecordingHttp();
      using _ = http;
      const options = wireOptions(under.provider, under.baseUrl("http://127.0.0.1:1"), {
        http,
        retriesMax: 0,
      });
      const provider = await under.make(options);
      await collect(provider.stream(requestOf(under.model, [user("Hi")], { tools }), calm())).catch(
        (error: unknown) => {
          if (!(error instanceof ProviderError)) throw error;
        },
      );
      equal(refusalOf(under.wire as WireName, http.body), undefined, shape);
    }
  });
}

Deno.test("portableSchema() keeps what it may and the order of keys (check 29)", () => {
  const schema = {
    $schema: "x",
    properties: { $schema: { $comment: "y", type: "string" } },
    required: ["$schema"],
    additionalProperties: false,
  };
  equal(
    JSON.stringify(portableSchema(schema)),
    '{"type":"object","properties":{"$schema":{"type":"string"}},"required":["$schema"],"additionalProperties":false}',
  );
  equal(portableSchema({ oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }), {
    type: "object",
    properties: { a: {}, b: {} },
  });
});

Deno.test("portableSchema() and geminiSchema() of their own results change nothing", () => {
  const schemas = fc.dictionary(
    fc.constantFrom("type", "properties", "anyOf", "$ref", "const", "enum", "items", "x"),
    fc.jsonValue(),
  );
  fc.assert(fc.property(schemas, (schema) => {
    const once = portableSchema(schema);
    equal(portableSchema(once), once);
    const projected = geminiSchema(schema);
    equal(geminiSchema(projected), projected);
  }));
});

Deno.test("ToolNames gives each tool a name of its own and takes it back (check 29)", () => {
  const names = ToolNames.of(NAMES.map((name) => ({ name, description: "", schema: {} })));
  const shown = NAMES.map((name) => names.shown(name));
  equal(new Set(shown).size, NAMES.length);
  equal(shown.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)), []);
  equal(
    names.shown("with_dots"),
    "with_dots",
    "a name that fits is not taken by one that had to be changed",
  );
  equal(shown.map((name) => names.meant(name)), NAMES);
});

Deno.test("ToolNames reads the tool out of what a template left around it", () => {
  const names = ToolNames.of([{ name: "read_file", description: "", schema: {} }]);
  for (
    const written of [
      "read_file",
      "functions.read_file",
      "read_file<|channel|>commentary",
      " read_file ",
      "default_api:read_file",
    ]
  ) equal(names.meant(written), "read_file", written);
  equal([names.meant(undefined), names.meant(7), names.meant("other"), names.shown("gone.tool")], [
    "",
    "",
    "other",
    "gone_tool",
  ]);
});
