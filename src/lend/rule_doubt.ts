/** What a person should know about a rule that they have just written: a slip of the hand must not pass for protection. */
import { nearest } from "@/lib/nearest.ts";
import { UNSANDBOXED } from "@/policy/facts.ts";
import { parseRule } from "@/policy/rule.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { sampleInput } from "./policy_check.ts";

/** Why a rule may not do what it says, as a sentence; nothing for one that names tools in general or of an MCP server. */
export function ruleDoubt(text: string, tools: readonly ToolSpec[]): string | undefined {
  const unknown = nameDoubt(
    text,
    tools.flatMap(({ name, otherNames = [] }) => [name, ...otherNames]),
  );
  if (unknown !== undefined) return unknown;
  const { name, pattern } = named(text);
  const tool = tools.find((one) => one.name === name || one.otherNames?.includes(name));
  if (tool === undefined) return undefined;
  if (pattern === undefined || tool.scope !== undefined) return undefined;
  const sample = tool.input.safeParse(sampleInput(tool, "x"));
  if (!sample.success || tool.subject(sample.data).kind !== "none") return undefined;
  return `What a call of ${name} is about, no pattern tells: an allow rule with one covers no call, and a deny rule ` +
    `with one asks about every call. Write "${name}" for every call`;
}

/** The same of a rule's name alone, among all names that tools have. */
export function nameDoubt(text: string, names: readonly string[]): string | undefined {
  const { name } = named(text);
  if (!/^[\w-]+$/.test(name) || name === UNSANDBOXED || name.startsWith("mcp__")) return undefined;
  if (names.includes(name)) return undefined;
  const near = nearest(name, names);
  return `No tool is named "${name}" now, so that it does nothing` +
    (near === undefined ? "" : `; did you mean "${near}"?`);
}

function named(text: string): { name: string; pattern: ReturnType<typeof parseRule>["pattern"] } {
  const { tool: name, pattern } = parseRule(text, "deny", { kind: "personal", label: "" });
  return { name, pattern };
}
