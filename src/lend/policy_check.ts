/** `policy check "TOOL(ARG)"`: what would happen with a call, without making it. */
import { firstAnswer } from "@/agent/decide.ts";
import { guardedCall } from "@/agent/guarded_call.ts";
import { UNSANDBOXED } from "@/policy/facts.ts";
import type { Guard, PathResolver } from "@/protocol/policy.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { type CommandResult, done, misused } from "@/terminal/commands/spec.ts";

/** What the check needs of the running program. */
export type CheckParts = {
  tools: readonly ToolSpec[];
  guards: readonly Guard[];
  resolvePath: PathResolver;
};

/** Say what the guards would answer. */
export async function checkCall(text: string, parts: CheckParts): Promise<CommandResult> {
  const match = /^\s*([\w-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  if (match === null) return misused(`"${text}" is not a call; write it as run_cmd(git push)`);
  const [, name = "", argument = ""] = match;
  const leaves = name === UNSANDBOXED;
  const tool = parts.tools.find((one) =>
    leaves ? one.leavesBy !== undefined : one.name === name || one.otherNames?.includes(name)
  );
  if (tool === undefined) {
    const names = parts.tools.map((one) => one.name).join(", ");
    return misused(`No tool is named "${name}"; the tools are ${names}`);
  }
  const input = sampleInput(tool, argument);
  const reason = leaves && tool.leavesBy !== undefined ? { [tool.leavesBy]: "?" } : {};
  if (argument.trim() === "" && !tool.input.safeParse(sampleInput(tool, "")).success) {
    return misused(
      `What happens with a call of ${name} depends on it; write it as ${name}(ARGUMENT)`,
    );
  }
  const facts = { id: "check", tool, input: { ...input, ...reason } };
  const prepared = await guardedCall(facts, parts.resolvePath);
  if (prepared.kind === "refused") return done(`deny: ${prepared.reason}`);
  const decision = await firstAnswer(parts.guards, prepared.call);
  return done(`${decision.verdict} (by ${decision.by}): ${decision.reason}`);
}

/** The argument in every parameter that takes a text, or a list of them, so that whichever is the subject has it. */
export function sampleInput(tool: ToolSpec, argument: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(tool.input.shape)) {
    if (name === tool.leavesBy) continue;
    const value = [argument, [argument]].find((one) => schema.safeParse(one).success);
    if (value !== undefined) input[name] = value;
  }
  return input;
}
