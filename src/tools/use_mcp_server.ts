/** Hand over the tools of a server that is announced by name. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import { META_SERVER } from "@/lib/tool_meta.ts";
import { visible } from "@/lib/visible.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { INSTRUCTIONS_CHARS_MAX } from "@/mcp/announce.ts";
import type { AttachedTool, Servers } from "@/mcp/servers.ts";
import { defineTool, failed, ok } from "./spec.ts";

/** What the tools about servers work with. */
export type McpServersParts = {
  servers(): Servers;
  /** All attached tools as they are named now. */
  attached(): readonly AttachedTool[];
  /** Whether a server is attached whose tools are only announced until they are loaded. */
  hasAnnounced(): boolean;
};

const LINE_CHARS_MAX = 120;

export const useMcpServer = (mcp: McpServersParts): ToolSpec =>
  defineTool({
    name: "use_mcp_server",
    description: "Load the tools of an MCP server that the system prompt only names.",
    input: z.object({ server: z.string().min(1) }),
    aliases: { server: ["name", "server_name"] },
    otherNames: ["load_mcp_server", "get_mcp_tool_list"],
    isOffered: () => mcp.hasAnnounced(),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: ({ server }, result) =>
      `${result === undefined ? "load" : "loaded"} the tools of MCP server ${server}`,
    run({ server: name }) {
      const server = mcp.servers().find(name.trim());
      if (server === undefined || !server.isAttached) {
        return Promise.resolve(failed(notThere(name, mcp.servers())));
      }
      const tools = mcp.attached().filter((tool) => tool.server === server);
      const rows = tools.map(({ named, remote }) => {
        const [about = ""] = remote.description.split("\n");
        return `- ${named.name}: ${clipEnd(about, LINE_CHARS_MAX)}`;
      });
      const said = visible(server.facts?.instructions ?? "").trim();
      const text = [
        `[MCP server: ${server.slug}] ${
          counted(tools.length, "tool")
        }, in your list of tools with their parameters from now on:`,
        ...rows,
        ...(said === ""
          ? []
          : [`What it says about their use: ${clipEnd(said, INSTRUCTIONS_CHARS_MAX)}`]),
      ].join("\n");
      return Promise.resolve(ok(text, { meta: { [META_SERVER]: server.slug } }));
    },
  });

/** Which servers there are instead, and how the one that was named stands. */
export function notThere(name: string, servers: Servers): string {
  const { state } = servers.find(name) ?? {};
  const attached = servers.all.filter(({ isAttached }) => isAttached).map(({ slug }) => slug);
  const others = attached.length === 0
    ? "No MCP server is attached"
    : `Attached are ${attached.join(", ")}`;
  if (state === undefined) return `No MCP server is named "${name}". ${others}`;
  const why = "why" in state ? state.why : "it is still connecting";
  return `MCP server "${name}" is not attached: ${why}. ${others}`;
}
