/** A rule that denies reading a file keeps its lines out of every tool that shows lines of many files. */
import { sep } from "node:path";
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";

/** The tools whose deny rules count, and how each takes a path. */
const READERS: Readonly<Record<string, (path: string) => Record<string, unknown>>> = {
  read_file: (filepath) => ({ filepath }),
  search_in_file: (path) => ({ query: "", path }),
};

/** What decides. `tools` is asked when a path is, because a search is one of them. */
export type MayReadParts = {
  denied: (call: GuardedCall) => Decision | undefined;
  tools: () => readonly ToolSpec[];
  /** Directories that no tool may touch: the state directory. */
  forbidden: readonly string[];
};

/** Whether a real path may be read: it lies in no forbidden directory, and no deny rule stands against it. */
export function mayReadBy({ denied, tools, forbidden }: MayReadParts): (path: string) => boolean {
  return (path) =>
    !forbidden.some((directory) => path === directory || path.startsWith(directory + sep)) &&
    tools().every((tool) => {
      const input = READERS[tool.name]?.(path);
      if (input === undefined) return true;
      const subject = { kind: "path", paths: [path] } as const;
      return denied({ id: "", tool, input, effect: "reads", subject, outside: false }) ===
        undefined;
    });
}
