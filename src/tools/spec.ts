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

/** The parameters that it is shown. What they may hold at most is checked when they arrive, with a sentence. */
const advertised: (tool: ToolSpec) => JsonSchema = memo(
  ({ input, foreign, hidden = [], shownAs = {} }) => {
    if (foreign !== undefined) return foreign.shown;
    const shape = Object.entries({ ...input.shape, ...shownAs });
    const shown = Object.fromEntries(shape.filter(([name]) => !hidden.includes(name)));
    return tidy(jsonSchema(z.object(shown)), CHECKED) as JsonSchema;
  },
);

/** JSON Schema of a zod object, as models want it: no `$schema`, no 2^53 bounds, defaulted fields optional. */
export const jsonSchema: (input: z.ZodObject) => JsonSchema = memo((input) =>
  // { io: "input" }: zod otherwise lists defaulted fields as required (zod 4.6).
  tidy(z.toJSONSchema(input, { io: "input" }), NOT_TOLD) as JsonSchema
);

const NOT_TOLD: ReadonlySet<string> = new Set(["$schema"]);
const CHECKED: ReadonlySet<string> = new Set([
  "exclusiveMinimum",
  "maxItems",
  "maxLength",
  "minimum",
  "minLength",
  "propertyNames",
]);

function tidy(node: unknown, without: ReadonlySet<string>): unknown {
  if (Array.isArray(node)) return node.map((item) => tidy(item, without));
  if (node === null || typeof node !== "object") return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (without.has(key)) continue;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    kept[key] = tidy(value, without);
  }
  return kept;
}
