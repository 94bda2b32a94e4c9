/** A call that would change nothing as things stand: its result is there already, and no question is worth a person's time. */
import type { Decision, GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { ReadyCall } from "./ready_call.ts";

/** `goesUnasked`: whether a call that would change nothing may have its result without a question. */
export type SettledParts = { goesUnasked(call: GuardedCall): boolean };

/** What was decided about one. */
export const SETTLED: Decision = {
  verdict: "allow",
  by: "guard",
  reason: "it would change nothing",
};

/** Its result; undefined for a call that would do something, or one that has to be asked about all the same. */
export async function settledResult(
  { prepared, run, input }: ReadyCall,
  { goesUnasked }: SettledParts,
): Promise<ToolResult | undefined> {
  if (prepared.kind === "refused") return undefined;
  const { tool } = prepared.call;
  if (tool.settled === undefined || !goesUnasked(prepared.call)) return undefined;
  return await tool.settled(input, run.host);
}
