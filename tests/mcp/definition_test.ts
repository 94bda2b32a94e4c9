import { deepStrictEqual as equal } from "node:assert/strict";
import { coerceInput } from "@/lib/coerce.ts";
import { remoteTool } from "@/mcp/definition.ts";

Deno.test("remoteTool() shows what references name, so that values are read by it", () => {
  const tool = remoteTool({
    name: "resize",
    inputSchema: {
      type: "object",
      properties: { width: { $ref: "#/$defs/Size" }, at: { $ref: "#/$defs/Point" } },
      required: ["width"],
      $defs: { Size: { type: "integer" }, Point: { properties: { x: { $ref: "#/$defs/Size" } } } },
    },
  });
  const size = { type: "integer" };
  equal(tool.shown, {
    type: "object",
    properties: { width: size, at: { properties: { x: size } } },
    required: ["width"],
  });
  equal(coerceInput({ width: "5", at: { x: "6" } }, tool.shown), { width: 5, at: { x: 6 } });
});
