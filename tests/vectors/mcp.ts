/** The `mcp` vectors against src/mcp, and the feature's fold of what a history has loaded. */
import { z } from "zod";
import { findTool } from "@/agent/find_tool.ts";
import { loadedIn } from "@/features/mcp/offers.ts";
import { isAnnounced } from "@/mcp/announce.ts";
import { readServers } from "@/mcp/config.ts";
import { type NamedTool, nameTools, slug } from "@/mcp/names.ts";
import { callFacts, clipped } from "@/mcp/result.ts";
import { resultText } from "@/lib/tool_result.ts";
import type { Message } from "@/protocol/message.ts";
import { DEFAULT_SETTINGS } from "@/settings/settings.ts";
import { mcpTool } from "@/tools/mcp_tool.ts";
import { KeptTexts } from "@/mcp/kept.ts";
import { entryOf, scripted, serverOf } from "../support/mcp.ts";
import { withProcesses } from "../support/processes.ts";
import { callTool, testHost } from "../support/tool_host.ts";
import type { Adapter } from "./adapter.ts";

const PLACE = { env: {}, workspace: "/" };
const slugInput = z.strictObject({ name: z.string() });
const resolveInput = z.strictObject({
  servers: z.record(z.string(), z.array(z.string())),
  name: z.string(),
});
const lazyInput = z.strictObject({
  tools: z.number(),
  MCP_LAZY_MIN_TOOLS: z.number().default(DEFAULT_SETTINGS.MCP_LAZY_MIN_TOOLS),
  MCP_LAZY_TOOLS: z.boolean().default(DEFAULT_SETTINGS.MCP_LAZY_TOOLS),
});
const callInput = z.strictObject({ call: z.string() });
const historyInput = z.strictObject({ history: z.array(z.unknown()).length(0) });
const expandInput = z.strictObject({ value: z.string(), env: z.record(z.string(), z.string()) });
const entryInput = z.strictObject({ entry: z.record(z.string(), z.unknown()) });
const filesInput = z.strictObject({
  project: z.record(z.string(), z.unknown()),
  personal: z.record(z.string(), z.unknown()),
});
const cutInput = z.strictObject({ chars: z.number() });
const resultInput = z.strictObject({
  result: z.object({
    isError: z.boolean(),
    content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  }),
});

const mcp: Adapter = async (input) => {
  const calls = callInput.safeParse(input);
  return calls.success ? await called(calls.data.call) : plain(input);
};

export const adapters: Readonly<Record<string, Adapter>> = { mcp };

function plain(input: unknown): unknown {
  const named = slugInput.safeParse(input);
  if (named.success) return { slug: slug(named.data.name) };
  const resolved = resolveInput.safeParse(input);
  if (resolved.success) {
    const { servers, name } = resolved.data;
    const tools = nameTools(new Map(Object.entries(servers)));
    return { resolves: findTool(name, tools.map(asCalled)) !== undefined };
  }
  const lazy = lazyInput.safeParse(input);
  if (lazy.success) {
    const { tools, MCP_LAZY_TOOLS: isLazy, MCP_LAZY_MIN_TOOLS: toolsMin } = lazy.data;
    return { announced: isAnnounced(tools, { isLazy, toolsMin }) };
  }
  const history = historyInput.safeParse(input);
  if (history.success) return { loaded: [...loadedIn([])] };
  return ofFiles(input) ?? ofResults(input);
}

function ofFiles(input: unknown): unknown {
  const value = expandInput.safeParse(input);
  if (value.success) {
    const { value: text, env } = value.data;
    const headers = { Authorization: text };
    const [server] = read([{ s: { url: "https://x/", headers } }], env);
    const start = server?.start;
    const header = start !== undefined && "headers" in start
      ? start.headers["Authorization"]
      : null;
    return { value: header, started: start !== undefined, notice: server?.problem };
  }
  const entry = entryInput.safeParse(input);
  if (entry.success) return { transport: read([{ s: entry.data.entry }])[0]?.start?.kind };
  const files = filesInput.safeParse(input);
  if (!files.success) return undefined;
  // A number stands for an entry that is told apart from others.
  const entries = (given: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, mark]) => [name, { command: "x", args: [`${mark}`] }]),
    );
  const servers = read([entries(files.data.project), entries(files.data.personal)]);
  return {
    servers: Object.fromEntries(
      servers.map(({ name, start }) => [
        name,
        start?.kind === "stdio" ? Number(start.args[0]) : undefined,
      ]),
    ),
  };
}

function read(files: readonly Record<string, unknown>[], env: Record<string, string> = {}) {
  const [project = {}, personal] = files;
  const file = (servers: unknown, origin: "project" | "person") => ({
    label: origin,
    origin,
    text: JSON.stringify({ mcpServers: servers }),
  });
  return readServers(
    [file(project, "project"), ...(personal === undefined ? [] : [file(personal, "person")])],
    { ...PLACE, env },
  ).servers;
}

function ofResults(input: unknown): unknown {
  const cut = cutInput.safeParse(input);
  if (cut.success) {
    const text = "x".repeat(cut.data.chars);
    const shown = clipped(text, DEFAULT_SETTINGS.MCP_RESULT_CHARS, () => "");
    return {
      kept: shown.replace(/\n\[.*\]\n/, "").length,
      says: Number(/(\d+) characters/.exec(shown)?.[1]),
    };
  }
  const result = resultInput.safeParse(input);
  if (!result.success) return undefined;
  const { text, isError } = callFacts(result.data.result);
  const status = isError ? "failed" : "ok";
  return { starts_with: resultText({ status, text }, { name: "mcp__s__t", input: {} }) };
}

/** The names by which a tool of a server is called. */
function asCalled(named: NamedTool) {
  return { ...named, otherNames: [named.full] };
}

/** A tool of a big server, by its name, and what the history then has loaded. */
async function called(name: string): Promise<unknown> {
  const [, slug = "", tool = ""] = name.split("__");
  let answer: unknown;
  await withProcesses(async (processes) => {
    const entry = entryOf(scripted({ tools: [{ name: tool }], count: 24 }), slug);
    const server = serverOf(processes, entry);
    await server.connect();
    const named = nameTools(new Map([[slug, server.tools.map((one) => one.tool)]]));
    const found = findTool(name, named.map(asCalled));
    const remote = server.tools.find((one) => one.tool === found?.tool);
    if (found === undefined || remote === undefined) throw new Error(`No tool is named "${name}"`);
    const parts = {
      kept: new KeptTexts(),
      resultCharsMax: () => 8_000,
      effectOf: () => "changes" as const,
    };
    const spec = mcpTool({ server, remote, named: found }, parts, false);
    const result = await callTool(spec, {}, testHost("/"));
    await server.close();
    const message: Message = { role: "tool", callId: "1", name: spec.name, result };
    answer = { runs: result.status === "ok", loaded: [...loadedIn([message])] };
  });
  return answer;
}
