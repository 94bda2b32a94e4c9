/** Tools for the tests of the text protocol: the shapes that matter, not the product's own declarations. */
import type { ToolDefinition } from "@/protocol/tool.ts";
import { readCalls, type ReadOptions } from "@/provider/tool_text/read_calls.ts";

export const TOOLS: readonly ToolDefinition[] = [
  tool("read_file", { filepath: "string", start: "integer", end: "integer" }, {
    required: ["filepath"],
  }),
  tool("write_file", { filepath: "string", content: "string" }, { raw: ["content"] }),
  tool("edit_file", { filepath: "string", old_content: "string", new_content: "string" }, {
    required: ["filepath", "new_content"],
    raw: ["old_content", "new_content"],
  }),
  tool("run_cmd", { command: "string", stdin: "string" }, {
    required: ["command"],
    raw: ["stdin"],
  }),
  tool("search_in_file", { query: "string", is_regex: "boolean" }, { required: ["query"] }),
  tool("run_python", { content: "string" }, { raw: ["content"] }),
  tool("list_dir", { dirpath: "string" }),
  tool("get_url", { url: "string" }),
  tool("write_memory", { id: "string", content: "string" }),
  tool("claim_files", { paths: "array" }),
  tool("git_status", {}),
];

function tool(
  name: string,
  parameters: Readonly<Record<string, string>>,
  { required, raw }: { required?: readonly string[]; raw?: readonly string[] } = {},
): ToolDefinition {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, type]) => [key, { type }]),
  );
  return {
    name,
    description: `What ${name} does.`,
    schema: { type: "object", properties, required: required ?? Object.keys(parameters) },
    ...(raw === undefined ? {} : { raw }),
  };
}

/** What came of a reply, short enough for tables: calls as `[name, arguments]`, the kinds of reports. */
export function outcome(
  reply: string,
  options: Partial<ReadOptions> = {},
): { calls: unknown[]; reports: string[] } {
  const read = readCalls(reply, { tools: TOOLS, ...options });
  return {
    calls: read.calls.map(({ name, input }) => [name, input]),
    reports: read.reports.map(({ kind }) => kind),
  };
}

export const READ = '{"name": "read_file", "arguments": {"filepath": "a.ts"}}';
export const READ_CALL = ["read_file", { filepath: "a.ts" }];
export const LIST = '{"name": "list_dir", "arguments": {"dirpath": "src"}}';
export const LIST_CALL = ["list_dir", { dirpath: "src" }];

/** A reply in our own format. */
export function tagged(json: string): string {
  return `<tool_call>\n${json}\n</tool_call>`;
}
