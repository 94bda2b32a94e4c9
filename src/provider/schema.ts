/** A tool's schema as an API takes it. Tools of MCP servers bring whatever their authors wrote. */
import type { JsonSchema } from "@/protocol/tool.ts";
import { isObject } from "@/lib/json.ts";
import { memo } from "@/lib/memo.ts";

const NOT_SENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment"]);
const COMBINATORS: ReadonlySet<string> = new Set([
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "enum",
  "const",
]);

/** An object schema without what every API but none of ours can do without; key order is kept. */
export const portableSchema: (schema: JsonSchema) => JsonSchema = memo((schema) => {
  const root: Record<string, unknown> = { type: "object" };
  for (const [key, value] of Object.entries(schema)) {
    // Combinators at the root are refused; the call's arguments are checked by the tool itself anyway.
    if (!COMBINATORS.has(key) && key !== "type") root[key] = value;
  }
  if (!isObject(root.properties)) root.properties = propertiesOf(schema);
  return pruned(root) as JsonSchema;
});

/** Whether a tool takes no parameters at all. */
export function takesNothing(schema: JsonSchema): boolean {
  return isObject(schema.properties) && Object.keys(schema.properties).length === 0;
}

/** Properties that stand only in the branches of a combinator at the root, so that the model knows of them. */
function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const word of ["allOf", "anyOf", "oneOf"]) {
    const branches = schema[word];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) {
      if (isObject(branch) && isObject(branch.properties)) Object.assign(found, branch.properties);
    }
  }
  return found;
}

function pruned(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(pruned);
  if (!isObject(node)) return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "properties" && isObject(value)) {
      // A property may be named like a keyword.
      kept[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, pruned(inner)]),
      );
    } else if (!NOT_SENT.has(key)) kept[key] = pruned(value);
  }
  return kept;
}
