import { deepStrictEqual as equal, ok } from "node:assert/strict";
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

Deno.test("remoteTool() tells less of parameters that would fill the window, and never loses the required ones first", () => {
  const wide = (count: number, description: string) =>
    remoteTool({
      name: "wide",
      title: "t".repeat(10_000),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`p${at}`, { type: "string", description }]),
        ),
        required: [`p${count - 1}`],
      },
    });
  const length = ({ shown }: ReturnType<typeof wide>) => JSON.stringify(shown).length;
  const told = (count: number, description: string) => {
    const tool = wide(count, description);
    ok(length(tool) <= 20_000 && tool.title.length <= 101, `${length(tool)}`);
    return tool.shown.properties as Record<string, unknown>;
  };
  equal(told(3, "d").p2, { type: "string", description: "d" });
  equal(told(300, "d".repeat(2_000)).p299, { type: "string" });
  equal(Object.keys(told(300, "d".repeat(2_000))).length, 300);
  const many = told(20_000, "d");
  ok(Object.hasOwn(many, "p19999") && Object.hasOwn(many, "p0") && !Object.hasOwn(many, "p19998"));
});
