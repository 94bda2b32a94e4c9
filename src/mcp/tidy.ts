/**
 * What a server sends, before anything reads it. Values are as deep as they like, and one tool that is declared wrongly must
 * not cost a server all of its tools: the SDK refuses a list as a whole.
 */
import { isObject } from "@/lib/json.ts";

/** Deeper than what anybody writes, and flat enough for functions that call themselves. */
const DEPTH_MAX = 100;

/**
 * A message without what lies too deep, its tools each with a name and a schema of an object. `hide` takes out of its texts
 * what nobody is to see.
 */
export function tidyMessage(message: unknown, hide = (text: string) => text): unknown {
  const flat = shallow(message, hide);
  if (!isObject(flat) || !isObject(flat.result) || !Array.isArray(flat.result.tools)) return flat;
  return { ...flat, result: { ...flat.result, tools: flat.result.tools.flatMap(tidyTool) } };
}

/** The value without what lies too deep: `{}` stands there, which as a schema takes anything. Bounded work on the stack. */
function shallow(value: unknown, hide: (text: string) => string, depth = DEPTH_MAX): unknown {
  if (typeof value === "string") return hide(value);
  if (value === null || typeof value !== "object") return value;
  if (depth === 0) return {};
  if (Array.isArray(value)) return value.map((item) => shallow(item, hide, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shallow(item, hide, depth - 1)]),
  );
}

function tidyTool(tool: unknown): readonly unknown[] {
  if (!isObject(tool) || typeof tool.name !== "string") return [];
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const properties = isObject(schema.properties) ? { properties: schema.properties } : {};
  const required = Array.isArray(schema.required)
    ? { required: schema.required.filter((name) => typeof name === "string") }
    : {};
  const { properties: _, required: __, ...rest } = schema;
  return [{
    ...withoutWrong(tool),
    inputSchema: { ...rest, type: "object", ...properties, ...required },
  }];
}

/** Members that are not what they should be are left out, as if they had not been said. */
function withoutWrong(tool: Record<string, unknown>): Record<string, unknown> {
  const is: Readonly<Record<string, (value: unknown) => boolean>> = {
    title: isText,
    description: isText,
    annotations: isObject,
    outputSchema: (value) => isObject(value) && value.type === "object",
    icons: Array.isArray,
    _meta: isObject,
    execution: isObject,
  };
  return Object.fromEntries(
    Object.entries(tool).filter(([key, value]) => is[key]?.(value) ?? true),
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
