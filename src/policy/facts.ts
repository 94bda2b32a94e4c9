/** What rules look at in a call. */
import type { GuardedCall } from "@/protocol/policy.ts";
import type { Subject } from "@/protocol/tool.ts";
import { pathForms, type RulePlace } from "./path_rule.ts";

/** The name under which rules speak of leaving the sandbox: `unsandboxed(git push *)`. */
export const UNSANDBOXED = "unsandboxed";

/** A call as rules see it. */
export type Facts = {
  /** The tool's name and its other names. */
  readonly names: readonly string[];
  /** In canonical form, from the tool's own declaration. */
  readonly subject: Subject;
  /** Paths as they were written. */
  readonly spelled: readonly string[];
  readonly outside: boolean;
  /** What the tool says that "always" is about. */
  readonly scope?: string;
  /** Whether the call asks to run outside the sandbox. */
  readonly leaves: boolean;
  /** The call's input, as its tool's own schema has read it. */
  readonly input: Readonly<Record<string, unknown>>;
};

/** The facts of a call. `leaves`: whether it asks to run outside a sandbox that is there. */
export function factsOf(call: GuardedCall, leaves: boolean): Facts {
  const { tool, subject, outside } = call;
  // The dispatcher has read it by the tool's own schema.
  const input = call.input as Record<string, unknown>;
  const spelled = tool.subject(input);
  const scope = tool.scope?.(input);
  return {
    names: [tool.name, ...(tool.otherNames ?? [])],
    subject,
    spelled: spelled.kind === "path" ? spelled.paths : [],
    outside,
    ...(scope === undefined ? {} : { scope }),
    leaves,
    input,
  };
}

/** Whether a call gives a reason for running outside the sandbox. */
export function statesReason({ tool: { leavesBy }, input }: GuardedCall): boolean {
  if (leavesBy === undefined) return false;
  // The dispatcher has read it by the tool's own schema.
  const reason = (input as Record<string, unknown>)[leavesBy];
  return typeof reason === "string" && reason.trim() !== "";
}

/** A subject as one text, for equality: a path is absolute, several stand on a line each; undefined where there is none. */
export function subjectText(subject: Subject, place: RulePlace): string | undefined {
  switch (subject.kind) {
    case "path":
      return subject.paths.length === 0
        ? undefined
        : subject.paths.map((path) => pathForms(path, place).absolute).join("\n");
    case "command":
    case "url":
    case "text":
      return subject.text;
    case "none":
      return undefined;
    default:
      return subject satisfies never;
  }
}

/** What a sentence calls the thing that is decided about. */
export function callNoun(subject: Subject): string {
  if (subject.kind === "command") return "this command";
  return subject.kind === "path" ? "this path" : "this call";
}
