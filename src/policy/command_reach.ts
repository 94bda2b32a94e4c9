/** Deny and ask rules about commands: which command lines they reach, however the command is spelled or wrapped. */
import { patternTexts } from "./command_rule.ts";
import {
  compileGlob,
  type Glob,
  hasWildcard,
  matchGlob,
  thenAny,
  type Unit,
  UNKNOWN,
} from "./glob.ts";
import { analyse, type CommandLine } from "./shell.ts";
import { baseName, type Word } from "./shell_word.ts";

/** A pattern of a deny or ask rule. */
export type DenyPattern = {
  /** Any of these texts. */
  readonly globs: readonly Glob[];
  /** For a pattern of several commands: each of them, and what joins them. */
  readonly sequence?: { parts: readonly (readonly Glob[])[]; operators: readonly string[] };
};

/** Compile the pattern of a deny or ask rule: as written, and as the shell would read it. */
export function compileDeny(pattern: string): DenyPattern {
  const written = pattern.trim();
  const commands = patternTexts(written);
  const globs = commands.map(commandGlobs);
  if (commands.length === 1) return { globs: [...textGlobs(written), ...(globs[0] ?? [])] };
  const { operators, commands: { length } } = analyse(written);
  const isPlain = operators !== undefined && length === commands.length && length > 1;
  const own = textGlobs(written);
  return isPlain ? { globs: own, sequence: { parts: globs, operators } } : { globs: own };
}

function commandGlobs(words: readonly string[]): readonly Glob[] {
  const based = [baseName(words[0] ?? ""), ...words.slice(1)].join(" ");
  return [...new Set([words.join(" "), based])].flatMap(textGlobs);
}

/** The text, and the text with arguments behind it when it has no wildcard. */
function textGlobs(text: string): readonly Glob[] {
  if (text.trim() === "") return [];
  const glob = compileGlob(text);
  return hasWildcard(glob) ? [glob] : [glob, thenAny(compileGlob(`${text} `))];
}

/**
 * How far a pattern reaches into a line. `yes`: the line is such a command, or begins with one, or its first command
 * starts one. `part`: one stands further on. `maybe`: what runs is only known when it runs, and may be one.
 */
export type Extent = "yes" | "part" | "maybe" | "no";

/** Whether a deny or ask pattern reaches a line. */
export function reaches(pattern: DenyPattern, line: CommandLine): Extent {
  const matches = (text: readonly Unit[], possibly: boolean) =>
    pattern.globs.some((glob) => matchGlob(glob, text, { possibly }));
  const forms = formsOf(line);
  const hits = [
    ...sequenceHits(pattern, line),
    ...forms.filter(({ form }) => matches(form, false)),
  ];
  if (hits.some(({ at }) => at === 0)) return "yes";
  if (hits.length > 0) return "part";
  return forms.some(({ form, isOpen }) => isOpen && matches(form, true)) ? "maybe" : "no";
}

/** Where the commands of a pattern stand in a line one after the other, joined in the same way. */
function sequenceHits({ sequence }: DenyPattern, line: CommandLine): readonly { at: number }[] {
  if (sequence === undefined) return [];
  const { parts, operators } = sequence;
  return line.commands.flatMap((_, start) => {
    const isHere = parts.every((globs, index) => {
      const command = line.commands[start + index];
      const operator = line.operators?.[start + index - 1];
      const isJoined = index === 0 || line.operators === undefined ||
        operator === operators[index - 1];
      return command !== undefined && isJoined &&
        commandForms(command.words).some((form) => globs.some((glob) => matchGlob(glob, form)));
    });
    return isHere ? [{ at: start }] : [];
  });
}

/** A text that a pattern is held against. `at`: the command of the line that it belongs to. */
type Form = { readonly form: readonly Unit[]; readonly at: number; readonly isOpen: boolean };

const formsByLine = new WeakMap<CommandLine, readonly Form[]>();

/** Everything in a line that a pattern is held against; made once for all rules. */
function formsOf(line: CommandLine): readonly Form[] {
  const known = formsByLine.get(line) ?? [
    ...rawTexts(line.text).map(({ text, at }) => ({ form: [...text], at, isOpen: false })),
    ...line.reached.flatMap(({ words, at }) =>
      commandForms(words).map((form) => ({ form, at, isOpen: form.includes(UNKNOWN) }))
    ),
  ];
  formsByLine.set(line, known);
  return known;
}

/** The line as written, with spellings of a blank that a text comparison would miss, and each line of it. */
function rawTexts(text: string): readonly { text: string; at: number }[] {
  const trimmed = text.trim();
  const spaced = trimmed.replace(/\$\{IFS[^}]*\}|\$IFS(\$\d)?/g, " ").replace(/\s+/g, " ");
  const lines = trimmed.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line !== "");
  return [
    ...[trimmed, spaced].map((whole) => ({ text: whole, at: 0 })),
    ...lines.map((line, at) => ({ text: line, at })),
  ];
}

/** A command as texts to match: with its program as written, and by its name alone. */
function commandForms(words: readonly Word[]): readonly (readonly Unit[])[] {
  const rest = words.slice(1).flatMap(({ units }) => [" ", ...units]);
  const program = words[0]?.units ?? [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  const forms = [[...program, ...rest], [...name, ...rest]];
  const lastUnknown = name.lastIndexOf(UNKNOWN);
  // What is not known may hold a slash: then the name is only what follows.
  if (lastUnknown >= 0) forms.push([...name.slice(lastUnknown), ...rest]);
  return forms;
}
