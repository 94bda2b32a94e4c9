import assert from "node:assert/strict";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { advertisedParameters, toolPrompt } from "@/provider/prompt_tools.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { TOOLS } from "./tool_text/tools.ts";

Deno.test("toolPrompt() offers every tool with its parameters and blocks", () => {
  const prompt = toolPrompt(TOOLS);
  for (
    const line of [
      "read_file(filepath, start?: integer, end?: integer)",
      "write_file(filepath) + <content>",
      "edit_file(filepath) + <old_content>? + <new_content>",
      "run_cmd(command) + <stdin>?",
      "search_in_file(query, is_regex?: boolean)",
      "git_status()",
    ]
  ) assert.ok(prompt.split("\n").includes(line), line);
});

Deno.test("toolPrompt() gives the same bytes for the same tools", () => {
  assert.equal(toolPrompt(TOOLS), toolPrompt(structuredClone(TOOLS)));
});

Deno.test("toolPrompt() teaches calls that are read as they are", () => {
  const examples = toolPrompt(TOOLS).match(/<tool_call>\n\{[\s\S]*?<\/tool_call>/g) ?? [];
  const calls = examples.flatMap((example) => readCalls(example, { tools: TOOLS }).calls);
  assert.deepEqual(calls.map(({ name, input }) => [name, input]), [
    ["read_file", { filepath: "src/notes.txt" }],
    ["write_file", { filepath: "src/notes.txt", content: "the first line\nthe second line" }],
  ]);
});

Deno.test("toolPrompt() says what parameters mean and how lists and choices look", () => {
  const tool: ToolDefinition = {
    name: "plan",
    description: "Make a plan.",
    schema: {
      type: "object",
      properties: {
        steps: {
          type: "array",
          items: {
            type: "object",
            properties: { what: { type: "string" }, at: { type: "integer" } },
          },
          description: "What is done,\n  in order",
        },
        mode: { enum: ["fast", "slow"] },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        size: { $ref: "#/$defs/Size" },
      },
      required: ["steps"],
      $defs: { Size: { type: "string", enum: ["s", "l"] } },
    },
  };
  assert.ok(
    toolPrompt([tool]).endsWith(
      [
        'plan(steps: list of {what: string, at: integer}, mode?: "fast"|"slow", note?: string|null, size?: "s"|"l")',
        "Make a plan.",
        "- steps: What is done, in order",
      ].join("\n"),
    ),
  );
});

Deno.test("toolPrompt() says nothing of blocks where no tool has one, and nothing at all without tools", () => {
  const [read] = TOOLS;
  assert.ok(read !== undefined && !toolPrompt([read]).includes("block"));
  assert.equal(toolPrompt([]), "");
});

Deno.test("toolPrompt() stays short: what is said besides the tools is under 2,500 characters", () => {
  const entries = TOOLS.map(({ name, description }) => name.length + description.length);
  const own = entries.reduce((sum, length) => sum + length + 60, 0);
  assert.ok(toolPrompt(TOOLS).length - own < 2_500, String(toolPrompt(TOOLS).length));
});

Deno.test("advertisedParameters() leaves out what is written as a block", () => {
  assert.deepEqual(TOOLS.slice(0, 3).map(advertisedParameters), [
    ["filepath", "start", "end"],
    ["filepath"],
    ["filepath"],
  ]);
});
