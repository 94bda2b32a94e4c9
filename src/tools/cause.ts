/** The call that a change belongs to, as the journal records it. */
import type { ToolHost } from "@/protocol/tool.ts";
import type { Cause } from "@/workspace/file_edit.ts";

export function causeOf(host: ToolHost): Cause {
  const { name, id, turn } = host.call;
  return { tool: name, callId: id, turn, say: (line) => host.say(line) };
}
