/** What the attached servers offer to be read. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { describe } from "@/lib/describe.ts";
import { visible } from "@/lib/visible.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { Server } from "@/mcp/server.ts";
import { defineTool, failed, ok } from "./spec.ts";
import { type McpServersParts, notThere } from "./use_mcp_server.ts";

const RESOURCES_SHOWN_MAX = 200;
const ABOUT_CHARS_MAX = 120;

export const listMcpResources = (mcp: McpServersParts): ToolSpec =>
  defineTool({
    name: "list_mcp_resources",
    description: "List what MCP servers offer to be read, with the address of each.",
    input: z.object({
      server: z.string().optional().describe("All servers without it"),
    }),
    aliases: { server: ["name", "server_name"] },
    isOffered: () => mcp.servers().all.some(hasResources),
    effect: () => "reads",
    subject: () => ({ kind: "none" }),
    summary: ({ server = "" }) => `list resources of ${server === "" ? "MCP servers" : server}`,
    async run({ server: name = "" }) {
      const one = name === "" ? undefined : mcp.servers().find(name.trim());
      if (name !== "" && one?.isAttached !== true) return failed(notThere(name, mcp.servers()));
      const asked = one === undefined ? mcp.servers().all.filter(hasResources) : [one];
      const texts = await Promise.all(asked.map(resourceLines));
      const text = texts.flat().join("\n");
      return ok(text === "" ? "No attached MCP server offers resources" : text);
    },
  });

/** Whether a server is attached and offers any. */
export function hasResources({ isAttached, facts }: Server): boolean {
  return isAttached && facts?.hasResources === true;
}

/** The lines of one server; why it could not be asked is one as well. */
export async function resourceLines(server: Server): Promise<readonly string[]> {
  try {
    const [resources, templates] = await Promise.all([server.resources(), server.templates()]);
    const rows = [
      ...resources.map(({ uri, name, title, mimeType, description }) =>
        row(uri, [title ?? name, mimeType, description])
      ),
      ...templates.map(({ uriTemplate, name }) => row(uriTemplate, [name, "a pattern"])),
    ];
    const more = rows.length - RESOURCES_SHOWN_MAX;
    return [
      `${server.slug}:`,
      ...(rows.length === 0 ? ["  none"] : rows.slice(0, RESOURCES_SHOWN_MAX)),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  } catch (error) {
    return [`${server.slug}: ${describe(error)}`];
  }
}

function row(uri: string, about: readonly (string | undefined)[]): string {
  const known = about.filter((part) => part !== undefined && part !== "").join(", ");
  return visible(`  ${uri}  ${clipEnd(known, ABOUT_CHARS_MAX)}`, { oneLine: true });
}
