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
    title: visible(title ?? annotations.title ?? name, { oneLine: true }),
    description: `${clipEnd(visible(description).trim(), DESCRIPTION_CHARS_MAX)}${hint}`.trim(),
    schema,
    shown: shownSchema(schema),
    saysReadOnly,
    saysDestructive,
    identity: JSON.stringify([name, description, schema, annotations]),
  };
}

/** What a model is told of the parameters; a schema that would fill the window is told by its names alone. */
function shownSchema(schema: JsonSchema): JsonSchema {
  const clean = portableSchema(withCleanTexts(schema) as JsonSchema);
  if (JSON.stringify(clean).length <= SCHEMA_CHARS_MAX) return clean;
  const properties = isObject(clean.properties) ? clean.properties : {};
  const named = Object.entries(properties).map(([name, property]) => {
    const { type, description } = isObject(property) ? property : {};
    return [name, {
      ...(type === undefined ? {} : { type }),
      ...(description === undefined ? {} : { description }),
    }];
  });
  const required = Array.isArray(clean.required) ? { required: clean.required } : {};
  return { type: "object", properties: Object.fromEntries(named), ...required };
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
