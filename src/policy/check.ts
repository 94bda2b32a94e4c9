/** The call that `policy check "run_cmd(git push)"` asks about: a tool and a subject, without a model. */
import type { GuardedCall } from "@/protocol/policy.ts";
import type { Subject, ToolSpec } from "@/protocol/tool.ts";
import { UNSANDBOXED } from "./facts.ts";

/** What checking needs of the world. */
export type CheckParts = {
  tools: readonly ToolSpec[];
  /** Where a path leads. */
  resolve(path: string): Promise<{ real: string; outside: boolean }>;
};

/** A call to ask the policy about, or a sentence that says why there is none. */
export type CheckedCall = { ok: true; call: GuardedCall } | { ok: false; problem: string };

/**
 * Read `TOOL(SUBJECT)` or `TOOL` as a call. The subject's kind comes from the tool's declaration, which is shown an input
 * that holds the text in every place where a text may stand. `unsandboxed(COMMAND)` is a command that asks to leave.
 */
export async function callToCheck(text: string, parts: CheckParts): Promise<CheckedCall> {
  const read = /^\s*([^(\s]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  if (read === null) {
    return {
      ok: false,
      problem: `Cannot check "${text}": write TOOL(SUBJECT), as in run_cmd(git push)`,
    };
  }
  const [, name = "", subject = ""] = read;
  const leaves = name === UNSANDBOXED;
  const tool = parts.tools.find((candidate) =>
    leaves
      ? subjectKind(candidate, subject) === "command"
      : candidate.name === name || candidate.otherNames?.includes(name) === true
  );
  if (tool === undefined) {
    const names = parts.tools.map((candidate) => candidate.name).join(", ");
    return {
      ok: false,
      problem: `Cannot check "${text}": no tool is named "${name}"; the tools are ${names}`,
    };
  }
  const input = sampleInput(tool, subject);
  return {
    ok: true,
    call: await guarded(tool, leaves ? { ...input, outside_sandbox: "?" } : input, parts),
  };
}

async function guarded(
  tool: ToolSpec,
  input: Record<string, unknown>,
  { resolve }: CheckParts,
): Promise<GuardedCall> {
  const spelled = tool.subject(input);
  const call = { id: "check", tool, input, effect: tool.effect(input) };
  if (spelled.kind !== "path") return { ...call, subject: spelled, outside: false };
  const places = await Promise.all([...new Set(spelled.paths)].map(resolve));
  const subject: Subject = { ...spelled, paths: places.map(({ real }) => real) };
  return { ...call, subject, outside: places.some(({ outside }) => outside) };
}

function subjectKind(tool: ToolSpec, text: string): Subject["kind"] {
  return tool.subject(sampleInput(tool, text)).kind;
}

/** An input with the text wherever the schema takes one. Parameters that take none are left out. */
function sampleInput(tool: ToolSpec, text: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(tool.input.shape)) {
    if (key === "outside_sandbox") continue;
    const value = [text, [text]].find((candidate) => schema.safeParse(candidate).success);
    if (value !== undefined) input[key] = value;
  }
  return input;
}
