/** Read one resource of a server, or what was cut from a long result of one. */
import * as z from "zod";
import type { ToolSpec } from "@/protocol/tool.ts";
import { KeptTexts } from "@/mcp/kept.ts";
import { clipped, resourceText } from "@/mcp/result.ts";
import type { Server } from "@/mcp/server.ts";
import { hasResources } from "./list_mcp_resources.ts";
import type { McpCallParts } from "./mcp_tool.ts";
import { defineTool, failed, ok } from "./spec.ts";
import { type McpServersParts, notThere } from "./use_mcp_server.ts";

type Parts = McpServersParts & Pick<McpCallParts, "kept" | "resultCharsMax">;

export const readMcpResource = (mcp: Parts): ToolSpec =>
  defineTool({
    name: "read_mcp_resource",
    description: "Read a resource of an MCP server, or more of a long result.",
    input: z.object({
      uri: z.string().min(1),
      server: z.string().optional().describe("Where several could have it"),
      offset: z.int().min(0).optional().describe("Character to begin at"),
    }),
    aliases: { uri: ["url", "resource"], server: ["name", "server_name"] },
    resource: ({ uri }) => uri,
    effect: () => "reads",
    subject: ({ uri }) => ({ kind: "text", text: uri }),
    summary: ({ uri }) => `read ${uri}`,
    async run({ uri, server: name = "", offset = 0 }, host) {
      const rest = (text: string) => {
        const part = text.slice(offset);
        return ok(
          clipped(
            part,
            mcp.resultCharsMax(),
            (at) => `offset=${offset + at} shows them`,
          ),
        );
      };
      if (KeptTexts.isKept(uri)) {
        const text = mcp.kept.get(uri);
        if (text !== undefined) return rest(text);
        return failed(`"${uri}" is not kept any more; call the tool again, for less at once`);
      }
      const named = name === "" ? undefined : mcp.servers().find(name.trim());
      if (name !== "" && named?.isAttached !== true) return failed(notThere(name, mcp.servers()));
      const asked = named === undefined
        ? inOrder(mcp.servers().all.filter(hasResources), uri)
        : [named];
      const problems: string[] = [];
      for (const server of asked) {
        try {
          return rest(resourceText(await server.read(uri, host.signal)));
        } catch (error) {
          host.signal.throwIfAborted();
          if (!(error instanceof Error)) throw error;
          problems.push(error.message);
        }
      }
      return failed(
        problems.length === 0 ? "No attached MCP server offers resources" : problems.join("\n"),
      );
    },
  });

/** Who has listed it is asked first. */
function inOrder(servers: readonly Server[], uri: string): readonly Server[] {
  const has = ({ listed }: Server) => listed.some((resource) => resource.uri === uri);
  return [...servers.filter(has), ...servers.filter((server) => !has(server))];
}
