import type { JsonSchema } from "@/protocol/tool.ts";

/** Each definition names the next one twice. */
export function doublingSchema(depth: number): JsonSchema {
  const $defs = Object.fromEntries(Array.from({ length: depth }, (_, at) => [`D${at}`, {
    type: "object",
    properties: { a: { $ref: `#/$defs/D${at + 1}` }, b: { $ref: `#/$defs/D${at + 1}` } },
  }]));
  const last = { [`D${depth}`]: { type: "string" } };
  return {
    type: "object",
    properties: { a: { $ref: "#/$defs/D0" } },
    $defs: { ...$defs, ...last },
  };
}
