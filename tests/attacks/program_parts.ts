/** What the program has, by its own word: an attack on a part that is not there is skipped, and played once it is. */
import { harness } from "../support/program.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { withWorkspace } from "../support/workspace.ts";
import { type Attack, type Step, stepsOf } from "./case_file.ts";

export type ProgramParts = { tools: ReadonlySet<string>; settings: ReadonlySet<string> };

/** Ask the program: the tools that it offers to a model, and its settings. */
export async function readProgramParts(): Promise<ProgramParts> {
  const tools = new Set<string>();
  const settings = new Set<string>();
  await withWorkspace(async (dir) => {
    await using api = startFakeOllama((body) => {
      const { tools: offered } = body as { tools: { function: { name: string } }[] };
      for (const tool of offered) tools.add(tool.function.name);
      return { text: "Hello." };
    });
    const options = { cwd: dir, home: `${dir}/home`, env: { OLLAMA_HOST: api.url } };
    await harness(["-p", "hi", "-m", "ollama/gemma4:e4b"], options);
    const { stdout } = await harness(["set"], options);
    for (const [, name] of stdout.matchAll(/^\W*([A-Z][A-Z_]+)\b/gm)) settings.add(name ?? "");
  });
  return { tools, settings };
}

/** What of an attack has no counterpart in the program yet; undefined where nothing. */
export function absentParts(
  attack: Attack,
  { tools, settings }: ProgramParts,
): string | undefined {
  const wanted = stepsOf(attack).flatMap(toolOf);
  const missing = wanted.find((name) => !tools.has(name));
  if (missing !== undefined) return `harness has no tool ${missing} yet`;
  for (const name of ["mcp", "project_mcp"]) {
    if (name in attack.setup) return "harness has no MCP servers yet";
  }
  if ("auto_verify" in attack.setup && !settings.has("AUTO_VERIFY")) {
    return "harness has no automatic checks yet";
  }
  if (attack.setup.network_allow !== undefined && !settings.has("NETWORK_ALLOW")) {
    return "harness has no list of allowed hosts yet";
  }
  return undefined;
}

function toolOf(step: Step): string[] {
  return step.kind === "call" || step.kind === "calls" ? [step.call.tool] : [];
}
