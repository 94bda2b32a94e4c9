/**
 * The `protocol.*` vectors of both files against src/provider/tool_text/ and src/provider/think_filter.ts. Both files
 * have the same shape: where `tools` are given they name what is available, else it is all of the product's tools.
 */
import { z } from "zod";
import type { ToolDefinition } from "@/protocol/tool.ts";
import { readCalls } from "@/provider/tool_text/read_calls.ts";
import { ThinkFilter } from "@/provider/think_filter.ts";

type Adapter = (input: unknown, vector: { id: string; expected: unknown }) => unknown;

/** The parameters of the tools that the vectors use; a mark says which are raw blocks or no text. */
const PARAMETERS: Readonly<Record<string, string>> = {
  search_web: "query",
  get_url: "url",
  run_cmd: "command stdin*",
  send_input: "session stdin*",
  end_process: "session",
  run_python: "content* stdin* reset?",
  list_dir: "dirpath",
  read_file: "filepath start# end#",
  write_file: "filepath content*",
  edit_file: "filepath old_content* new_content*",
  delete_file: "filepath",
  copy_file: "src dst",
  create_dir: "dirpath",
  git_status: "",
  git_diff: "",
  write_memory: "id content",
  get_memory_list: "",
  read_memory: "id",
  delete_memory: "id",
  edit_memory: "id new_content",
  get_user_input: "questions",
  get_system_info: "",
  search_in_file: "query is_regex?",
  call_api: "url method headers payload",
  get_code_skeleton: "file_path",
  query_ast_node: "file_path pattern language",
  submit_plan_for_approval: "context_discovered diff_blueprint verification_steps",
  spawn_agent: "task context model",
  list_agents: "",
  send_agent_message: "message to",
  claim_files: "paths reason",
  release_files: "paths",
  use_skill: "skill_name",
  use_mcp_server: "server",
};
const TYPES: Readonly<Record<string, string>> = { "?": "boolean", "#": "integer" };

const parseInput = z.strictObject({ reply: z.string(), tools: z.array(z.string()).optional() });
const streamInput = z.strictObject({
  chunks: z.array(z.string()),
  tools: z.array(z.string()).optional(),
});
const stripInput = z.strictObject({ text: z.string() });

/** The definitions of tools by name; a tool that is not ours takes one text, as an MCP tool may. */
export function definitions(names: readonly string[] = Object.keys(PARAMETERS)): ToolDefinition[] {
  return names.map((name) => {
    const words = (PARAMETERS[name] ?? "text").split(" ").filter((word) => word !== "");
    const properties = words.map((word) => [word.replace(/[*?#]$/, ""), {
      type: TYPES[word.at(-1) ?? ""] ?? "string",
    }]);
    const raw = words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
    return {
      name,
      description: "",
      schema: { type: "object", properties: Object.fromEntries(properties) },
      ...(raw.length > 0 ? { raw } : {}),
    };
  });
}

const parse: Adapter = (input) => {
  const { reply, tools } = parseInput.parse(input);
  const read = readCalls(reply, { tools: definitions(tools) });
  const isReported = read.reports.length > 0;
  return {
    calls: read.calls.map(({ name, input: values }) => [name, values]),
    reported: isReported,
    answer: read.calls.length === 0 && !isReported && read.prose.trim() !== "",
  };
};

const stream: Adapter = (input) => {
  const { chunks, tools } = streamInput.parse(input);
  const filter = new ThinkFilter({ tools: definitions(tools) });
  const shown = chunks.map((chunk) => filter.push(chunk));
  const last = filter.close();
  const pieces = [...shown, last];
  const prose = last.isDiscarded ? last.text : pieces.map(({ text }) => text).join("");
  return {
    prose,
    prose_after_each_chunk_then_close: pieces.map(({ text }) => text),
    hidden_reasoning: pieces.map(({ thinking }) => thinking).join(""),
    tool_call_seen: last.reply.sawCall,
    stored: last.reply.stored,
  };
};

const stripThinking: Adapter = (input) => {
  const { text } = stripInput.parse(input);
  return { stored: readCalls(text, { tools: definitions() }).stored };
};

export const adapters: Record<string, Adapter> = {
  "protocol.parse": parse,
  "protocol.stream": stream,
  "protocol.strip_thinking": stripThinking,
};
