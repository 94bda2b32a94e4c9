/** `policy check "TOOL(ARG)"`: what would happen with a call, without making it. */
import type { Guard, GuardedCall } from "./protocol/policy.ts";
import type { Subject, ToolSpec } from "./protocol/tool.ts";
import { type CommandResult, done, refused } from "./terminal/commands/spec.ts";

/** What the check needs of the running program. */
export type CheckParts = {
  tools: readonly ToolSpec[];
  guards: readonly Guard[];
  resolvePath(
    path: string,
    effect: "reads" | "changes",
  ): Promise<{ real: string; outside: boolean; refusal?: string }>;
};

/** Say what the guards would answer. */
export async function checkCall(text: string, parts: CheckParts): Promise<CommandResult> {
  const match = /^\s*([\w-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  if (match === null) return refused(`"${text}" is not a call; write it as run_cmd(git push)`);
  const [, name = "", argument = ""] = match;
  const tool = parts.tools.find((one) => one.name === name || one.otherNames?.includes(name));
  if (tool === undefined) return refused(`No tool is named "${name}"`);
  const call = await callOf(tool, argument, parts);
  if (typeof call === "string") return done(`deny: ${call}`);
  for (const guard of parts.guards) {
    const decision = await guard(call);
    if (decision === undefined) continue;
    return done(`${decision.verdict} (by ${decision.by}): ${decision.reason}`);
  }
  return done("ask: nothing decides this call");
}

async function callOf(
  tool: ToolSpec,
  argument: string,
  { resolvePath }: CheckParts,
): Promise<GuardedCall | string> {
  const input = sampleInput(tool, argument);
  const effect = tool.effect(input);
  let subject: Subject = tool.subject(input);
  let outside = false;
  if (subject.kind === "path") {
    const paths: string[] = [];
    for (const path of subject.paths.filter((one) => one !== "")) {
      const place = await resolvePath(path, effect);
      if (place.refusal !== undefined) return place.refusal;
      outside ||= place.outside;
      paths.push(place.real);
    }
    subject = { ...subject, paths };
  }
  return { id: "check", tool, input, effect, subject, outside };
}

/** The argument as the first parameter of the tool; the others are empty. */
function sampleInput(tool: ToolSpec, argument: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [at, name] of Object.keys(tool.input.shape).entries()) {
    if (at === 0) input[name] = argument;
  }
  return input;
}
