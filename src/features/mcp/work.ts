/** What turns need of attached servers: tools, a section of the prompt, a guard, and moments to look again. */
import type { FeatureParts, FeatureWork, Shared } from "@/compose/feature.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { AttachedTool, Servers } from "@/mcp/servers.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import { approvedBy } from "./believed.ts";
import { serverCalls } from "./guard.ts";
import { isAboutLoading, type Offers } from "./offers.ts";
import type { Pins } from "./pins.ts";

export type ServerWorkParts =
  & Pick<FeatureParts, "automode" | "isInteractive" | "settings">
  & Pick<Shared, "policy">
  & {
    pins: Pick<Pins, "approve" | "isNew">;
    offers: Offers;
    servers(): Servers;
    /** Start what the person has trusted meanwhile. */
    review(): Promise<void>;
    /** Settles when none is connecting any more. */
    settled(): Promise<void>;
  };

/** What a request waits for lists that servers say have changed. */
const UP_TO_DATE_MS = 3_000;

/** Make it. */
export function serverWork(parts: ServerWorkParts): FeatureWork {
  const { automode, offers, pins, policy, servers, settings } = parts;
  const toolOf = ({ tool }: GuardedCall): AttachedTool | undefined =>
    offers.attached().find(({ named }) => named.name === tool.name);
  return {
    get tools() {
      return offers.tools();
    },
    prompt: () => offers.prompt(),
    guards: [serverCalls({
      policy,
      toolOf,
      servers,
      isNew: ({ server, remote }) => pins.isNew(server, remote),
      approvedBy: (tool) => approvedBy(tool, settings.current),
      isAuto: () => automode.isOn,
    })],
    hooks: [{
      name: "MCP servers",
      beforeRequest: looksAgain(parts),
      afterTool: async (call) => {
        const tool = toolOf(call);
        // What automode let through nobody has looked at.
        if (tool === undefined || automode.isOn) return;
        if (pins.isNew(tool.server, tool.remote)) await pins.approve(tool.server, tool.remote);
      },
    }],
    sink: (event) => {
      const isAbout = event.type === "message"
        ? isAboutLoading(event.message)
        : event.type === "compaction" || event.type === "rewind";
      if (isAbout) offers.historyChanged();
    },
  };
}

/** Without a terminal the first request waits for a moment, and never again. */
function looksAgain(
  { isInteractive, review, servers, settings, settled }: ServerWorkParts,
): () => Promise<undefined> {
  let mayWait = !isInteractive;
  return async () => {
    await review();
    const current = Promise.all(servers().all.map((server) => server.upToDate()));
    await settlesWithin(current, UP_TO_DATE_MS);
    if (!mayWait) return undefined;
    mayWait = false;
    await settlesWithin(settled(), settings.current.MCP_STARTUP_WAIT * 1000);
    return undefined;
  };
}
