/** MCP servers for tests: real ones from npm, and one of our own that misbehaves as it is told. */
import { denoEnv } from "./processes.ts";
import { fileURLToPath } from "node:url";
import { readServers, type ServerEntry } from "@/mcp/config.ts";
import { Server, type ServerOptions } from "@/mcp/server.ts";
import { Diagnostics } from "@/mcp/stdio_lines.ts";
import { StdioTransport } from "@/mcp/stdio.ts";
import type { Processes } from "@/sandbox/processes.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The script of our own server. */
export const SCRIPTED = `${ROOT}tests/testdata/mcp/server.py`;

/** How our own server is declared. */
export function scripted(options: Record<string, unknown> = {}): Record<string, unknown> {
  return { command: "python3", args: ["-u", SCRIPTED, JSON.stringify(options)] };
}

const FROM_NPM = {
  everything: "@modelcontextprotocol/server-everything",
  filesystem: "@modelcontextprotocol/server-filesystem",
} as const;

/** How a server from npm is declared: fetched once by Deno, pinned by our lock. */
export function fromNpm(
  name: keyof typeof FROM_NPM,
  ...args: string[]
): Record<string, unknown> {
  const { imports } = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));
  const target = imports[FROM_NPM[name]];
  return {
    command: Deno.execPath(),
    args: ["run", "-A", "-q", "--no-prompt", "--config", `${ROOT}deno.json`, target, ...args],
    env: denoEnv(),
  };
}

/** An entry as a file of the person's declares it. */
export function entryOf(declared: Record<string, unknown>, name = "s"): ServerEntry {
  const text = JSON.stringify({ mcpServers: { [name]: declared } });
  const { servers: [entry] } = readServers([{ label: "mcp.json", origin: "person", text }], {
    env: {},
    workspace: "/",
  });
  if (entry === undefined) throw new Error("Nothing is declared");
  return entry;
}

/** A server outside any sandbox. */
export function serverOf(
  processes: Processes,
  entry: ServerEntry,
  more: Partial<ServerOptions> = {},
): Server {
  const diagnostics = new Diagnostics();
  const { start } = entry;
  return new Server({
    entry,
    slug: entry.name,
    diagnostics,
    program: { name: "test", version: "1" },
    reach: () => {
      if (start?.kind !== "stdio") throw new Error("Not a process");
      const { command: program, args, env } = start;
      const command = { program, args, env, cwd: "/" };
      return Promise.resolve({
        kind: "stdio",
        open: () => new StdioTransport({ processes, command, diagnostics }),
      });
    },
    limits: () => ({ startMs: 60_000, callMs: 60_000 }),
    elicit: () => Promise.resolve({ action: "cancel" }),
    onChange: () => {},
    ...more,
  });
}

/** A call that nobody interrupts and nobody watches. */
export const QUIET = { signal: new AbortController().signal, onProgress: () => {} };
