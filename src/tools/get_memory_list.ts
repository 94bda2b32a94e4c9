/** List what was kept. */
import * as z from "zod";
import { counted } from "@/lib/counted.ts";
import { type MemoryStore, preview } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "./spec.ts";

const SHOWN_MAX = 200;

export const getMemoryList = (memories: MemoryStore): ToolSpec =>
  defineTool({
    name: "get_memory_list",
    description: "List the memories: id, date and beginning.",
    input: z.object({}),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: (_, result) =>
      result?.status === "ok"
        ? `listed ${counted(Number(result.meta?.count), "memory", "memories")}`
        : "list memories",
    async run() {
      const all = await memories.list();
      const rows = all.slice(0, SHOWN_MAX).map((memory, at) => {
        const { id, at: when, important } = memory;
        const about = [
          ...(when === "" ? [] : [when.slice(0, 10)]),
          ...(important ? ["important"] : []),
        ];
        const note = about.length === 0 ? "" : ` (${about.join(", ")})`;
        return `${at + 1}. ${id}${note}: ${preview(memory)}`;
      });
      const left = all.length - rows.length;
      const text = all.length === 0
        ? "[Memory] Nothing is kept yet"
        : ["[Memory]", ...rows, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
      return ok(text, { meta: { count: all.length } });
    },
  });
