/** What is decided about calls of servers before the other rules: what is new is asked about, what is approved runs. */
import type { Decision, Guard, GuardedCall } from "@/protocol/policy.ts";
import { clipEnd } from "@/lib/clip.ts";
import type { AttachedTool, Servers } from "@/mcp/servers.ts";
import { KeptTexts } from "@/mcp/kept.ts";

export type GuardParts = {
  /** The tool of a server that a call is of; undefined for every other call. */
  toolOf(call: GuardedCall): AttachedTool | undefined;
  servers(): Servers;
  isNew(tool: AttachedTool): boolean;
  /** Why a tool runs unasked; undefined where it does not. */
  approvedBy(tool: AttachedTool): string | undefined;
  isAuto(): boolean;
  policy: {
    denied(call: GuardedCall): Decision | undefined;
    asked(call: GuardedCall): Decision | undefined;
  };
};

const ABOUT_CHARS_MAX = 300;

/** Make it. Nothing that a server or its entry says comes before a rule that denies or asks. */
export function serverCalls(parts: GuardParts): Guard {
  return function serverCall(call) {
    const tool = parts.toolOf(call);
    if (tool === undefined) return unlistedResource(call, parts);
    const ruled = parts.policy.denied(call) ?? parts.policy.asked(call);
    if (ruled !== undefined) return ruled;
    if (parts.isNew(tool)) return parts.isAuto() ? undefined : newTool(tool);
    const why = parts.approvedBy(tool);
    return why === undefined ? undefined : { verdict: "allow", by: "rule", reason: why };
  };
}

function newTool({ remote, server }: AttachedTool): Decision {
  const about = clipEnd(remote.description, ABOUT_CHARS_MAX);
  return {
    verdict: "ask",
    by: "guard",
    reason:
      `MCP server "${server.entry.name}" has changed this tool, or added it, since it was first seen; it now says: ${about}`,
  };
}

/** An address that no server has listed can carry something to it. */
function unlistedResource(
  { tool, input }: GuardedCall,
  { servers, isAuto }: GuardParts,
): Decision | undefined {
  const uri = tool.resource?.(input as Record<string, unknown>);
  if (uri === undefined || isAuto()) return undefined;
  const isListed = servers().all.some(({ listed }) => listed.some((one) => one.uri === uri));
  if (isListed || KeptTexts.isKept(uri)) return undefined;
  const reason =
    "no MCP server has listed this address, and a server can learn from what it is asked";
  return { verdict: "ask", by: "guard", reason };
}
