/** Show one memory whole. */
import * as z from "zod";
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { MEMORY_ID, noMemory } from "./memory_input.ts";
import { defineTool, ok } from "./spec.ts";

export const readMemory = (memories: MemoryStore): ToolSpec =>
  defineTool({
    name: "read_memory",
    description: "Show one memory whole.",
    input: z.object({ id: MEMORY_ID }),
    aliases: { id: ["key", "name"] },
    effect: () => "reads",
    subject: ({ id }) => ({ kind: "text", text: id }),
    summary: ({ id }, result) => {
      if (result === undefined) return `recall ${id}`;
      return result.status === "ok" ? `recalled ${id}` : `did not find ${id}`;
    },
    async run({ id }) {
      const memory = await memories.find(id);
      return memory === undefined ? await noMemory("read", id, memories) : ok(memory.content);
    },
  });
