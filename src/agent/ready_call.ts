/** A call made ready to be decided about and to run: its arguments read, its paths resolved, what it would change at hand. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { GuardedCall, PathResolver } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { bind } from "./bind.ts";
import { CallRun, type CallRunOptions } from "./call_run.ts";
import { editableOf } from "./edited_call.ts";
import { guardedCall, type Prepared } from "./guarded_call.ts";

/** A call as it would run, and what is known of it. */
export type ReadyCall = { input: Record<string, unknown>; run: CallRun; prepared: Prepared };

/** Which call, of which turn, and what it runs with. */
export type CallOf = {
  call: ToolCallBlock;
  tool: ToolSpec;
  turn: number;
  signal: AbortSignal;
  /** The model's own call, where this one stands in its place. */
  insteadOf?: GuardedCall;
  parts: CallRunOptions["parts"] & { resolvePath: PathResolver };
};

/** Makes one call ready, with whatever arguments. */
export type MakeReady = (
  wanted: unknown,
  more?: Pick<CallOf, "insteadOf">,
) => Promise<ReadyCall | { problem: string }>;

/** Make it ready with these arguments; or say what is wrong with them. Throws what the tool's declaration throws. */
export async function readyCall(
  wanted: unknown,
  { call, tool, turn, signal, insteadOf, parts }: CallOf,
): Promise<ReadyCall | { problem: string }> {
  const bound = bind(tool, wanted);
  if (!bound.ok) return { problem: bound.problem };
  const { input } = bound;
  const run = new CallRun({ call, turn, tool, input, signal, parts });
  const prepared = await guardedCall({ id: call.id, tool, input }, parts.resolvePath);
  const seen = withSight(prepared, run);
  if (seen.kind === "refused" || insteadOf === undefined) return { input, run, prepared: seen };
  return { input, run, prepared: { ...seen, call: { ...seen.call, insteadOf } } };
}

/** What runs is told the paths that are decided about; whoever is asked sees what would change, and may change it. */
function withSight(prepared: Prepared, run: CallRun): Prepared {
  if (prepared.kind === "refused") return prepared;
  for (const [spelled, { real, note }] of prepared.paths) {
    run.resolve(spelled, real);
    if (note !== undefined) run.host.say(note);
  }
  const { tool, input } = prepared.call;
  const editable = editableOf(prepared.call);
  const call = editable === undefined ? prepared.call : { ...prepared.call, editable };
  if (tool.preview === undefined) return { ...prepared, call };
  const preview = async () => await tool.preview?.(input as Record<string, unknown>, run.host);
  return { ...prepared, call: { ...call, preview } };
}
