/** What the person is told of servers: which are not started, which could not be attached, and what has changed in them. */
import { counted } from "@/lib/counted.ts";
import { firstFew } from "@/lib/first_few.ts";
import { visible } from "@/lib/visible.ts";
import type { Server } from "@/mcp/server.ts";
import type { Pins } from "./pins.ts";

export type ServerNoticesParts = {
  pins: Pick<Pins, "review">;
  /** How many tools of one server are offered. */
  toolsMax(): number;
  warn(text: string): void;
  /** Whether the person is shown at this moment how each server stands. */
  isShown(): boolean;
};

/** Tells each thing once. */
export class ServerNotices {
  readonly #parts: ServerNoticesParts;
  /** The identities of tools that were new when their list was last read. */
  readonly #told = new Set<string>();

  constructor(parts: ServerNoticesParts) {
    this.#parts = parts;
  }

  /** Say which are not started, and why. */
  held(servers: readonly Server[]): void {
    if (this.#parts.isShown()) return;
    const held = servers.filter(({ entry, state }) =>
      state.kind === "waiting" || (state.kind === "failed" && !entry.isDisabled)
    );
    const lines = held.map((server) =>
      `MCP server ${nameOf(server)} (${server.entry.label}) is not started: ${whyOf(server)}`
    );
    for (const text of firstFew(lines, "MCP servers that are not started")) this.#parts.warn(text);
  }

  /** Say what a server that was attached, or was not, brings that was not there before. */
  async changed(server: Server): Promise<void> {
    const { pins, toolsMax, warn, isShown } = this.#parts;
    if (server.state.kind === "failed") {
      if (isShown()) return;
      return warn(
        `MCP server ${nameOf(server)} could not be attached: ${
          visible(server.state.why, { oneLine: true })
        }`,
      );
    }
    if (server.state.kind !== "ready") return;
    if (server.tools.length > toolsMax()) {
      warn(
        `MCP server ${
          nameOf(server)
        } has ${server.tools.length} tools, of which the first ${toolsMax()} are offered (MCP_MAX_TOOLS_PER_SERVER); "enabledTools" in its entry chooses others`,
      );
    }
    const fresh = (await pins.review(server)).filter(({ identity }) => !this.#told.has(identity));
    for (const { identity } of fresh) this.#told.add(identity);
    if (fresh.length === 0) return;
    const names = fresh.map(({ tool }) => visible(tool, { oneLine: true })).join(", ");
    warn(
      `MCP server ${nameOf(server)} has changed since it was first seen: ${
        counted(fresh.length, "tool")
      } changed or new (${names}). Calls of these are asked about until you approve one`,
    );
  }
}

function nameOf({ entry }: Server): string {
  return `"${visible(entry.name, { oneLine: true })}"`;
}

function whyOf({ state }: Server): string {
  return "why" in state ? state.why : "";
}
