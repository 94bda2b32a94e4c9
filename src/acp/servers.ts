/** MCP servers that a client brings, as entries of the file format that ours are declared in. */
import type { McpServer } from "@agentclientprotocol/sdk";

/** The text of such a file; undefined where there are none. Values are literal: nothing of the environment is put in. */
export function serversText(servers: readonly McpServer[]): string | undefined {
  if (servers.length === 0) return undefined;
  const entries = servers.map((server) => [server.name, entryOf(server)] as const);
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) });
}

/** Only how it is reached: no server of an editor runs unasked, or outside the sandbox, by its own word. */
function entryOf(server: McpServer): Record<string, unknown> {
  if ("type" in server) {
    const { type, url, headers } = server;
    return { type, url, headers: table(headers) };
  }
  const { command, args, env } = server;
  return { type: "stdio", command, args, env: table(env) };
}

function table(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
