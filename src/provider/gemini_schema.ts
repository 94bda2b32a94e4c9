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

/** A portable schema with only the words, and only the values, that Gemini knows. */
export function geminiSchema(node: unknown): unknown {
  if (!isObject(node)) return node;
  // Beside a reference nothing may stand but words that begin with a dollar.
  const isReference = "$ref" in node;
  const members = Object.entries(node).flatMap(([word, value]): [string, unknown][] => {
    if (!WORDS.has(word) || (isReference && !word.startsWith("$"))) return [];
    const known = projected(word, value, node);
    return known === undefined ? [] : [[word, known]];
  });
  return Object.fromEntries(members);
}

/** The value of a word; undefined leaves the word out. */
function projected(word: string, value: unknown, node: Record<string, unknown>): unknown {
  switch (word) {
    case "enum":
      return knownValues(value);
    case "required":
      return Array.isArray(value) ? value.filter((name) => mayBeRequired(node, name)) : undefined;
    case "items":
      return typeof value === "boolean" ? {} : geminiSchema(value);
    default:
      if (Array.isArray(value)) return word === "type" ? value : value.map(geminiSchema);
      return NAMED.has(word) && isObject(value)
        ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, geminiSchema(inner)]),
        )
        : geminiSchema(value);
  }
}

/** Only strings and numbers may be listed. */
function knownValues(value: unknown): unknown {
  const values = Array.isArray(value)
    ? value.filter((one) => typeof one === "string" || typeof one === "number")
    : [];
  return values.length === 0 ? undefined : values;
}

/** Only what is there, and holds no reference: what names itself may only be reached by what may be left out. */
function mayBeRequired({ properties }: Record<string, unknown>, name: unknown): boolean {
  return isObject(properties) && Object.hasOwn(properties, String(name)) &&
    !holdsReference(properties[String(name)]);
}

function holdsReference(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  return "$ref" in value || Object.values(value).some(holdsReference);
}
