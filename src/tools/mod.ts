/** The tools, in the order in which models are shown them. The order is part of every request's cached prefix. */
import type { MemoryStore } from "@/memory/store.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { Processes } from "@/sandbox/processes.ts";
import type { FileWork } from "@/workspace/file_work.ts";
import type { Git } from "@/workspace/git.ts";
import type { Syntax } from "@/workers/syntax.ts";
import type { Symbols } from "@/workspace/syntax/symbols.ts";
import type { Readings } from "@/workspace/readings.ts";
import type { Searching } from "@/workspace/search_on_demand.ts";
import type { ChannelToolParts } from "./channel_parts.ts";
import { claimFiles } from "./claim_files.ts";
import { type ApiParts, callApi } from "./call_api.ts";
import { copyFile } from "./copy_file.ts";
import { createDir } from "./create_dir.ts";
import { deleteFile } from "./delete_file.ts";
import { deleteMemory } from "./delete_memory.ts";
import { editFile } from "./edit_file.ts";
import { editMemory } from "./edit_memory.ts";
import { endProcess } from "./end_process.ts";
import { findSymbol } from "./find_symbol.ts";
import { getCodeSkeleton } from "./get_code_skeleton.ts";
import { getMemoryList } from "./get_memory_list.ts";
import { getSystemInfo } from "./get_system_info.ts";
import { getUserInput } from "./get_user_input.ts";
import { getUrl } from "./get_url.ts";
import { gitDiff } from "./git_diff.ts";
import { gitStatus } from "./git_status.ts";
import { listAgents } from "./list_agents.ts";
import { listDir } from "./list_dir.ts";
import { queryAstNode } from "./query_ast_node.ts";
import { listMcpResources } from "./list_mcp_resources.ts";
import type { McpCallParts } from "./mcp_tool.ts";
import { readFile } from "./read_file.ts";
import { readMemory } from "./read_memory.ts";
import { readMcpResource } from "./read_mcp_resource.ts";
import { releaseFiles } from "./release_files.ts";
import { type CommandParts, runCmd } from "./run_cmd.ts";
import { type PythonParts, runPython } from "./run_python.ts";
import { searchInFile } from "./search_in_file.ts";
import { searchWeb, type WebSearchParts } from "./search_web.ts";
import { sendAgentMessage } from "./send_agent_message.ts";
import { sendInput } from "./send_input.ts";
import { spawnAgent } from "./spawn_agent.ts";
import { type PlanParts, submitPlan } from "./submit_plan.ts";
import { type SkillParts, useSkill } from "./use_skill.ts";
import { viewImage } from "./view_image.ts";
import { type McpServersParts, useMcpServer } from "./use_mcp_server.ts";
import { writeFile } from "./write_file.ts";
import { writeMemory } from "./write_memory.ts";

/** What the tools for files work with. */
export type FileToolParts = { files: FileWork; search: Searching };

/** Files and directories. */
export function fileTools({ files, search }: FileToolParts): readonly ToolSpec[] {
  return [
    listDir,
    searchInFile(search),
    readFile(files),
    viewImage,
    writeFile(files),
    editFile(files),
    deleteFile(files),
    copyFile(files),
    createDir(files),
  ];
}

/** What the tools for syntax trees work with. */
export type SyntaxToolParts = { syntax: Syntax; symbols: Symbols; readings: Readings };

/** Syntax trees. */
export function syntaxTools(parts: SyntaxToolParts): readonly ToolSpec[] {
  return [getCodeSkeleton(parts.syntax), queryAstNode(parts), findSymbol(parts)];
}

/** Commands. */
export function commandTools(commands: CommandParts): readonly ToolSpec[] {
  return [runCmd(commands), sendInput(commands), endProcess(commands)];
}

/** Python. */
export function pythonTools(python: PythonParts): readonly ToolSpec[] {
  return [runPython(python)];
}

/** Git. */
export function gitTools(git: Git): readonly ToolSpec[] {
  return [gitStatus(git), gitDiff(git)];
}

/** The machine. */
export function systemTools(processes: Processes): readonly ToolSpec[] {
  return [getSystemInfo(processes)];
}

/** The other agents in the project. */
export function channelTools(channel: ChannelToolParts): readonly ToolSpec[] {
  return [
    listAgents(channel),
    sendAgentMessage(channel),
    claimFiles(channel),
    releaseFiles(channel),
  ];
}

/** What the person is asked. */
export function questionTools(): readonly ToolSpec[] {
  return [getUserInput];
}

/** Plans. */
export function planTools(parts: PlanParts): readonly ToolSpec[] {
  return [submitPlan(parts)];
}

/** What the tools for the web work with. */
export type WebToolParts = ApiParts & WebSearchParts;

/** The web. */
export function webTools(parts: WebToolParts): readonly ToolSpec[] {
  return [getUrl(parts), searchWeb(parts), callApi(parts)];
}

/** Sub-agents. */
export function agentTools(): readonly ToolSpec[] {
  return [spawnAgent];
}

/** What is kept across conversations. */
export function memoryTools(memories: MemoryStore): readonly ToolSpec[] {
  return [
    writeMemory(memories),
    getMemoryList(memories),
    readMemory(memories),
    editMemory(memories),
    deleteMemory(memories),
  ];
}

/** What the tools about MCP servers work with. */
export type McpToolParts = McpServersParts & Pick<McpCallParts, "kept" | "resultCharsMax">;

/** MCP servers; their own tools are made when they are attached. */
export function mcpTools(parts: McpToolParts): readonly ToolSpec[] {
  return [useMcpServer(parts), listMcpResources(parts), readMcpResource(parts)];
}

/** Skills. */
export function skillTools(parts: SkillParts): readonly ToolSpec[] {
  return [useSkill(parts)];
}

/** What all tools work with. */
export type ToolParts = FileToolParts & SyntaxToolParts & WebToolParts & {
  git: Git;
  processes: Processes;
  commands: CommandParts;
  python: PythonParts;
  channel: ChannelToolParts;
  plans: PlanParts;
  memories: MemoryStore;
  mcp: McpToolParts;
  skills: SkillParts;
};

/** The names of all tools, other names that they are known by included. */
export function toolNames(): readonly string[] {
  // Nothing of what tools work with is touched before they run.
  return allTools({} as ToolParts).flatMap(({ name, otherNames }) => [name, ...(otherNames ?? [])]);
}

/** All tools: what README's table and the tests read. A conversation has those of its features, in the same order. */
export function allTools(parts: ToolParts): readonly ToolSpec[] {
  return [
    ...fileTools(parts),
    ...syntaxTools(parts),
    ...commandTools(parts.commands),
    ...pythonTools(parts.python),
    ...gitTools(parts.git),
    ...systemTools(parts.processes),
    ...channelTools(parts.channel),
    ...questionTools(),
    ...planTools(parts.plans),
    ...webTools(parts),
    ...agentTools(),
    ...memoryTools(parts.memories),
    ...mcpTools(parts.mcp),
    ...skillTools(parts.skills),
  ];
}
