/** A tool of a server as we take it: its texts bounded and seen, its schema as deep as anybody needs. */
import type { JsonSchema } from "@/protocol/tool.ts";
import { clipEnd } from "@/lib/clip.ts";
import { isObject } from "@/lib/json.ts";
import { portableSchema } from "@/lib/portable_schema.ts";
import { visible } from "@/lib/visible.ts";
import type { Tool } from "./client.ts";

/** What we keep of a tool. `schema` is the server's own, for checking; `shown` is what models are given. */
export type RemoteTool = {
  /** The server's own name for it. */
  tool: string;
  title: string;
  description: string;
  schema: JsonSchema;
  shown: JsonSchema;
  /** Hints of the server's: only as good as its word. */
  saysReadOnly: boolean;
  saysDestructive: boolean;
  /** What the person agrees to when they let it run: a change of it asks again. */
  identity: string;
};

const TITLE_CHARS_MAX = 100;
const DESCRIPTION_CHARS_MAX = 500;
const PARAMETER_CHARS_MAX = 260;
const SCHEMA_CHARS_MAX = 20_000;

/** Take it. */
export function remoteTool(
  { name, title, description = "", inputSchema, annotations = {} }: Tool,
): RemoteTool {
  const schema: JsonSchema = inputSchema;
  const saysReadOnly = annotations.readOnlyHint === true;
  const saysDestructive = !saysReadOnly && annotations.destructiveHint === true;
  const hint = saysReadOnly ? " (read-only)" : saysDestructive ? " (destructive)" : "";
  return {
    tool: name,
    title: clipEnd(visible(title ?? annotations.title ?? name, { oneLine: true }), TITLE_CHARS_MAX),
    description: `${clipEnd(visible(description).trim(), DESCRIPTION_CHARS_MAX)}${hint}`.trim(),
    schema,
    shown: shownSchema(schema),
    saysReadOnly,
    saysDestructive,
    identity: JSON.stringify([name, description, schema, annotations]),
  };
}

/** What a model is told of the parameters; of a schema that would fill the window less and less, the required ones last. */
function shownSchema(schema: JsonSchema): JsonSchema {
  const clean = portableSchema(withCleanTexts(schema) as JsonSchema);
  const fits = (shown: JsonSchema) => JSON.stringify(shown).length <= SCHEMA_CHARS_MAX;
  const told = [clean, named(clean, ["type", "description"]), named(clean, ["type"])].find(fits);
  return told ?? asManyAsFit(named(clean, ["type"]));
}

/** The parameters by name, and of each these words alone. */
function named(schema: JsonSchema, words: readonly string[]): JsonSchema {
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => [
    name,
    isObject(property)
      ? Object.fromEntries(
        words.flatMap((word) => word in property ? [[word, property[word]]] : []),
      )
      : {},
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(Array.isArray(schema.required) ? { required: schema.required } : {}),
  };
}

function asManyAsFit(schema: JsonSchema): JsonSchema {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const all = Object.entries(propertiesOf(schema));
  const inOrder = [
    ...all.filter(([name]) => required.includes(name)),
    ...all.filter(([name]) => !required.includes(name)),
  ];
  const properties: Record<string, unknown> = {};
  let room = SCHEMA_CHARS_MAX / 2;
  for (const [name, property] of inOrder) {
    room -= JSON.stringify([name, property]).length;
    if (room < 0) break;
    properties[name] = property;
  }
  return {
    type: "object",
    properties,
    required: required.filter((name) => Object.hasOwn(properties, name)),
  };
}

function propertiesOf({ properties }: JsonSchema): Record<string, unknown> {
  return isObject(properties) ? properties : {};
}

function withCleanTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withCleanTexts);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const isText = (key === "description" || key === "title") && typeof value === "string";
      return [key, isText ? clipEnd(visible(value), PARAMETER_CHARS_MAX) : withCleanTexts(value)];
    }),
  );
}
