/**
 * What the person has seen of a server's tools. The first list is taken as it is: whoever let the server in has let that in.
 * What changes or comes later is asked about, whatever allows its calls, until a call of it was approved.
 */
import { sha256Hex } from "@/lib/hash.ts";
import type { Trust } from "@/policy/trust.ts";
import type { RemoteTool } from "@/mcp/definition.ts";
import type { Server } from "@/mcp/server.ts";
import type { ServerEntry } from "@/mcp/config.ts";

/** Under which the person's own servers are kept, wherever they are used. No real path reads like it. */
const PERSON = "the person's mcp.json";
const SEEN = new TextEncoder().encode("seen");

export type PinsParts = {
  trust: Pick<Trust, "isTrusted" | "grant">;
  workspace: string;
  onProblem(text: string): void;
};

export class Pins {
  readonly #parts: PinsParts;

  constructor(parts: PinsParts) {
    this.#parts = parts;
  }

  /** Whether a tool is another one than was seen, or was not there. */
  isNew(server: Server, tool: RemoteTool): boolean {
    const { project, prefix } = placeOf(server.entry, this.#parts.workspace);
    return !this.#parts.trust.isTrusted(project, `${prefix}/${tool.tool}`, bytesOf(tool));
  }

  /** Take a list: the first of a server is seen whole. Resolves to what of it is new since. */
  async review(server: Server): Promise<readonly RemoteTool[]> {
    const { project, prefix } = placeOf(server.entry, this.#parts.workspace);
    if (this.#parts.trust.isTrusted(project, prefix, SEEN)) {
      return server.tools.filter((tool) => this.isNew(server, tool));
    }
    await this.#grant(project, [
      { name: prefix, bytes: SEEN },
      ...server.tools.map((tool) => itemOf(prefix, tool)),
    ]);
    return [];
  }

  /** The person has approved a call of it as it is now. */
  async approve(server: Server, tool: RemoteTool): Promise<void> {
    const { project, prefix } = placeOf(server.entry, this.#parts.workspace);
    await this.#grant(project, [itemOf(prefix, tool)]);
  }

  async #grant(project: string, items: Parameters<Trust["grant"]>[1]): Promise<void> {
    try {
      await this.#parts.trust.grant(project, items);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#parts.onProblem(
        `What was seen of an MCP server could not be written down (${error.message}); it counts for this run`,
      );
    }
  }
}

/** Another way to start it, or another address, is another server. */
function placeOf(
  { name, start, origin }: ServerEntry,
  workspace: string,
): { project: string; prefix: string } {
  const how = sha256Hex(new TextEncoder().encode(JSON.stringify(start ?? ""))).slice(0, 12);
  return { project: origin === "person" ? PERSON : workspace, prefix: `mcp/${how}/${name}` };
}

function itemOf(prefix: string, tool: RemoteTool) {
  return { name: `${prefix}/${tool.tool}`, bytes: bytesOf(tool) };
}

function bytesOf({ identity }: RemoteTool): Uint8Array {
  return new TextEncoder().encode(identity);
}
