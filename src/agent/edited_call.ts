/** A call as the person changed it while they were asked: which parameter they may change, and what the model is told. */
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import { isObject } from "@/lib/json.ts";

/** The one parameter that holds the text of the subject exactly; undefined where none does, or several do. */
export function editableOf({ input, subject }: GuardedCall): string | undefined {
  if (subject.kind === "path" || subject.kind === "none" || !isObject(input)) return undefined;
  const [key, ...others] = Object.keys(input).filter((key) => input[key] === subject.text);
  return others.length === 0 ? key : undefined;
}

/** What is decided about a call that the person wrote: they said yes to it, but what may never be done stays refused. */
export function editedDecision(first: Decision): Decision {
  if (first.verdict === "deny") return first;
  return { verdict: "allow", by: "person", reason: "the person changed it and said yes" };
}

/** The result, with what ran in front of it: the model asked for something else. */
export function editedResult(result: ToolResult, instead: string): ToolResult {
  const did = result.status === "denied" || result.status === "not_run" ? "wanted" : "ran";
  return {
    ...result,
    text: `The person changed the call; what they ${did} instead: ${instead}\n${result.text}`,
  };
}
