/** The screen of a session that an editor shows: events become updates, questions requests. */
import { type AgentContext, type ClientCapabilities, methods } from "@agentclientprotocol/sdk";
import { asking } from "@/acp/asking.ts";
import { Outbox } from "@/acp/outbox.ts";
import { Updates } from "@/acp/updates.ts";
import { findTool } from "@/agent/find_tool.ts";
import type { App } from "@/app.ts";
import type { ScreenParts } from "@/compose/parts.ts";
import type { Place } from "@/compose/place.ts";

export type EditorScreen = ScreenParts & { outbox: Outbox; updates: Updates };

type ScreenWorld = {
  place: Place;
  client: ClientCapabilities;
  context: AgentContext;
  app(): App | undefined;
  onCancelled(): void;
  onEvent(): void;
};

/** What takes events and puts questions. */
export function editorScreen(
  sessionId: string,
  { place: { workspace }, client, context, app, onCancelled, onEvent }: ScreenWorld,
): EditorScreen {
  const outbox = new Outbox((update) =>
    context.notify(methods.client.session.update, { sessionId, update })
  );
  const updates = new Updates({
    workspace,
    tool: (name) => findTool(name, app()?.tools() ?? []),
    push: (update) => outbox.push(update),
    takesNotices: client.session?.notices !== undefined && client.session.notices !== null,
    used: ({ input, output, cacheRead, cacheWrite }) => {
      const { windowTokens: size = 0, cost } = app()?.status() ?? {};
      return {
        used: input + output + cacheRead + cacheWrite,
        size,
        ...(cost === undefined ? {} : { cost }),
      };
    },
  });
  const stopWaiting = (signal: AbortSignal) =>
    ({ cancellationSignal: signal, stopWaitingOnCancel: true }) as const;
  const { approver, asker } = asking({
    ...{ sessionId, workspace, client, onCancelled },
    permission: async (params, signal) => {
      await outbox.flush();
      return await context.request(
        methods.client.session.requestPermission,
        params,
        stopWaiting(signal),
      );
    },
    elicit: (params, signal) =>
      context.request(methods.client.elicitation.create, params, stopWaiting(signal)),
    onAnswered: (toolCallId, isAllowed) => {
      if (updates.knows(toolCallId)) return;
      const status = isAllowed ? "completed" : "failed";
      outbox.push({ sessionUpdate: "tool_call_update", toolCallId, status });
    },
  });
  const sink: ScreenParts["sinks"][number] = (event) => {
    updates.sink(event);
    if (event.type === "tool_end" || event.type === "model") onEvent();
  };
  return { approver, asker, sinks: [sink], outbox, updates };
}
