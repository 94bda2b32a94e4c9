/** Calls as the dispatcher hands them to guards, for tests of rules and guards. */
import { z } from "zod";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { Subject, ToolSpec } from "@/protocol/tool.ts";
import { defineTool, ok } from "@/tools/spec.ts";

type More = Partial<Pick<GuardedCall, "effect" | "outside">> & {
  tool?: string;
  otherNames?: readonly string[];
  scope?: string;
  process?: ReturnType<NonNullable<ToolSpec["process"]>>;
  input?: Record<string, unknown>;
  /** Paths as the model wrote them, where they differ from the real ones. */
  spelled?: readonly string[];
};

/** A call of run_cmd. */
export function commandCall(text: string, more: More = {}): GuardedCall {
  const facts = { tool: "run_cmd", effect: "changes", ...more } as const;
  return { ...guardedCall({ kind: "command", text }, facts), editable: "command" };
}

/** A call about real paths. */
export function pathCall(tool: string, paths: readonly string[], more: More = {}): GuardedCall {
  return guardedCall({ kind: "path", paths }, { effect: "changes", ...more, tool });
}

/** Any call. */
export function guardedCall(subject: Subject, more: More = {}): GuardedCall {
  const { effect = "changes", outside = false, input = {} } = more;
  return { id: "c1", tool: toolFor(subject, more), input, effect, subject, outside };
}

function toolFor(subject: Subject, more: More): ToolSpec {
  const { tool = "tool", otherNames, scope, process, spelled, effect = "changes" } = more;
  return defineTool({
    name: tool,
    description: "for a test",
    ...(otherNames === undefined ? {} : { otherNames }),
    input: z.object({ outside_sandbox: z.string().optional() }),
    leavesBy: "outside_sandbox",
    effect: () => effect,
    subject: () => subject.kind === "path" && spelled ? { kind: "path", paths: spelled } : subject,
    ...(scope === undefined ? {} : { scope: () => scope }),
    ...(process === undefined ? {} : { process: () => process }),
    summary: () => tool,
    run: () => Promise.resolve(ok("")),
  });
}
