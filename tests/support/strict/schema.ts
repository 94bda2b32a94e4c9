/** What APIs refuse in the schema of a tool, each of them for the whole request. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "@/lib/json.ts";
import { type Json, list, object, refuse, schemaWords } from "./shared.ts";

const OPTIONS = { strict: false, validateFormats: false, logger: false } as const;
const meta = new Ajv2020(OPTIONS);

/** What is wrong with each schema that was looked at: the same tools come with every request. */
const looked = new Map<string, string | undefined>();

/** The draft that Anthropic and OpenAI check by, by somebody else's hand; references lead somewhere in it. */
export function draft2020(schema: unknown, where: string): void {
  const text = JSON.stringify(schema);
  if (!looked.has(text)) looked.set(text, problemOf(object(schema, where)));
  const problem = looked.get(text);
  if (problem !== undefined) refuse(`${where}: ${problem}`);
}

function problemOf(schema: Json): string | undefined {
  if (meta.validateSchema(schema) !== true) {
    return `JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). ${meta.errorsText()}`;
  }
  if (references(schema).length === 0) return undefined;
  try {
    new Ajv2020(OPTIONS).compile(schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !/resolve reference/.test(error.message)) throw error;
    return `reference to undefined schema: ${error.message}`;
  }
}

/** Names of parameters by Anthropic's pattern. */
export function anthropicKeys(schema: Json, where: string): void {
  for (const name of Object.keys(object(schema.properties ?? {}, where))) {
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) {
      refuse(`${where}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`);
    }
  }
}

/** A list says what is in it. */
export function itemsGiven(schema: unknown, where: string): void {
  for (const node of nodes(schema)) {
    if ([node.type].flat().includes("array") && !("items" in node)) {
      refuse(`Invalid schema for function: In context=('${where}'), array schema missing items.`);
    }
  }
}

/** Words of `parametersJsonSchema` by the SDK's own documentation. */
const GEMINI_WORDS =
  /^(?:\$id|\$defs|\$ref|\$anchor|type|format|title|description|enum|items|prefixItems|minItems|maxItems|minimum|maximum|anyOf|oneOf|properties|additionalProperties|required)$/;

/** What Gemini's `parametersJsonSchema` takes. */
export function geminiJsonSchema(schema: unknown, where: string): void {
  const root = object(schema, where);
  if (root.type !== "object") refuse(`${where}: schema must be of type object`);
  draft2020(root, where);
  itemsGiven(root, where);
  for (const [word] of schemaWords(root)) {
    if (!GEMINI_WORDS.test(word)) {
      refuse(`Invalid JSON schema at '${where}': unsupported keyword "${word}"`);
    }
  }
  for (const name of Object.keys(object(root.properties ?? {}, where))) {
    if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name)) {
      refuse(`* GenerateContentRequest.${where}.parameters: invalid parameter name: ${name}`);
    }
  }
  for (const node of nodes(root)) geminiNode(node, where);
  for (const pointer of new Set(references(root))) {
    if (cycle(root, pointer, new Set())) {
      refuse(`${where}: cyclic reference ${pointer} within a required property`);
    }
  }
}

function geminiNode(node: Json, where: string): void {
  const beside = Object.keys(node).filter((word) => !word.startsWith("$"));
  if ("$ref" in node && beside.length > 0) {
    refuse(`$ref '${node.$ref}' was set alongside unsupported fields: ${beside.join(", ")}`);
  }
  for (const value of list(node.enum ?? [], where)) {
    if (typeof value !== "string" && typeof value !== "number") {
      refuse(`Invalid value at '${where}.enum': only strings and numbers`);
    }
  }
  const properties = object(node.properties ?? {}, where);
  for (const [at, name] of list(node.required ?? [], where).entries()) {
    if (!Object.hasOwn(properties, String(name))) {
      refuse(`* GenerateContentRequest.${where}.required[${at}]: property is not defined`);
    }
  }
  if (typeof node.items === "boolean") refuse(`Invalid value at '${where}.items': not a schema`);
}

/** Whether what is named comes back to itself through properties that must all be there. */
function cycle(root: Json, pointer: string, passed: ReadonlySet<string>): boolean {
  if (passed.has(pointer)) return true;
  const named = pointer.slice(2).split("/").filter(Boolean).reduce<unknown>(
    (node, key) => isObject(node) ? node[key] : undefined,
    root,
  );
  const further = new Set([...passed, pointer]);
  return references(needed(named)).some((next) => cycle(root, next, further));
}

/** A schema without the properties that may be left out. */
function needed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(needed);
  if (!isObject(value)) return value;
  const { properties, $defs: _, ...rest } = value;
  const required = Array.isArray(value.required) ? value.required : [];
  const kept = isObject(properties)
    ? Object.entries(properties).filter(([name]) => required.includes(name)).map(([, one]) => one)
    : [];
  return [...kept, ...Object.values(rest)].map(needed);
}

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" ? [String(inner)] : references(inner)
  );
}

/** The types that Ollama's server reads a property into. */
export function goProperty(value: unknown, where: string): void {
  const cannot = (what: string): never =>
    refuse(
      `json: cannot unmarshal ${what} into Go struct field ${where} of type api.ToolProperty`,
    );
  if (!isObject(value)) return cannot(typeof value);
  const { type = "", description = "", enum: values = [], anyOf = [], required = [] } = value;
  const types = [type].flat();
  if (types.some((one) => typeof one !== "string")) cannot("type");
  if (typeof description !== "string") cannot("description");
  if (!Array.isArray(values)) cannot("enum");
  if (!isNames(required)) cannot("required");
  if (!Array.isArray(anyOf)) cannot("anyOf");
  for (const one of list(anyOf, where)) goProperty(one, where);
  for (const one of Object.values(object(value.properties ?? {}, where))) goProperty(one, where);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Every object that stands where a schema does. */
function* nodes(schema: unknown): Generator<Json> {
  if (isObject(schema)) yield schema;
  for (const [word, value] of schemaWords(schema)) {
    if (["enum", "const", "default", "examples", "required"].includes(word)) continue;
    const inner = ["properties", "$defs"].includes(word) && isObject(value)
      ? Object.values(value)
      : [value].flat();
    yield* inner.filter(isObject);
  }
}
