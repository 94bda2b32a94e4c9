/** Keep something across conversations. */
import * as z from "zod";
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, failed, ok } from "./spec.ts";
import { MEMORY_ID, MEMORY_TEXT } from "./memory_input.ts";

export const writeMemory = (memories: MemoryStore): ToolSpec =>
  defineTool({
    name: "write_memory",
    description:
      "Keep a fact, preference or instruction of the user for later conversations. Never a password or key.",
    input: z.object({
      id: MEMORY_ID.describe("Short name"),
      content: MEMORY_TEXT,
      important: z.boolean().optional()
        .describe("Shown in every conversation; the user is asked"),
    }),
    aliases: { id: ["key", "name"], content: ["value", "text"] },
    effect: () => "changes",
    keepsOwn: ({ important }) => important !== true,
    subject: ({ id }) => ({ kind: "text", text: id }),
    summary: ({ id }, result) => {
      if (result === undefined) return `remember ${id}`;
      return result.status === "ok" ? `remembered ${id}` : `did not remember ${id}`;
    },
    preview: ({ content }) => Promise.resolve(content),
    async run({ id, content, important = false }) {
      const written = await memories.write({ id, content, important });
      if (written.kind === "written") return ok(`[Memory] Kept as "${id}"`);
      return failed(
        `A memory "${id}" is there already and says: ${written.memory.content}\n` +
          `It was left as it is; edit_memory changes it, another id keeps both`,
      );
    },
  });
