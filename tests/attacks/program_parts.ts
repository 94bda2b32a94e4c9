/** What the program has, by its own word: an attack on a part that is not there is skipped, and played once it is. */
import { harness } from "../support/program.ts";
import { startFakeOllama } from "../support/fake_ollama.ts";
import { withWorkspace } from "../support/workspace.ts";
import { type Attack, type Step, stepsOf } from "./case_file.ts";

export type ProgramParts = {
  tools: ReadonlySet<string>;
  /** Slash commands, by their first word. */
  commands: ReadonlySet<string>;
  /** Whether a file that a message names with @ is sent with it. */
  hasMentions: boolean;
};

/** What a setup asks for, and the command that comes with it. */
const COMMAND_OF: Readonly<Record<string, string>> = {
  mcp: "/mcp",
  project_mcp: "/mcp",
  auto_verify: "/autoverify",
  network_allow: "/network",
};

const MENTIONED = "This text stands in a file that is mentioned.";

/** Ask the program: the tools that it offers to a model, and its commands. */
export async function readProgramParts(): Promise<ProgramParts> {
  const tools = new Set<string>();
  const commands = new Set<string>();
  let hasMentions = false;
  await withWorkspace(async (dir) => {
    await using api = startFakeOllama((body) => {
      const { tools: offered } = body as { tools: { function: { name: string } }[] };
      for (const tool of offered) tools.add(tool.function.name);
      hasMentions ||= JSON.stringify(body).includes(MENTIONED);
      return { text: "Hello." };
    });
    const options = { cwd: dir, home: `${dir}/home`, env: { OLLAMA_HOST: api.url } };
    await Deno.writeTextFile(`${dir}/named.txt`, MENTIONED);
    // The tool that loads skills is offered where there is one.
    await Deno.mkdir(`${dir}/home/skills/one`, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(
      `${dir}/home/skills/one/SKILL.md`,
      "---\nname: one\ndescription: one\n---\nOne.\n",
    );
    await harness(["-p", "Look at @named.txt", "-m", "ollama/gemma4:e4b"], options);
    const { stdout } = await harness(["-p", "/help"], options);
    for (const [, name = ""] of stdout.matchAll(/^\s*(\/[a-z]+)\b/gm)) commands.add(name);
  });
  return { tools, commands, hasMentions };
}

/** What of an attack has no counterpart in the program yet; undefined where nothing. */
export function absentParts(
  attack: Attack,
  { tools, commands, hasMentions }: ProgramParts,
): string | undefined {
  const wanted = stepsOf(attack).flatMap(toolOf);
  const missing = wanted.find((name) => !tools.has(name));
  if (missing !== undefined) return `harness has no tool ${missing} yet`;
  for (const [name, command] of Object.entries(COMMAND_OF)) {
    if (name in attack.setup && !commands.has(command)) return `harness has no ${command} yet`;
  }
  const mentions = stepsOf(attack).some((step) =>
    step.kind === "user" && /(?:^|\s)@/.test(step.line)
  );
  return mentions && !hasMentions ? "harness has no @ mentions yet" : undefined;
}

function toolOf(step: Step): string[] {
  // Those of servers come with the servers.
  return "call" in step && !step.call.tool.startsWith("mcp__") ? [step.call.tool] : [];
}
