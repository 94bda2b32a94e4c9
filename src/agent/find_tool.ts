/** The tool that a call means by a name: its own or another one that models use, else a spelling that is no other's name. */
import type { ToolSpec } from "@/protocol/tool.ts";

/** Find it. */
export function findTool<T extends Pick<ToolSpec, "name" | "otherNames" | "spellings">>(
  name: string,
  tools: readonly T[],
): T | undefined {
  return tools.find((tool) => tool.name === name || tool.otherNames?.includes(name)) ??
    tools.find(({ spellings }) => spellings?.includes(name));
}
