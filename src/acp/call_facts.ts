/** What an editor is told of a call besides its sentence: of which kind it is, and where it takes place. */
import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { isAbsolute, join } from "@/lib/path.ts";
import type { Subject, ToolSpec } from "@/protocol/tool.ts";

export type CallFacts = { title: string; kind: ToolKind; locations: ToolCallLocation[] };

/** Read them from the tool's declaration; of a tool that is not known, or arguments that do not fit, only the name. */
export function callFacts(
  tool: ToolSpec | undefined,
  call: { name: string; input: unknown },
  workspace: string,
): CallFacts {
  const parsed = tool?.input.safeParse(call.input);
  if (tool === undefined || parsed?.success !== true) {
    return { title: call.name, kind: "other", locations: [] };
  }
  const subject = tool.subject(parsed.data);
  return {
    title: tool.summary(parsed.data),
    kind: kindOf(tool, parsed.data, subject),
    locations: locationsOf(subject, workspace),
  };
}

/** Nothing here knows a tool by name: its effect and its subject say what it is. */
function kindOf(tool: ToolSpec, input: Record<string, unknown>, subject: Subject): ToolKind {
  const changes = tool.effect(input) === "changes";
  if (tool.process?.(input) === "inside") return "execute";
  switch (subject.kind) {
    case "command":
      return "execute";
    case "url":
      return "fetch";
    case "path":
      if (!changes) return "read";
      return subject.leaf === "keep" ? "delete" : "edit";
    case "text":
      return changes ? "other" : "search";
    case "none":
      return "other";
  }
}

/** Absolute paths, as the protocol wants them. */
export function locationsOf(subject: Subject, workspace: string): ToolCallLocation[] {
  if (subject.kind !== "path") return [];
  return subject.paths.map((path) => ({ path: isAbsolute(path) ? path : join(workspace, path) }));
}
