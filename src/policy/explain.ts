/** What a command line would do, in words for the person who is asked about it. */
import { visible } from "@/lib/visible.ts";
import { obstacleIn } from "./command_rule.ts";
import { hazardsOf } from "./hazard.ts";
import { analyse, type Redirection } from "./shell.ts";
import { baseName, shownWord, type Word } from "./shell_word.ts";

/** A command line for the question about it. */
export type CommandExplanation = {
  /** The whole line, with hidden characters drawn as escapes. */
  readonly shown: string;
  /** The programs that would run, in order, each once; those inside wrappers and substitutions too. */
  readonly programs: readonly string[];
  /** What it redirects: "writes to out.txt", "reads from in.txt". */
  readonly redirections: readonly string[];
  /** What to look at twice, as parts of sentences: "it contains a command substitution". */
  readonly concerns: readonly string[];
};

const PROGRAMS_MAX = 20;

/** Explain a command line. Never throws. */
export function explainCommand(text: string): CommandExplanation {
  const line = analyse(text);
  const obstacle = obstacleIn(line);
  const hazards = line.commands.flatMap(({ words }) => hazardsOf(words).why ?? []);
  const concerns = [...(obstacle === undefined ? [] : [obstacle]), ...hazards, ...line.opaque];
  return {
    shown: visible(text, { oddSpaces: true }),
    programs: [...new Set(line.reached.map(({ words }) => programName(words)))].slice(
      0,
      PROGRAMS_MAX,
    ),
    redirections: line.commands.flatMap(({ redirections }) =>
      redirections.flatMap(redirectionText)
    ),
    concerns: [...new Set(concerns)].map((concern) => visible(concern, { oneLine: true })),
  };
}

function programName([program]: readonly Word[]): string {
  if (program === undefined) return "";
  const name = program.known ? baseName(program.text) : shownWord(program);
  return visible(name, { oneLine: true, oddSpaces: true });
}

function redirectionText({ effect, target }: Redirection): readonly string[] {
  const shown = visible(shownWord(target), { oneLine: true, oddSpaces: true });
  if (effect === "writes") return [`writes to ${shown}`];
  return effect === "reads" ? [`reads from ${shown}`] : [];
}
