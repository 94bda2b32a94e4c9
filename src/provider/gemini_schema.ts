/** JSON Schema as far as Gemini reads it; what it does not know is left out before it can refuse it. */
import { isObject } from "@/lib/json.ts";

/** The words of `parametersJsonSchema` (November 2026). */
const WORDS: ReadonlySet<string> = new Set([
  "$id",
  "$defs",
  "$ref",
  "$anchor",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
]);

/** Members that hold schemas by name. */
const NAMED: ReadonlySet<string> = new Set(["properties", "$defs"]);

/** Members that are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["enum", "required", "type"]);

/** A schema with only the words that Gemini knows. */
export function geminiSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(geminiSchema);
  if (!isObject(node)) return node;
  // Beside a reference nothing may stand but words that begin with a dollar.
  const isReference = "$ref" in node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (!WORDS.has(key) || (isReference && !key.startsWith("$"))) continue;
    kept[key] = projected(key, value);
  }
  // A list of one value says what `const` says.
  if ("const" in node && !isReference && !("enum" in kept)) kept.enum = [node.const];
  return kept;
}

function projected(key: string, value: unknown): unknown {
  if (DATA.has(key)) return value;
  if (!NAMED.has(key) || !isObject(value)) return geminiSchema(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, geminiSchema(inner)]),
  );
}
