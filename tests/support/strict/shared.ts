/** Rules that several APIs have in common. A rule throws Refusal with the text of the 400. */

/** The 400 that the real API would answer. */
export class Refusal extends Error {}

export type Json = Record<string, unknown>;

export function refuse(text: string): never {
  throw new Refusal(text);
}

export function object(value: unknown, where: string): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    refuse(`${where}: Input should be an object`);
  }
  return value as Json;
}

export function list(value: unknown, where: string): unknown[] {
  if (!Array.isArray(value)) refuse(`${where}: Input should be a valid list`);
  return value;
}

export function string(value: unknown, where: string): string {
  if (typeof value !== "string") refuse(`${where}: Input should be a valid string`);
  if (!value.isWellFormed()) {
    refuse(`${where}: The request body is not valid JSON: no low surrogate in string`);
  }
  return value;
}

export function filled(value: unknown, where: string): string {
  const text = string(value, where);
  if (text.trim() === "") refuse(`${where}: text content blocks must be non-empty`);
  return text;
}

/** A name that fits every API. */
export function toolName(value: unknown, where: string, pattern = /^[a-zA-Z0-9_-]{1,64}$/): string {
  const name = string(value, where);
  if (!pattern.test(name)) refuse(`${where}: String should match pattern '${pattern.source}'`);
  return name;
}

/** The root of a tool's schema. */
export function rootSchema(value: unknown, where: string): Json {
  const schema = object(value, where);
  if (schema.type !== "object") refuse(`${where}.type: schema must have type 'object'`);
  for (const word of ["anyOf", "oneOf", "allOf"]) {
    if (word in schema) refuse(`${where}: input_schema does not support ${word} at the top level`);
  }
  return schema;
}

/** Keys anywhere in a schema; names of properties are no keywords. */
export function* schemaWords(schema: unknown): Generator<[string, unknown]> {
  if (Array.isArray(schema)) {
    for (const entry of schema) yield* schemaWords(entry);
    return;
  }
  if (schema === null || typeof schema !== "object") return;
  for (const [key, value] of Object.entries(schema)) {
    yield [key, value];
    if (["properties", "$defs", "definitions", "patternProperties"].includes(key)) {
      for (const inner of Object.values(value as Json)) yield* schemaWords(inner);
    } else if (!["enum", "const", "default", "examples", "required"].includes(key)) {
      yield* schemaWords(value);
    }
  }
}

export function unique(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) refuse(`${what} must be unique: ${name}`);
    seen.add(name);
  }
}

export function base64(value: unknown, where: string): void {
  const data = string(value, where);
  if (data === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length % 4 !== 0) {
    refuse(`${where}: illegal base64 data at input byte 0`);
  }
}

/** Every string of a body is well-formed: a JSON parser refuses half a character. */
export function wellFormed(value: unknown): void {
  if (typeof value === "string") string(value, "body");
  else if (Array.isArray(value)) value.forEach(wellFormed);
  else if (value !== null && typeof value === "object") Object.values(value).forEach(wellFormed);
}

/** The tools of a body; `read` says where a wire keeps the name and the schema of one. */
export function namedTools(
  value: unknown,
  read: (tool: Json, where: string) => { name: unknown; schema?: unknown; where: string },
): unknown[] {
  if (value === undefined) return [];
  const entries = list(value, "tools");
  const names = entries.map((entry, at) => {
    const tool = read(object(entry, `tools[${at}]`), `tools[${at}]`);
    if (tool.schema !== undefined) rootSchema(tool.schema, `${tool.where}.parameters`);
    return toolName(tool.name, `${tool.where}.name`);
  });
  unique(names, "Tool names");
  return entries;
}

/** `data:image/png;base64,…` */
export function dataUrl(value: unknown, where: string): void {
  const match = /^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/.exec(string(value, where));
  if (match === null) refuse(`${where}: Invalid image URL`);
  base64(match[1], where);
}

/** How a wire whose history is a list of messages with roles says what is wrong in it. */
export type MessageRules = {
  /** Ids that a message calls; checks all else of it. */
  calls(message: Json, where: string): string[];
  /** The id that a tool message answers; undefined where the wire has no such messages. */
  answers(message: Json, where: string): string;
  /** Texts of the refusals. */
  unknownRole(role: string): string;
  orphan(id: string, where: string): string;
  unanswered(ids: readonly string[]): string;
};

const ROLES = ["system", "user", "assistant", "tool"];

/** A list of messages with roles: they alternate, every call is answered before anything else, ids are unique. */
export function roleMessages(entries: readonly unknown[], rules: MessageRules): void {
  if (entries.length === 0) refuse("Invalid 'messages': empty array.");
  const ids: string[] = [];
  let open: string[] = [];
  let previous = "";
  for (const [at, entry] of entries.entries()) {
    const where = `messages[${at}]`;
    const message = object(entry, where);
    const role = string(message.role, `${where}.role`);
    if (!ROLES.includes(role)) refuse(rules.unknownRole(role));
    if (role === "tool") {
      const id = rules.answers(message, where);
      if (!open.includes(id)) refuse(rules.orphan(id, where));
      open = open.filter((other) => other !== id);
      previous = role;
      continue;
    }
    if (open.length > 0) refuse(rules.unanswered(open));
    if (role === previous) {
      refuse("Conversation roles must alternate user/assistant/user/assistant/...");
    }
    if (role === "system" && at > 0) refuse("System message must be at the beginning");
    previous = role;
    open = rules.calls(message, where);
    ids.push(...open);
  }
  if (open.length > 0) refuse(rules.unanswered(open));
  unique(ids, "tool call ids");
}
