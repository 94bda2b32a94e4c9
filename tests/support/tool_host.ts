import { join } from "node:path";
import type { ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";

/** What a test lends to a tool. `seen` collects what the person would watch. */
export type TestHost = ToolHost & { seen: string[] };

/** A host in a workspace that resolves paths by joining them. */
export function testHost(workspace: string, more: Partial<ToolHost> = {}): TestHost {
  const seen: string[] = [];
  return {
    call: { id: "call-1", name: "tool", turn: 1, raw: [] },
    workspace,
    signal: new AbortController().signal,
    resolved: (path) => join(workspace, path),
    output: (chunk) => seen.push(chunk),
    say: (line) => seen.push(line),
    ask: () => Promise.resolve(undefined),
    hire: () => Promise.reject(new Error("Nobody can be hired in a test")),
    value: () => undefined,
    seen,
    ...more,
  };
}

/** Runs a tool as dispatch does: the input is read by its schema first. */
export function callTool(tool: ToolSpec, input: unknown, host: ToolHost): Promise<ToolResult> {
  return tool.run(tool.input.parse(input), host);
}
