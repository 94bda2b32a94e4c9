import { deepStrictEqual as equal, match } from "node:assert/strict";
import { join } from "node:path";
import { readOnly } from "@/agent/guards/read_only.ts";
import { ownState } from "@/agent/guards/own_state.ts";
import { bind } from "@/agent/bind.ts";
import { MemoryStore } from "@/memory/store.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { memoryTools } from "@/tools/mod.ts";
import { testHost } from "../support/tool_host.ts";
import { withWorkspace } from "../support/workspace.ts";

function byName(tools: readonly ToolSpec[], name: string): ToolSpec {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`No tool is named "${name}"`);
  return tool;
}

Deno.test("the memory tools keep, list, show, change and forget, and say what is there instead", () =>
  withWorkspace(async (dir) => {
    const now = () => new Date("2026-11-30T10:00:00Z");
    const tools = memoryTools(new MemoryStore(join(dir, "memory.json"), now));
    const run = async (name: string, input: Record<string, unknown>) => {
      const tool = byName(tools, name);
      const bound = bind(tool, input);
      if (!bound.ok) throw new Error(bound.problem);
      const result = await tool.run(bound.input, testHost(dir));
      return `${tool.summary(bound.input, result)} | ${result.status} | ${result.text}`;
    };
    equal(
      await run("get_memory_list", {}),
      "listed 0 memories | ok | [Memory] Nothing is kept yet",
    );
    equal(
      await run("write_memory", { key: "editor", value: "helix" }),
      'remembered editor | ok | [Memory] Kept as "editor"',
    );
    match(
      await run("write_memory", { id: "editor", content: "vim" }),
      /^did not remember editor \| failed \| .*says: helix\n.*edit_memory/s,
    );
    equal(
      await run("get_memory_list", {}),
      "listed 1 memory | ok | [Memory]\n1. editor (2026-11-30): helix",
    );
    equal(
      await run("edit_memory", { id: "editor", new_content: "vim" }),
      'changed the memory editor | ok | [Memory] Changed "editor"',
    );
    equal(await run("read_memory", { id: "editor" }), "recalled editor | ok | vim");
    match(
      await run("read_memory", { id: "editr" }),
      /did not find editr \| failed \| .*"editor" is one$/,
    );
    equal(
      await run("delete_memory", { id: "editor" }),
      'forgot editor | ok | [Memory] Forgot "editor", which said: vim',
    );
    match(
      await run("delete_memory", { id: "editor" }),
      /failed \| .*get_memory_list lists what there is$/,
    );
  }));

Deno.test("keeping something needs no question; what every later conversation shows, and what is lost, does", () => {
  const tools = memoryTools({} as MemoryStore);
  const verdict = (name: string, input: Record<string, unknown>) => {
    const call = { tool: byName(tools, name), input } as unknown as GuardedCall;
    return ownState()(call);
  };
  const allowed = {
    verdict: "allow",
    by: "guard",
    reason: "it only adds to what is kept for the model",
  };
  equal(verdict("write_memory", { id: "a", content: "x" }), allowed);
  for (
    const [name, input] of [
      ["write_memory", { id: "a", content: "x", important: true }],
      ["edit_memory", { id: "a", new_content: "x" }],
      ["delete_memory", { id: "a" }],
    ] as const
  ) equal(verdict(name, input), undefined, name);
});

Deno.test("a stage that only reads keeps nothing", async () => {
  const tool = byName(memoryTools({} as MemoryStore), "write_memory");
  const call = { tool, input: {}, effect: tool.effect({}) } as unknown as GuardedCall;
  equal((await readOnly(() => true)(call))?.verdict, "deny");
});
