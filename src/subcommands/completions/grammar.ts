/** What may stand where on the command line, as plain data that a shell's script can be written of. */
import type { Command, CommandContext, RouteMap } from "@stricli/core";

/** What follows an option: nothing, one of some words, a path, or what nobody can guess. */
export type Takes = "nothing" | "directory" | "file" | "text" | readonly string[];

/** `value` is what stands for the value of one that takes a text or a path: "DIR". */
export type Option = { names: readonly string[]; brief: string; takes: Takes; value?: string };

/** A place on the command line, named by the words that lead there: "" or "sessions export". */
export type Place = {
  at: string;
  words: readonly { name: string; brief: string }[];
  options: readonly Option[];
  /** What stands for the words that follow by their place: "RULE", "[TEXT...]". */
  operands: readonly string[];
};

export type Grammar = readonly Place[];

const HELP: Option = { names: ["--help", "-h"], brief: "Print help and exit", takes: "nothing" };
const VERSION: Option = { names: ["--version"], brief: "Print the version", takes: "nothing" };

/** Every place of a route map, the root first. */
export function grammarOf<C extends CommandContext>(root: RouteMap<C>): Grammar {
  const [first, ...others] = placesOf(root, "");
  return first === undefined ? [] : [{ ...first, options: [...first.options, VERSION] }, ...others];
}

function placesOf<C extends CommandContext>(
  target: RouteMap<C> | Command<C>,
  at: string,
): readonly Place[] {
  if (!("getAllEntries" in target)) {
    const operands = operandsOf(target);
    return [{ at, words: [], options: [...optionsOf(target), HELP], operands }];
  }
  const entries = target.getAllEntries().filter(({ hidden }) => !hidden);
  const words = entries.map(({ name, target }) => ({ name: name.original, brief: target.brief }));
  const unnamed = target.getDefaultCommand();
  const options = [...(unnamed === undefined ? [] : optionsOf(unnamed)), HELP];
  const below = entries.flatMap(({ name, target }) =>
    placesOf(target, at === "" ? name.original : `${at} ${name.original}`)
  );
  return [{ at, words, options, operands: [] }, ...below];
}

function optionsOf<C extends CommandContext>({ parameters }: Command<C>): Option[] {
  const { flags = {}, aliases = {} } = parameters;
  return Object.entries(flags).map(([name, flag]) => ({
    names: [
      `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      ...Object.entries(aliases).filter(([, of]) => of === name).map(([alias]) => `-${alias}`),
    ],
    brief: flag.brief,
    takes: takesOf(flag),
    ...("placeholder" in flag && flag.placeholder !== undefined ? { value: flag.placeholder } : {}),
  }));
}

function operandsOf<C extends CommandContext>({ parameters }: Command<C>): string[] {
  const { positional } = parameters;
  if (positional === undefined) return [];
  if (positional.kind === "tuple") {
    return positional.parameters.map(({ placeholder = "WORD", optional }) =>
      optional === true ? `[${placeholder}]` : placeholder
    );
  }
  const { parameter: { placeholder = "WORD" }, minimum = 0 } = positional;
  return [minimum > 0 ? `${placeholder}...` : `[${placeholder}...]`];
}

function takesOf(flag: { kind: string; values?: readonly string[]; placeholder?: string }): Takes {
  if (flag.kind === "boolean" || flag.kind === "counter") return "nothing";
  if (flag.values !== undefined) return flag.values;
  if (flag.placeholder === "DIR") return "directory";
  return flag.placeholder === "FILE" ? "file" : "text";
}

/** The options that are followed by something, each name once: a name takes the same wherever it stands. */
export function valued(grammar: Grammar): readonly Option[] {
  const byName = new Map<string, Option>();
  for (const option of grammar.flatMap(({ options }) => options)) {
    const [name = ""] = option.names;
    if (option.takes === "nothing") continue;
    const names = new Set([...byName.get(name)?.names ?? [], ...option.names]);
    byName.set(name, { ...option, names: [...names] });
  }
  return [...byName.values()];
}

/** A text between single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
