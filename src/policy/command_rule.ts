/** Allow rules about commands: which command lines they cover. */
import { parse } from "unbash";
import { clipEnd } from "@/lib/clip.ts";
import { hasHidden } from "@/lib/visible.ts";
import { compileGlob, type Glob, hasWildcard, joinGlobs, matchGlob, thenAny } from "./glob.ts";
import { hazardsOf } from "./hazard.ts";
import { analyse, type CommandLine, type Redirection, type SimpleCommand } from "./shell.ts";
import { patternText, shownWord } from "./shell_word.ts";

/** Between words in what patterns are matched against: no word contains it, so a quoted blank parts no words. */
const GAP = "\u0000";

const SHOWN_CHARS_MAX = 80;

/** A pattern of an allow rule. */
export type AllowPattern = {
  /** The whole line as written. */
  readonly exact: string;
  /** One for each simple command of the pattern; none when the pattern is only good for equality. */
  readonly parts: readonly AllowPart[];
  readonly operators: readonly string[];
};
type AllowPart = { globs: readonly Glob[]; redirections: readonly Redirection[] };

/** Why a line is not covered by rules, as a part of a sentence; undefined when it is. */
export type Uncovered = string | undefined;

/** Compile the pattern of an allow rule. */
export function compileAllow(pattern: string): AllowPattern {
  const exact = pattern.trim();
  // A backslash before a wildcard makes it ordinary, as in the shell.
  const escaped = exact.replace(/\\([*?[])/g, "[$1]");
  const line = analyse(escaped);
  const texts = patternTexts(escaped);
  const isUsable = line.unclear === undefined && line.extras.length === 0 &&
    line.operators !== undefined && texts.length === line.commands.length;
  if (!isUsable) return { exact, parts: [], operators: [] };
  const isOne = line.commands.length === 1;
  const parts = line.commands.map((command, index) => {
    const glob = joinGlobs((texts[index] ?? []).map((text) => compileGlob(text)), GAP);
    // "git status" covers "git status --short" too; "a && b" covers exactly that.
    const redirections = command.redirections.filter(isEffective);
    const isPrefix = isOne && !hasWildcard(glob) && redirections.length === 0;
    const longer = isPrefix ? [thenAny([...glob, ...compileGlob(GAP)])] : [];
    return { globs: [glob, ...longer], redirections };
  });
  return { exact, parts, operators: line.operators ?? [] };
}

/** The texts of the words of each simple command in a pattern, wildcards unmarked. */
export function patternTexts(pattern: string): string[][] {
  const found: string[][] = [];
  const add = (node: ReturnType<typeof parse>["commands"][number]["command"]): void => {
    if (node.type === "AndOr" || node.type === "Pipeline") return node.commands.forEach(add);
    if (node.type !== "Command") return;
    const words = [...(node.name === undefined ? [] : [node.name]), ...node.args];
    found.push(words.map((word) => word.type === "Word" ? patternText(word) : word.text));
  };
  parse(pattern).commands.forEach((statement) => add(statement.command));
  return found;
}

/**
 * Why a line is not covered by these allow patterns, or undefined when every part of it is. One pattern may spell out
 * the whole line; else each simple command needs one of its own.
 */
export function uncovered(line: CommandLine, patterns: readonly AllowPattern[]): Uncovered {
  const text = line.text.trim();
  if (patterns.some(({ exact }) => exact === text)) return undefined;
  const obstacle = obstacleIn(line);
  if (obstacle !== undefined) return obstacle;
  if (patterns.some((pattern) => coversSequence(pattern, line))) return undefined;
  for (const command of line.commands) {
    const problem = uncoveredCommand(command, patterns);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const obstacles = new WeakMap<CommandLine, { found: Uncovered }>();

/** What in a line no rule for a command covers; looked for once for all rules. */
export function obstacleIn(line: CommandLine): Uncovered {
  const known = obstacles.get(line) ?? { found: findObstacle(line) };
  obstacles.set(line, known);
  return known.found;
}

function findObstacle(line: CommandLine): Uncovered {
  if (line.unclear !== undefined) return line.unclear.why;
  if (hasHidden(line.text)) return "it contains hidden characters";
  const [extra] = line.extras;
  if (extra !== undefined) return `it contains ${extra}`;
  if (line.commands.length === 0) return "there is no command in it";
  const mover = line.commands.find(({ words }) => /^(cd|pushd|popd)$/.test(words[0]?.text ?? ""));
  if (mover !== undefined && line.commands.length > 1) {
    return `it changes the directory for its other commands (${mover.words[0]?.text})`;
  }
  return undefined;
}

function uncoveredCommand(command: SimpleCommand, patterns: readonly AllowPattern[]): Uncovered {
  const redirection = command.redirections.find(isEffective);
  if (redirection !== undefined) {
    return `it ${redirection.effect === "reads" ? "reads from" : "writes to"} a file (${
      shownRedirection(redirection)
    })`;
  }
  const candidates = patterns.filter(({ parts }) => parts.length === 1);
  if (candidates.some(({ parts: [part] }) => part !== undefined && coversPart(part, command))) {
    return undefined;
  }
  const isNamed = candidates.some(({ parts: [part] }) =>
    part !== undefined && part.redirections.length === 0 &&
    part.globs.some((glob) => matchGlob(glob, charsOf(command).chars))
  );
  const why = isNamed ? hazardsOf(command.words).why : undefined;
  return why ?? `no rule covers "${shownCommand(command)}"`;
}

function coversSequence(pattern: AllowPattern, line: CommandLine): boolean {
  const { parts, operators } = pattern;
  if (parts.length < 1 || parts.length !== line.commands.length) return false;
  if (line.operators === undefined || operators.join(GAP) !== line.operators.join(GAP)) {
    return false;
  }
  return parts.every((part, index) => {
    const command = line.commands[index];
    return command !== undefined && coversPart(part, command);
  });
}

function coversPart(part: AllowPart, command: SimpleCommand): boolean {
  const redirections = command.redirections.filter(isEffective);
  const written = part.redirections.map(shownRedirection).join(GAP);
  if (redirections.map(shownRedirection).join(GAP) !== written) return false;
  if (redirections.some(({ target }) => !target.known)) return false;
  const [program] = command.words;
  if (program === undefined || !program.known) return false;
  const { chars, locked } = charsOf(command);
  return part.globs.some((glob) => matchGlob(glob, chars, { locked }));
}

/** The words of a command as one text, and which of its characters only the same character in a rule covers. */
type CommandChars = { readonly chars: readonly string[]; readonly locked: ReadonlySet<number> };

const charsByCommand = new WeakMap<SimpleCommand, CommandChars>();

function charsOf(command: SimpleCommand): CommandChars {
  const known = charsByCommand.get(command);
  if (known !== undefined) return known;
  const hazards = hazardsOf(command.words).words;
  const chars: string[] = [];
  const locked = new Set<number>();
  command.words.forEach((word, index) => {
    for (const char of (index === 0 ? "" : GAP) + word.text) {
      if (hazards.has(index)) locked.add(chars.length);
      chars.push(char);
    }
  });
  charsByCommand.set(command, { chars, locked });
  return { chars, locked };
}

function isEffective({ effect }: Redirection): boolean {
  return effect !== "nothing";
}

/** A redirection as it would be written, for comparison and for the person. */
function shownRedirection({ operator, target }: Redirection): string {
  return `${operator} ${target.text}`;
}

/** A command as words with blanks, for a sentence. */
function shownCommand({ words }: SimpleCommand): string {
  return clipEnd(words.map(shownWord).join(" "), SHOWN_CHARS_MAX);
}
