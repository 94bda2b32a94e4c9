/** Permission rules: `tool` or `tool(pattern)`, with a verdict and where they come from. */
import { clipEnd } from "@/lib/clip.ts";
import { compileGlob, matchGlob } from "./glob.ts";

/** What a rule says about the calls that it matches. */
export type Verdict = "allow" | "ask" | "deny";

/** Where a rule comes from; `label` is what the person is told: a file, an option, or who added it. */
export type Origin = {
  kind: "personal" | "project" | "flag" | "session" | "profile";
  label: string;
};

/** One rule. One with a problem is listed and never applied. */
export type Rule = {
  /** As it was written. */
  readonly text: string;
  readonly verdict: Verdict;
  /** The tool's name, with wildcards. */
  readonly tool: string;
  /** What the call's subject is matched against; a rule without one matches every call of the tool. */
  readonly pattern?: string;
  /** The only kind of subject that it is about; absent for all. */
  readonly about?: "path" | "command";
  /** Arguments that a call must have, by name, each a text at the top of its input. */
  readonly when?: Readonly<Record<string, string>>;
  /** Why, in the words of whoever wrote it. */
  readonly reason?: string;
  readonly origin: Origin;
  readonly problem?: RuleProblem;
};

/** Why a text is no rule. */
export type RuleProblem = "no-tool-name" | "bracket-not-closed" | "empty-pattern" | "too-long";

/** Longer rules are refused: nobody reads them, and matching costs text times pattern. */
const RULE_CHARS_MAX = 4_096;
const SHOWN_CHARS_MAX = 80;

/** Read a rule. Never throws: what is wrong with it stands in `problem`. */
export function parseRule(text: string, verdict: Verdict, origin: Origin): Rule {
  const { tool, pattern, problem } = split(text);
  return {
    text,
    verdict,
    tool,
    ...(pattern === undefined ? {} : { pattern }),
    origin,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Why a text is no rule, or undefined. */
export function ruleProblem(text: string): RuleProblem | undefined {
  return split(text).problem;
}

/** A rule's problem as a sentence, with what would work. */
export function problemSentence(text: string, problem: RuleProblem): string {
  const shown = clipEnd(text, SHOWN_CHARS_MAX);
  switch (problem) {
    case "no-tool-name":
      return `Rule "${shown}" is not applied: it names no tool; write tool or tool(pattern)`;
    case "bracket-not-closed":
      return `Rule "${shown}" is not applied: a rule with "(" ends in ")"`;
    case "empty-pattern":
      return `Rule "${shown}" is not applied: its pattern is empty; write "${
        shown.slice(0, shown.indexOf("("))
      }" for every call`;
    case "too-long":
      return `Rule "${shown}" is not applied: it has ${text.length} characters, at most ${RULE_CHARS_MAX}`;
    default:
      return problem satisfies never;
  }
}

/** Whether a rule is about a tool that goes by these names. */
export function isAbout(rule: Rule, names: readonly string[]): boolean {
  if (rule.problem !== undefined) return false;
  if (!/[*?[]/.test(rule.tool)) return names.includes(rule.tool);
  const glob = compileGlob(rule.tool);
  return names.some((name) => matchGlob(glob, name));
}

/** What the writer of a rule gives as its reason, as the end of a sentence. */
export function because({ reason }: Rule): string {
  return reason === undefined ? "" : `: ${reason}`;
}

/** A rule and its place, for a sentence: `rule "run_cmd(rm *)" (.permissions.json)`. */
export function named(rule: Rule): string {
  return `rule "${rule.text}" (${rule.origin.label})`;
}

type Split = { tool: string; pattern?: string; problem?: RuleProblem };

function split(text: string): Split {
  const trimmed = text.trim();
  const open = trimmed.indexOf("(");
  const tool = (open < 0 ? trimmed : trimmed.slice(0, open)).trim();
  if (text.length > RULE_CHARS_MAX) return { tool, problem: "too-long" };
  if (tool === "") return { tool, problem: "no-tool-name" };
  if (open < 0) return { tool };
  if (!trimmed.endsWith(")")) return { tool, problem: "bracket-not-closed" };
  const pattern = trimmed.slice(open + 1, -1);
  return pattern.trim() === "" ? { tool, problem: "empty-pattern" } : { tool, pattern };
}
