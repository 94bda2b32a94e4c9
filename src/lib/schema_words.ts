/**
 * One node of a tool's schema in the words of draft 2020-12, whichever draft its author had in mind: every API refuses a
 * whole request for one word of one tool that it takes for wrong.
 */
import { isObject } from "@/lib/json.ts";

type Node = Readonly<Record<string, unknown>>;

/** Where a node holds nodes: by name, in a list, or one. */
const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);
const LISTED: ReadonlySet<string> = new Set(["anyOf", "allOf", "prefixItems"]);
const SINGLE: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);

const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);

/** The other words, with what may stand behind them. What is not listed says nothing that any API reads. */
const VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: isType,
  default: () => true,
  enum: (value) => Array.isArray(value) && value.length > 0,
  required: isNames,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNames),
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  pattern: isPattern,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isFlag,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  examples: Array.isArray,
  contentSchema: isObject,
};

/**
 * The node without references and what no API can read, in the order of its author; `inner` makes the nodes inside of it.
 */
export function readNode(
  node: Node,
  inner: (node: unknown) => unknown,
): Record<string, unknown> {
  const members = Object.entries(modern(node)).flatMap(([word, value]): [string, unknown][] => {
    if (NAMED.has(word)) return isObject(value) ? [[word, mapped(value, inner)]] : [];
    if (LISTED.has(word)) {
      return Array.isArray(value) && value.length > 0 ? [[word, value.map(inner)]] : [];
    }
    if (SINGLE.has(word)) return [[word, typeof value === "boolean" ? value : inner(value)]];
    return Object.hasOwn(VALUES, word) && VALUES[word]?.(value) === true ? [[word, value]] : [];
  });
  return Object.fromEntries(members);
}

/** What older drafts, and people, write in another way. */
function modern(node: Node): Node {
  const made = new Map(Object.entries(node));
  const { items } = node;
  if (Array.isArray(items)) {
    // A tuple, until draft 2019-09.
    made.set("prefixItems", items).delete("items");
    if (node.additionalItems !== undefined) made.set("items", node.additionalItems);
  }
  exclusive(made, "minimum", "exclusiveMinimum");
  exclusive(made, "maximum", "exclusiveMaximum");
  // One of these values, in the words that every API knows.
  if (made.has("const") && !made.has("enum")) made.set("enum", [node.const]);
  made.delete("const");
  if (made.has("oneOf") && !made.has("anyOf")) made.set("anyOf", node.oneOf);
  made.delete("oneOf");
  // OpenAPI's word for it.
  if (node.nullable === true && isText(node.type)) made.set("type", [node.type, "null"]);
  const types = [node.type].flat();
  // Without it a list is refused by OpenAI and Gemini.
  if (types.includes("array") && !made.has("items")) made.set("items", {});
  return Object.fromEntries(made);
}

/** Until draft 4 a bound was exclusive by a flag beside it. */
function exclusive(made: Map<string, unknown>, bound: string, flag: string): void {
  if (made.get(flag) !== true || !isNumber(made.get(bound))) return;
  made.set(flag, made.get(bound));
  made.delete(bound);
}

function mapped(
  value: Record<string, unknown>,
  inner: (node: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, node]) => [name, inner(node)]));
}

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return TYPES.has(value);
  return value.length > 0 && value.every((one) => TYPES.has(one)) &&
    new Set(value).size === value.length;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value) !== undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
