/** Forget a memory. */
import * as z from "zod";
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { MEMORY_ID, noMemory } from "./memory_input.ts";
import { defineTool, ok } from "./spec.ts";

export const deleteMemory = (memories: MemoryStore): ToolSpec =>
  defineTool({
    name: "delete_memory",
    description: "Forget a memory for good.",
    input: z.object({ id: MEMORY_ID }),
    aliases: { id: ["key", "name"] },
    effect: () => "changes",
    subject: ({ id }) => ({ kind: "text", text: id }),
    summary: ({ id }, result) => {
      if (result === undefined) return `forget ${id}`;
      return result.status === "ok" ? `forgot ${id}` : `did not forget ${id}`;
    },
    preview: async ({ id }) => (await memories.find(id))?.content,
    async run({ id }) {
      const said = await memories.remove(id);
      // What is gone stands in the conversation, from which it can be kept anew.
      return said === undefined
        ? await noMemory("forget", id, memories)
        : ok(`[Memory] Forgot "${id}", which said: ${said}`);
    },
  });
