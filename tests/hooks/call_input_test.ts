import { deepStrictEqual as equal } from "node:assert/strict";
import { changedInput } from "@/hooks/call_input.ts";
import { fc } from "../support/property.ts";

const told = (tool: string, input: Record<string, unknown>) => ({
  tool_name: "x",
  harness_tool: tool,
  tool_input: input,
  tool_use_id: "1",
});
const read = told("read_file", { filepath: "a", file_path: "/w/a", start: 3, offset: 3 });

Deno.test("changedInput() takes their words over, ours where they alone were changed, and drops what is left out", () => {
  const cases: readonly (readonly [Record<string, unknown>, unknown])[] = [
    [{ ...read.tool_input }, undefined],
    [{ file_path: "/w/b" }, { filepath: "/w/b" }],
    [{ ...read.tool_input, file_path: "/w/b" }, { filepath: "/w/b", start: 3 }],
    [{ ...read.tool_input, filepath: "b" }, { filepath: "b", start: 3 }],
    [{ ...read.tool_input, filepath: "b", file_path: "/w/c" }, { filepath: "/w/c", start: 3 }],
    [{ filepath: "a" }, { filepath: "a" }],
    [{}, {}],
  ];
  for (const [instead, wanted] of cases) equal(changedInput(instead, read), wanted);
  equal(changedInput({ command: "b", extra: 1 }, told("run_cmd", { command: "a" })), {
    command: "b",
    extra: 1,
  });
});

Deno.test("changedInput() finds nothing changed in what it was told, for any tool and input", () => {
  const tools = fc.constantFrom("run_cmd", "write_file", "edit_file", "read_file", "mcp__a__b");
  fc.assert(fc.property(tools, fc.dictionary(fc.string(), fc.jsonValue()), (tool, input) => {
    equal(changedInput({ ...input }, told(tool, input)), undefined);
  }));
});
