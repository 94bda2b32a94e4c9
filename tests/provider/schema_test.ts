/** Tools of other people's servers bring schemas of every shape: no wire may send what its API refuses. */
import { deepStrictEqual as equal } from "node:assert/strict";
import { fc } from "../support/property.ts";
import { ProviderError } from "@/protocol/provider.ts";
import type { JsonSchema } from "@/protocol/tool.ts";
import { geminiSchema } from "@/provider/gemini_schema.ts";
import { portableSchema } from "@/lib/portable_schema.ts";
import { doublingSchema } from "../support/doubling_schema.ts";
import { requestOf, user } from "../support/conversation.ts";
import { RecordingHttp } from "../support/recording_http.ts";
import { draft2020, geminiJsonSchema, goProperty, itemsGiven } from "../support/strict/schema.ts";
import { refusalOf, type WireName } from "../support/strict_history.ts";
import { calm, collect, wireOptions } from "../support/wire_options.ts";
import { AWKWARD_NAMES, WIRES } from "../support/wires.ts";

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
  ["a root that is a reference", {
    $ref: "#/definitions/Input",
    definitions: { Input: { type: "object", properties: { a: { type: "string" } } } },
  }],
  ["references into older drafts' definitions and into properties", {
    type: "object",
    properties: {
      a: { $ref: "#/definitions/A" },
      b: { type: "array", items: { $ref: "#/properties/a" } },
      c: { anyOf: [{ $ref: "#/definitions/A" }, { type: "null" }], default: null },
    },
    definitions: { A: { enum: ["x"], type: "string", description: "An A." } },
  }],
  ["references that lead nowhere", {
    type: "object",
    properties: {
      a: { $ref: "#/$defs/None" },
      b: { $ref: "https://example.com/schema.json" },
      c: { $ref: "#anchor" },
      d: { $ref: "#/$defs/Self" },
      e: { $ref: "#/%E0%A4%A" },
    },
    $defs: { Self: { $ref: "#/$defs/Self" } },
  }],
  ["a circle that must be there", {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Tree" } },
    required: ["tree"],
    $defs: {
      Tree: {
        type: "object",
        properties: { leaf: { $ref: "#/$defs/Leaf" }, all: { $ref: "#/$defs/Forest" } },
        required: ["leaf", "all"],
      },
      Leaf: { type: "string" },
      Forest: { type: "array", items: { $ref: "#/$defs/Tree", description: "One of them." } },
    },
  }],
  ["the root inside of itself, needed", {
    type: "object",
    properties: { child: { $ref: "#", description: "x" }, name: { type: "string" } },
    required: ["child", "name"],
  }],
  ["names that double at each step", doublingSchema(24)],
  ["bounds of draft 4, tuples of draft 7, needs of draft 3", {
    type: "object",
    properties: {
      a: {
        type: "integer",
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 9,
        exclusiveMaximum: false,
      },
      b: { type: "array", items: [{ type: "string" }, true], additionalItems: false },
      c: { type: "string", required: true },
      d: { type: "any" },
      e: { type: "array" },
      f: { type: ["array", "null"] },
    },
  }],
  ["schemas that are flags, and words that are not what they should be", {
    type: "object",
    properties: {
      a: true,
      b: false,
      c: { description: 7, enum: [], minLength: -1, pattern: "(", required: "x", anyOf: [] },
      d: { const: true },
      e: { enum: [null, "x", true] },
      f: { oneOf: [{ type: "string" }, { const: null }] },
    },
    required: ["a", "a", 7],
    additionalProperties: true,
  }],
  ["names of parameters of every kind", {
    type: "object",
    properties: {
      $top: { type: "integer" },
      _top: { type: "integer" },
      "@odata.type": {},
      "per-page": {},
      "a b": {},
      가나: {},
      "": {},
      ["x".repeat(80)]: {},
      ["x".repeat(81)]: {},
      "7th": {},
    },
    required: ["$top", "per-page"],
  }],
  ["a root without a type", { properties: { a: { type: "string" } }, required: ["a"] }],
];

for (const under of WIRES) {
  Deno.test(`${under.wire}: the schema and name of any tool are legal`, async () => {
    for (const [shape, schema] of SHAPES) {
      const tools = AWKWARD_NAMES.map((name) => ({ name, description: "A tool.", schema }));
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

/** Schemas of everybody's making: words of all drafts with what belongs to them and with what does not. */
const { node: someSchema } = fc.letrec<{ node: JsonSchema; value: unknown }>((tie) => ({
  node: fc.dictionary(
    fc.constantFrom(
      ...["type", "properties", "$defs", "definitions", "anyOf", "oneOf", "allOf", "$ref", "$id"],
      ...["const", "enum", "items", "prefixItems", "additionalItems", "additionalProperties"],
      ...[
        "required",
        "minimum",
        "exclusiveMinimum",
        "pattern",
        "description",
        "not",
        "x",
        "a",
        "b",
      ],
    ),
    tie("value"),
    { maxKeys: 6, depthIdentifier: "schema" },
  ),
  value: fc.oneof(
    { depthIdentifier: "schema", depthSize: "small" },
    fc.constantFrom(
      ...[
        "string",
        "array",
        "object",
        "any",
        "#",
        "#/$defs/a",
        "#/definitions/b",
        "#/properties/x",
      ],
      ...[true, false, 0, null, [], ["a", "b"], ["string", "null"]],
    ),
    fc.jsonValue(),
    tie("node"),
    fc.dictionary(fc.constantFrom("a", "b", "x"), tie("node"), { maxKeys: 3 }),
    fc.array(tie("node"), { maxLength: 3 }),
  ),
}));

Deno.test("portableSchema() and geminiSchema() make of every schema one that APIs take", () => {
  fc.assert(
    fc.property(someSchema, (schema) => {
      const once = portableSchema(schema);
      draft2020(once, "x");
      itemsGiven(once, "x");
      goProperty(once, "x");
      const projected = geminiSchema(once);
      equal(geminiSchema(projected), projected);
      geminiJsonSchema({ ...projected as JsonSchema, properties: {} }, "x");
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("geminiSchema() leaves out what Gemini refuses: other values in lists, circles that must be there", () => {
  const tree = {
    type: "object",
    properties: { all: { type: "array", items: { $ref: "#/$defs/T" } } },
  };
  equal(
    geminiSchema({
      type: "object",
      properties: { a: { enum: [true] }, b: { enum: ["x", null] }, tree },
      required: ["a", "tree"],
      $defs: { T: { ...tree, required: ["all"] } },
    }),
    {
      type: "object",
      properties: { a: {}, b: { enum: ["x"] }, tree },
      required: ["a"],
      $defs: { T: { ...tree, required: [] } },
    },
  );
});
