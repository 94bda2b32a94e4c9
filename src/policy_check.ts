/** `policy check "TOOL(ARG)"`: what would happen with a call, without making it. */
import { UNSANDBOXED } from "./policy/facts.ts";
import type { Guard, GuardedCall } from "./protocol/policy.ts";
import type { Subject, ToolSpec } from "./protocol/tool.ts";
import { type CommandResult, done, refused } from "./terminal/commands/spec.ts";

/** The parameter by which a command asks to run outside the sandbox: what rules call `unsandboxed(…)`. */
const LEAVES_BY = "outside_sandbox";

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
  const leaves = name === UNSANDBOXED;
  const tool = parts.tools.find((one) =>
    leaves ? LEAVES_BY in one.input.shape : one.name === name || one.otherNames?.includes(name)
  );
  if (tool === undefined) {
    const names = parts.tools.map((one) => one.name).join(", ");
    return refused(`No tool is named "${name}"; the tools are ${names}`);
  }
  const input = sampleInput(tool, argument);
  const call = await callOf(tool, leaves ? { ...input, [LEAVES_BY]: "?" } : input, parts);
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
  input: Record<string, unknown>,
  { resolvePath }: CheckParts,
): Promise<GuardedCall | string> {
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

/** The argument in every parameter that takes a text, or a list of them, so that whichever is the subject has it. */
function sampleInput(tool: ToolSpec, argument: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(tool.input.shape)) {
    if (name === LEAVES_BY) continue;
    const value = [argument, [argument]].find((one) => schema.safeParse(one).success);
    if (value !== undefined) input[name] = value;
  }
  return input;
}
