/** What the memory tools share: how an entry is named, and the sentence for one that is not there. */
import * as z from "zod";
import { nearest } from "@/lib/nearest.ts";
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { failed } from "./spec.ts";

const ID_CHARS_MAX = 100;
const CONTENT_CHARS_MAX = 20_000;

export const MEMORY_ID = z.string().trim().min(1).max(ID_CHARS_MAX);

export const MEMORY_TEXT = z.string().trim().min(1).max(CONTENT_CHARS_MAX);

export async function noMemory(
  doing: string,
  id: string,
  memories: MemoryStore,
): Promise<ToolResult> {
  const ids = (await memories.list()).map((memory) => memory.id);
  const near = nearest(id, ids);
  const hint = near === undefined ? "get_memory_list lists what there is" : `"${near}" is one`;
  return failed(`Cannot ${doing} "${id}": there is no memory with that id; ${hint}`);
}
