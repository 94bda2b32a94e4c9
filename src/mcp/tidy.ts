/**
 * What a server sends, before anything reads it. Values are as deep as they like, and one tool that is declared wrongly must
 * not cost a server all of its tools: the SDK refuses a list as a whole.
 */
import { isObject } from "@/lib/json.ts";

/** Deeper than what anybody writes, and flat enough for functions that call themselves. */
const DEPTH_MAX = 100;
/** "Internal error" of JSON-RPC: of an answer that is none. */
const ODD_CODE = -32_603;

/**
 * A message without what lies too deep, its tools each with a name and a schema of an object, its error with a code and a
 * text. `hide` takes out of its texts what nobody is to see.
 */
export function tidyMessage(message: unknown, hide = (text: string) => text): unknown {
  const flat = shallow(message, hide);
  if (!isObject(flat) || "method" in flat) return flat;
  if (flat.error !== undefined) return { ...flat, error: tidyError(flat.error) };
  if (!("result" in flat)) return flat;
  // Nothing was meant by it.
  const result = flat.result ?? {};
  if (!isObject(result)) {
    const error = { code: ODD_CODE, message: `its result is no object: ${JSON.stringify(result)}` };
    return { jsonrpc: flat.jsonrpc, id: flat.id, error };
  }
  if (!Array.isArray(result.tools)) return { ...flat, result };
  return { ...flat, result: { ...result, tools: result.tools.flatMap(tidyTool) } };
}

/** An error in another shape is one as well; the SDK would take the answer for none, and wait. */
function tidyError(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message = error, data }: Record<string, unknown> = isObject(error) ? error : {};
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : ODD_CODE,
    message: typeof message === "string" ? message : JSON.stringify(message ?? null),
    ...(data === undefined ? {} : { data }),
  };
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
