/** What a reopened session has shown of files: results of calls, and what messages mentioned. */
import { resolve } from "@/lib/path.ts";
import type { DurableEvent } from "@/protocol/event.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { attachedPath } from "@/workspace/mentions.ts";
import { META_PATH, Readings } from "@/workspace/readings.ts";

export { Readings } from "@/workspace/readings.ts";

/** Fold it. */
export function pastReadings(past: Iterable<DurableEvent>, workspace: string): Readings {
  const readings = new Readings();
  readings.replay(shownIn(past, workspace));
  return readings;
}

function* shownIn(
  past: Iterable<DurableEvent>,
  workspace: string,
): Generator<Pick<ToolResult, "text" | "meta">> {
  for (const event of past) {
    if (event.type !== "message") continue;
    const { message } = event;
    if (message.role === "tool") yield message.result;
    if (message.role !== "user" || message.origin !== "person") continue;
    for (const part of message.content.slice(1)) {
      const path = part.type === "text" ? attachedPath(part.text) : undefined;
      if (part.type !== "text" || path === undefined) continue;
      yield { text: part.text, meta: { [META_PATH]: resolve(workspace, path) } };
    }
  }
}
