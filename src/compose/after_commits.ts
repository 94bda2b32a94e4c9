/** Tools that may look at the repository wait until every edit has its commit. */
import { memo } from "@/lib/memo.ts";
import type { ToolSpec } from "@/protocol/tool.ts";

/**
 * The same tools, waiting for `committed` before they run, unless their subject is a path: those change or show files,
 * and edits do not wait for the commits of edits. The same array for the same tools.
 */
export function afterCommits(
  committed: () => Promise<void>,
): (tools: readonly ToolSpec[]) => readonly ToolSpec[] {
  return memo((tools: readonly ToolSpec[]) => tools.map((tool) => waiting(tool, committed)));
}

function waiting(tool: ToolSpec, committed: () => Promise<void>): ToolSpec {
  return {
    ...tool,
    run: async (input, host) => {
      if (tool.subject(input).kind !== "path") await committed();
      return await tool.run(input, host);
    },
  };
}
