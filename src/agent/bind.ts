/** From what the model sent to what a tool takes: aliases, types where the schema asks for them, then the schema itself. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { coerceInput } from "@/lib/coerce.ts";
import { isObject } from "@/lib/json.ts";
import { jsonSchema } from "@/tools/spec.ts";

export type Bound = { ok: true; input: Record<string, unknown> } | { ok: false; problem: string };

/** Read a call's arguments. A problem names every wrong or missing parameter. */
export function bind(tool: ToolSpec, input: unknown): Bound {
  const schema = tool.foreign?.shown ?? jsonSchema(tool.input);
  const named = withAliases(tool, coerceInput(input, schema));
  const parsed = tool.input.safeParse(coerceInput(named, schema));
  const wrong = parsed.success ? tool.foreign?.problem(parsed.data) : z.prettifyError(parsed.error);
  if (parsed.success && wrong === undefined) return { ok: true, input: parsed.data };
  const expected = parameters(tool).join(", ") || "none";
  return {
    ok: false,
    problem: `Not run: the arguments do not fit (parameters: ${expected}).\n${wrong}`,
  };
}

function parameters({ input, foreign }: ToolSpec): readonly string[] {
  if (foreign === undefined) return Object.keys(input.shape);
  const { properties } = foreign.shown;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** The first non-empty value among a parameter's own name and its aliases, else the first that is present. */
function withAliases(tool: ToolSpec, input: unknown): unknown {
  if (tool.aliases === undefined || input === null || typeof input !== "object") return input;
  const bound: Record<string, unknown> = { ...input };
  for (const [name, aliases] of Object.entries(tool.aliases)) {
    const present = [name, ...aliases].filter((key) => bound[key] !== undefined);
    const chosen = present.find((key) => bound[key] !== "" && bound[key] !== null) ?? present[0];
    if (chosen === undefined) continue;
    const value = bound[chosen];
    for (const alias of aliases) if (!(alias in tool.input.shape)) delete bound[alias];
    bound[name] = value;
  }
  return bound;
}
