/** What counts of what a server's entry, its tools and the settings say: it is the person's word, never the server's alone. */
import type { AttachedTool } from "@/mcp/servers.ts";
import type { Settings } from "@/settings/settings.ts";

type Said = Pick<Settings, "MCP_TRUSTED_SERVERS" | "MCP_AUTO_APPROVE_READONLY">;

/** Why a tool runs unasked; undefined where it does not. */
export function approvedBy({ server, remote }: AttachedTool, said: Said): string | undefined {
  const { isTrusted, autoApprove, name, label } = server.entry;
  if (isTrusted) return `server "${name}" is trusted in ${label}`;
  if (autoApprove.includes(remote.tool) || autoApprove.includes("*")) {
    return `"autoApprove" of server "${name}" in ${label} names this tool`;
  }
  if (said.MCP_TRUSTED_SERVERS.includes(name)) {
    return `server "${name}" is in MCP_TRUSTED_SERVERS`;
  }
  return remote.saysReadOnly && said.MCP_AUTO_APPROVE_READONLY
    ? `server "${name}" says that it only reads, and MCP_AUTO_APPROVE_READONLY is on`
    : undefined;
}

/** Whether the hints of a server's tools count: where the person says that they do. */
export function isBelieved({ server }: AttachedTool, said: Said): boolean {
  return server.entry.isTrusted || said.MCP_AUTO_APPROVE_READONLY ||
    said.MCP_TRUSTED_SERVERS.includes(server.entry.name);
}
