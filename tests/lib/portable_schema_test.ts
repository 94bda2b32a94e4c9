import { deepStrictEqual as equal } from "node:assert/strict";
import { portableSchema } from "@/lib/portable_schema.ts";
import { doublingSchema } from "../support/doubling_schema.ts";

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

Deno.test("portableSchema() puts what is named into its place, and into $defs only what names itself", () => {
  const text = { type: "string", enum: ["x"] };
  equal(
    portableSchema({
      type: "object",
      properties: {
        kind: { $ref: "#/definitions/Kind", description: "Which." },
        tree: { $ref: "#/definitions/a~1b" },
      },
      required: ["kind"],
      definitions: {
        Kind: text,
        "a/b": {
          properties: { up: { $ref: "#/definitions/a~1b" }, kind: { $ref: "#/definitions/Kind" } },
        },
      },
    }),
    {
      type: "object",
      properties: {
        kind: { ...text, description: "Which." },
        tree: { properties: { up: { $ref: "#/$defs/a_1b" }, kind: text } },
      },
      required: ["kind"],
      $defs: { a_1b: { properties: { up: { $ref: "#/$defs/a_1b" }, kind: text } } },
    },
  );
  const large = JSON.stringify(portableSchema(doublingSchema(24)));
  equal(large.length < 3_000, true, `${large.length}`);
});

Deno.test("portableSchema() shows of a choice at the root all properties, and requires what all must have", () => {
  equal(
    portableSchema({
      allOf: [{ $ref: "#/$defs/A" }, { properties: { b: {} }, required: ["b"] }],
      $defs: { A: { properties: { a: { type: "string" } }, required: ["a"] } },
    }),
    { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a", "b"] },
  );
});

Deno.test("portableSchema() leaves what it has made as it is", () => {
  const tree = { properties: { up: { $ref: "#/$defs/Tree" } } };
  const once = portableSchema({
    properties: { tree: { $ref: "#/$defs/Tree" } },
    $defs: { Tree: tree },
  });
  equal(portableSchema(once) === once, true);
});
