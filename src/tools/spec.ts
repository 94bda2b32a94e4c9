/** How a tool is declared, what its results look like, and the definition that a model is shown. */
import * as z from "zod";
import { memo } from "@/lib/memo.ts";
import type { JsonSchema, ToolDefinition, ToolResult, ToolSpec } from "@/protocol/tool.ts";

/** Declare a tool. Only checks types; a tool is its declaration. */
export function defineTool<I extends z.ZodObject>(spec: ToolSpec<I>): ToolSpec {
  // One cast at the boundary between the typed declaration and the list: dispatch hands `run` only what `input` has read.
  return spec as unknown as ToolSpec;
}

type More = Pick<ToolResult, "changed" | "meta" | "parts">;

/** Done. */
export function ok(text: string, more: More = {}): ToolResult {
  return { status: "ok", text, ...more };
}

/** Tried and failed; the text says what was being done, what is there now, and what would work. */
export function failed(text: string, more: More = {}): ToolResult {
  return { status: "failed", text, ...more };
}

/** Refused before anything was done. */
export function denied(text: string, more: More = {}): ToolResult {
  return { status: "denied", text, ...more };
}

/** What the model is shown of a tool: its JSON Schema without what providers refuse. */
export function definition(tool: ToolSpec): ToolDefinition {
  return {
    name: tool.name,
    description: tool.description,
    schema: advertised(tool),
    ...(tool.raw === undefined ? {} : { raw: tool.raw }),
  };
}

function advertised({ input, foreign, hidden = [] }: ToolSpec): JsonSchema {
  if (foreign !== undefined) return foreign.shown;
  const schema = jsonSchema(input);
  if (hidden.length === 0) return schema;
  const entries = Object.entries(schema.properties ?? {});
  const properties = Object.fromEntries(entries.filter(([name]) => !hidden.includes(name)));
  return { ...schema, properties };
}

/** JSON Schema of a zod object, as models want it: no `$schema`, no 2^53 bounds, defaulted fields optional. */
export const jsonSchema: (input: z.ZodObject) => JsonSchema = memo((input) =>
  // { io: "input" }: zod otherwise lists defaulted fields as required (zod 4.6).
  tidy(z.toJSONSchema(input, { io: "input" })) as JsonSchema
);

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (node === null || typeof node !== "object") return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "$schema") continue;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    kept[key] = tidy(value);
  }
  return kept;
}
