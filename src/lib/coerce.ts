/**
 * Turns values into the type that a schema asks for, where a model wrote the right value in the wrong type. Only a
 * value that the schema would refuse as it stands is touched, and a text stays a text wherever the schema takes one.
 */
import { isObject, parsedJson } from "./json.ts";
import type { JsonSchema } from "@/protocol/tool.ts";

type JsonType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DEPTH_MAX = 32;

/**
 * Coerce a call's whole arguments. Nothing, `null` and a blank text are no arguments; a JSON text of an object, also
 * encoded twice, is that object. What cannot be an object comes back unchanged, for the schema to refuse.
 */
export function coerceInput(input: unknown, schema: JsonSchema): unknown {
  const object = asArguments(input);
  return isObject(object) ? coerceValue(object, { ...schema, type: "object" }) : input;
}

/** Coerce one value to one schema, and what is in it to the schemas of its members. */
export function coerceValue(value: unknown, schema: unknown): unknown {
  return coerce(value, schema, DEPTH_MAX);
}

function asArguments(input: unknown): unknown {
  if (input === undefined || input === null) return {};
  if (typeof input !== "string") return input;
  if (input.trim() === "") return {};
  const outer = parsedJson(input);
  if (outer === null) return {};
  return typeof outer === "string" ? parsedJson(outer) : outer;
}

function coerce(value: unknown, schema: unknown, depth: number): unknown {
  if (!isObject(schema) || depth === 0) return value;
  const branches = alternatives(schema);
  const types = new Set(branches.flatMap(typesOf));
  const fitting = types.size === 0 || accepts(types, value) ? value : converted(value, types);
  const shape = branches.find((branch) => isShapeOf(branch, fitting));
  if (shape === undefined) return fitting;
  if (Array.isArray(fitting)) return fitting.map((item) => coerce(item, shape.items, depth - 1));
  return isObject(fitting) ? coerceMembers(fitting, shape, depth - 1) : fitting;
}

/** A member that is `null` where the schema neither takes nor needs one is a member that was left out. */
function coerceMembers(
  value: Record<string, unknown>,
  schema: Record<string, unknown>,
  depth: number,
): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    const result = coerce(member, known, depth);
    if (result === null && isObject(known) && !required.includes(name) && !takesNull(known)) {
      continue;
    }
    members.push([name, result]);
  }
  return Object.fromEntries(members);
}

function alternatives(schema: Record<string, unknown>): Record<string, unknown>[] {
  const either = [schema.anyOf, schema.oneOf].find(Array.isArray);
  return either === undefined ? [schema] : either.filter(isObject).flatMap(alternatives);
}

function typesOf(schema: Record<string, unknown>): JsonType[] {
  const stated = Array.isArray(schema.type) ? schema.type : [schema.type];
  const types = stated.filter(isJsonType);
  if (types.length > 0) return types;
  const allowed = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, "const")
    ? [schema.const]
    : [];
  return allowed.map(typeOf);
}

function accepts(types: ReadonlySet<JsonType>, value: unknown): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** Nothing is converted when a text would do: then it was meant as a text. */
function converted(value: unknown, types: ReadonlySet<JsonType>): unknown {
  if (typeof value !== "string" || types.has("string")) return value;
  const text = value.trim();
  if (types.has("boolean") && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (JSON_NUMBER.test(text)) {
    const number = Number(text);
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number);
    if (isExact && accepts(types, number)) return number;
  }
  if (types.has("null") && /^(?:null|none)?$/i.test(text)) return null;
  const decoded = /^[[{]/.test(text) ? parsedJson(text) : undefined;
  return decoded !== undefined && accepts(types, decoded) ? decoded : value;
}

function isShapeOf(schema: Record<string, unknown>, value: unknown): boolean {
  if (Array.isArray(value)) return schema.items !== undefined;
  return isObject(value) && (isObject(schema.properties) || isObject(schema.additionalProperties));
}

function takesNull(schema: Record<string, unknown>): boolean {
  const types = alternatives(schema).flatMap(typesOf);
  return types.length === 0 || types.includes("null");
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

function isJsonType(value: unknown): value is JsonType {
  return typeof value === "string" &&
    ["string", "number", "integer", "boolean", "object", "array", "null"].includes(value);
}
