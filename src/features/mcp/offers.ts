/** What models are offered of the attached servers: small ones whole, big ones by name until they are asked for. */
import { type Announced, announcement, isAnnounced } from "@/mcp/announce.ts";
import { KeptTexts } from "@/mcp/kept.ts";
import type { Server } from "@/mcp/server.ts";
import type { AttachedTool, Servers } from "@/mcp/servers.ts";
import type { Message } from "@/protocol/message.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import type { Settings } from "@/settings/settings.ts";
import { META_SERVER } from "@/lib/tool_meta.ts";
import { type McpCallParts, mcpTool } from "@/tools/mcp_tool.ts";
import { mcpTools } from "@/tools/mod.ts";

export type OffersParts = {
  servers(): Servers;
  settings(): Settings;
  /** The history as it stands. */
  messages(): readonly Message[];
  /** Whether what a server says of a tool counts. */
  believes(tool: AttachedTool): boolean;
};

type Made = { tools: readonly AttachedTool[]; specs: readonly ToolSpec[] };

/** Made once; what it answers is made anew after `changed` only, so that it stays the same as long as it says the same. */
export class Offers {
  readonly #parts: OffersParts;
  readonly #callParts: McpCallParts;
  readonly #own: readonly ToolSpec[];
  #made: Made | undefined;
  #loaded: ReadonlySet<string> | undefined;

  constructor(parts: OffersParts) {
    this.#parts = parts;
    this.#callParts = {
      kept: new KeptTexts(),
      resultCharsMax: () => parts.settings().MCP_RESULT_CHARS,
      effectOf: (tool) => tool.remote.saysReadOnly && parts.believes(tool) ? "reads" : "changes",
    };
    this.#own = mcpTools({
      ...this.#callParts,
      servers: () => parts.servers(),
      attached: () => this.attached(),
      hasAnnounced: () => this.#attachedServers().some((server) => this.#isBig(server)),
    });
  }

  /** The servers, their tools or the settings have changed. */
  changed(): void {
    this.#made = undefined;
  }

  /** The history may ask for other servers now. */
  historyChanged(): void {
    this.#loaded = undefined;
  }

  /** All tools of attached servers. */
  attached(): readonly AttachedTool[] {
    return this.#now().tools;
  }

  /** The tools of a conversation: ours about servers, then theirs; those of a big one are callable before they are listed. */
  tools(): readonly ToolSpec[] {
    return this.#now().specs;
  }

  /** The section of the system prompt. */
  prompt(): string {
    const loaded = this.#loadedNow();
    const most = this.#parts.settings().MCP_MAX_TOOLS_PER_SERVER;
    return announcement(
      this.#attachedServers().map((server): Announced => ({
        slug: server.slug,
        tools: server.tools.slice(0, most).map(({ tool }) => tool),
        instructions: server.facts?.instructions ?? "",
        isLoaded: this.#isListed(server, loaded),
      })),
    );
  }

  #now(): Made {
    const loaded = this.#loadedNow();
    if (this.#made !== undefined) return this.#made;
    const tools = this.#parts.servers().tools(this.#parts.settings().MCP_MAX_TOOLS_PER_SERVER);
    const specs = tools.map((tool) =>
      mcpTool(tool, this.#callParts, this.#isListed(tool.server, loaded))
    );
    this.#made = { tools, specs: [...this.#ownNow(), ...specs] };
    return this.#made;
  }

  /** Those about servers are there when there is one that they are about. */
  #ownNow(): readonly ToolSpec[] {
    if (this.#attachedServers().length === 0) return [];
    return this.#own.filter(({ isOffered }) => isOffered?.() !== false);
  }

  #attachedServers(): readonly Server[] {
    return this.#parts.servers().all.filter(({ isAttached }) => isAttached);
  }

  #isBig({ tools }: Server): boolean {
    const { MCP_LAZY_TOOLS, MCP_LAZY_MIN_TOOLS } = this.#parts.settings();
    return isAnnounced(tools.length, { isLazy: MCP_LAZY_TOOLS, toolsMin: MCP_LAZY_MIN_TOOLS });
  }

  #isListed(server: Server, loaded: ReadonlySet<string>): boolean {
    return !this.#isBig(server) || loaded.has(server.slug);
  }

  /** What was compacted or taken back is announced again. */
  #loadedNow(): ReadonlySet<string> {
    if (this.#loaded !== undefined) return this.#loaded;
    this.#loaded = loadedIn(this.#parts.messages());
    this.changed();
    return this.#loaded;
  }
}

/** The servers that a history has loaded: by asking for their tools, or by calling one. */
export function loadedIn(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => {
    const server = message.role === "tool" ? message.result.meta?.[META_SERVER] : undefined;
    return typeof server === "string" ? [server] : [];
  }));
}

/** Whether an event may change what `loadedIn` says. */
export function isAboutLoading(message: Message): boolean {
  return message.role === "tool" && message.result.meta?.[META_SERVER] !== undefined;
}
