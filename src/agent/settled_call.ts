/** A call that would change nothing as things stand: its result is there already, and no question is worth a person's time. */
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { ReadyCall } from "./ready_call.ts";

/** `showsUnasked`: whether lines of what a call is about may be shown without a question. */
export type SettledParts = { showsUnasked(call: GuardedCall): boolean };

/** What was decided about one. */
export const SETTLED: Decision = {
  verdict: "allow",
  by: "guard",
  reason: "it would change nothing",
};

/** Its result; undefined for a call that would do something, or that would show what has to be asked about. */
export async function settledResult(
  { prepared, run, input }: ReadyCall,
  { showsUnasked }: SettledParts,
): Promise<ToolResult | undefined> {
  if (prepared.kind === "refused") return undefined;
  const { tool } = prepared.call;
  if (tool.settled === undefined || !showsUnasked(prepared.call)) return undefined;
  return await tool.settled(input, run.host);
}
