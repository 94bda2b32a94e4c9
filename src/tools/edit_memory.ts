/** Give a memory another content. */
import * as z from "zod";
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { MEMORY_ID, MEMORY_TEXT, noMemory } from "./memory_input.ts";
import { defineTool, ok } from "./spec.ts";

export const editMemory = (memories: MemoryStore): ToolSpec =>
  defineTool({
    name: "edit_memory",
    description: "Replace what a memory says.",
    input: z.object({
      id: MEMORY_ID,
      new_content: MEMORY_TEXT.describe("The whole new content"),
    }),
    aliases: { id: ["key", "name"], new_content: ["content", "value", "text"] },
    effect: () => "changes",
    subject: ({ id }) => ({ kind: "text", text: id }),
    summary: ({ id }, result) => {
      if (result === undefined) return `change the memory ${id}`;
      return result.status === "ok" ? `changed the memory ${id}` : `did not change ${id}`;
    },
    preview: async ({ id, new_content }) => {
      const known = (await memories.find(id))?.content;
      return known === undefined ? new_content : `it says: ${known}\nit would say: ${new_content}`;
    },
    async run({ id, new_content }) {
      const isThere = await memories.edit(id, new_content);
      return isThere ? ok(`[Memory] Changed "${id}"`) : await noMemory("change", id, memories);
    },
  });
