/** The repairs of a JSON payload that need to know where it ends: whole-payload escaping, and one long text last. */
import { type JsonRead, readJson } from "./json.ts";
import { Source } from "./source.ts";
import { jsonText } from "./strings.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};
const ENTITY = /&(?:quot|apos|lt|gt|amp|#34|#39);/g;
const ESCAPED_START = /^[{[]\s*(?:\{\s*)?\\"/;
const UNESCAPED_QUOTE = /(?:^|[^\\])(?:\\\\)*"/;
/** Values that may hold a whole file, so that their quotes are the ones most often left bare. */
const LONG_TEXT = /["'](content|new_content|old_content|text|body|payload|stdin|code)["']\s*:\s*"/g;
const ENVELOPE_KEYS = ["name", "arguments", "parameters", "tool_name", "args", "input"];
/** Another call behind the text: then the last quote is not the text's. */
const NEXT_CALL =
  /[}\]"]\s*[,;]?\s*\{\s*"(?:name|tool_name|type|function|arguments|parameters)"\s*:/;
const HOLE = "\u0000";

/**
 * Read a payload all of which was encoded once more: with HTML entities (then no straight quote is in it), or with a
 * backslash before every quote. One level is taken off the whole, or nothing.
 */
export function readEncoded(payload: string): JsonRead | undefined {
  const plain = withoutEntities(payload) ?? withoutEscapes(payload);
  if (plain === undefined) return undefined;
  const read = readJson(new Source(plain), 0);
  return read.state === "read" ? { ...read, isRepaired: true } : undefined;
}

function withoutEntities(payload: string): string | undefined {
  if (!/&(?:quot|#34);/.test(payload) || payload.includes('"')) return undefined;
  return payload.replace(ENTITY, (entity) => ENTITIES[entity] ?? entity);
}

function withoutEscapes(payload: string): string | undefined {
  if (!ESCAPED_START.test(payload) || UNESCAPED_QUOTE.test(payload)) return undefined;
  return jsonText(payload);
}

/**
 * Read a closed payload whose one long text has bare quotes in it: the text runs to the payload's last quote. Refused
 * when there are two long texts (it cannot be known where the first ends), or when another parameter would be
 * swallowed by the text.
 */
export function readByPosition(
  payload: string,
  isParameter: (name: string) => boolean,
): { value: unknown } | undefined {
  const keys = [...payload.matchAll(LONG_TEXT)];
  const [key] = keys;
  if (key === undefined || keys.length > 1) return undefined;
  const start = key.index + key[0].length;
  const end = payload.lastIndexOf('"');
  if (end < start || !/^[\s}\]),]*$/.test(payload.slice(end + 1))) return undefined;
  const text = payload.slice(start, end);
  if (NEXT_CALL.test(text)) return undefined;
  for (const [, name = ""] of text.matchAll(/"\s*,\s*"(\w+)"\s*:/g)) {
    if (ENVELOPE_KEYS.includes(name) || isParameter(name)) return undefined;
  }
  const head = `${payload.slice(0, start - 1)}${JSON.stringify(HOLE)}`;
  const read = readJson(new Source(`${head}<`), 0, { closes: (at) => at >= head.length });
  if (read.state !== "read") return undefined;
  return { value: filled(read.value, jsonText(text)) };
}

function filled(value: unknown, text: string): unknown {
  if (value === HOLE) return text;
  if (Array.isArray(value)) return value.map((item) => filled(item, text));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, text)]),
  );
}
