/**
 * Words of a command that a wildcard must not cover, because they run another program or write a file where the
 * program's name promises neither. A rule covers such a word only by spelling it out.
 */
import { gitHazards } from "./hazard_git.ts";
import { optionHazards } from "./hazard_options.ts";
import { INTERPRETERS, OPTIONS } from "./hazard_programs.ts";
import { awkHazards, sedHazards } from "./hazard_scripts.ts";
import { SHELLS, WRAPPERS } from "./shell_programs.ts";
import { baseName, shownWord, type Word } from "./shell_word.ts";

/** Indices of words that only a rule that spells them out covers, and why, for the person. */
export type Hazards = { readonly words: ReadonlySet<number>; readonly why: string | undefined };

const NONE: Hazards = { words: new Set(), why: undefined };

/** The hazardous words of one simple command. */
export function hazardsOf(words: readonly Word[]): Hazards {
  const [program, ...args] = words;
  if (program === undefined) return NONE;
  if (!program.known) return all(words, "the program is only known when the line runs");
  const name = baseName(program.text);
  const kind = wholeKind(name);
  if (kind !== undefined) return all(words, `${name} ${kind}`);
  const found = byProgram(name, args);
  if (found === undefined) return NONE;
  const open = args.flatMap((arg, at) => arg.opens && !isAfterDashes(args, at) ? [at] : []);
  const indices = new Set([...found, ...open].map((at) => at + 1));
  if (indices.size === 0) return NONE;
  const [first = 0] = [...indices].sort((a, b) => a - b);
  const word = words[first];
  const shown = word === undefined ? "" : shownWord(word);
  return { words: indices, why: `"${shown}" can make ${name} run a program or write a file` };
}

function all(words: readonly Word[], why: string): Hazards {
  return { words: new Set(words.keys()), why };
}

/** Why no word of this program may be covered by a wildcard. */
function wholeKind(name: string): string | undefined {
  if (SHELLS.has(name) || WRAPPERS.has(name)) return "runs other programs";
  if (INTERPRETERS.some((pattern) => pattern.test(name))) return "runs whatever it is given";
  return undefined;
}

/** Indices among the arguments; undefined for a program of which no hazard is known. */
function byProgram(name: string, args: readonly Word[]): readonly number[] | undefined {
  switch (name) {
    case "git":
      return gitHazards(args);
    case "sed":
    case "gsed":
      return sedHazards(args);
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return awkHazards(args);
    default: {
      const options = OPTIONS.get(name);
      return options === undefined ? undefined : optionHazards(args, options);
    }
  }
}

function isAfterDashes(args: readonly Word[], at: number): boolean {
  return args.slice(0, at).some(({ text }) => text === "--");
}
