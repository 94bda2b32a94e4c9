/** `harness man`: the man page, made of the command line's own declarations. */
import type { CommandContext, RouteMap } from "@stricli/core";
import { PROVIDERS } from "@/provider/mod.ts";
import { stdout } from "@/terminal/process.ts";
import { EXIT } from "@/terminal/exit_code.ts";
import { VERSION } from "@/version.ts";
import { grammarOf, type Option, type Place } from "./completions/grammar.ts";

/** Print the man page of what `root` declares. Resolves to the exit code. */
export function man<C extends CommandContext>(root: RouteMap<C>): number {
  stdout(manPage(root));
  return EXIT.done;
}

/** The page, in the man macros that groff and mandoc read. */
export function manPage<C extends CommandContext>(root: RouteMap<C>): string {
  const [first, ...others] = grammarOf(root);
  const commands = others.filter(({ words }) => words.length === 0);
  return [
    `.TH HARNESS 1 "" ${quoted(`harness ${VERSION.split("+")[0]}`)}`,
    ".SH NAME",
    "harness \\- a terminal AI assistant that asks before it changes anything",
    ".SH SYNOPSIS",
    ...[".B harness", "[\\fIOPTION\\fR...]"],
    ...[".br", ".B harness", "\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIWORD\\fR...]"],
    ".SH DESCRIPTION",
    line(`${root.brief}.`),
    "Without a command it opens a conversation in the directory that you stand in; with \\fB\\-p\\fR it takes one turn without a",
    "terminal, prints the answer on standard output and everything else on standard error.",
    ".SH OPTIONS",
    ...(first?.options ?? []).flatMap(optionLines),
    ".SH COMMANDS",
    ...commands.flatMap((place) =>
      commandLines(place, briefOf(place, [...others, ...first ? [first] : []]))
    ),
    ".SH EXIT STATUS",
    ...Object.entries(EXITS).flatMap(([name, what]) =>
      tagged(`.B ${EXIT[name as keyof typeof EXIT]}`, what)
    ),
    ".SH ENVIRONMENT",
    ...Object.entries(environment()).flatMap(([name, what]) => tagged(`.B ${name}`, what)),
    ".SH FILES",
    ...tagged(
      ".I ~/.harness",
      "Everything that is kept about you: sessions, settings, keys, rules, the journal behind /undo.",
    ),
    ...tagged(
      ".I AGENTS.md",
      "What the model is told about a project; it gives no right to anything.",
    ),
    ...tagged(
      ".I .permissions.json",
      "Rules of a project; those that allow do nothing until you trust them.",
    ),
    "",
  ].join("\n");
}

const EXITS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "Done.",
  failed: "Failed.",
  usage: "Wrong usage.",
  limit: "A limit ended it.",
  unapproved: "Done, but something could not be approved.",
  hangup: "Hung up.",
  interrupted: "Interrupted.",
  terminated: "Terminated.",
};

function environment(): Record<string, string> {
  const reached = PROVIDERS.flatMap(({ title, reached }) =>
    reached === undefined ? [] : [
      ...reached.keyVariables.map((name) => [name, `The key for ${title}.`] as const),
      [reached.baseUrlVariable, `Where ${title} is reached.`] as const,
    ]
  );
  return {
    HARNESS_HOME: "The directory that stands for ~/.harness.",
    HARNESS_ACCEPT_TERMS: "1 accepts the terms of use where nobody can be asked.",
    NO_COLOR: "Not empty: no colours.",
    ...Object.fromEntries(reached),
  };
}

/** What the place above says of this one. */
function briefOf({ at }: Place, places: readonly Place[]): string {
  const words = at.split(" ");
  const above = places.find((place) => place.at === words.slice(0, -1).join(" "));
  return above?.words.find(({ name }) => name === words.at(-1))?.brief ?? "";
}

function commandLines({ at, options, operands }: Place, brief: string): string[] {
  const after = operands.map((word) => ` \\fI${escaped(word)}\\fR`).join("");
  const own = options.filter(({ names }) => !names.includes("--help"));
  return [
    ...tagged(`\\fB${escaped(at)}\\fR${after}`, `${brief}.`),
    // The options of a conversation stand above.
    ...(at === "start" || own.length === 0 ? [] : [".RS", ...own.flatMap(optionLines), ".RE"]),
  ];
}

function optionLines({ names, brief, takes, value }: Option): string[] {
  const shown = typeof takes === "string" ? value : takes.join("|");
  const after = takes === "nothing" ? "" : ` \\fI${escaped(shown ?? "VALUE")}\\fR`;
  const forms = names.map((name) => `\\fB${escaped(name)}\\fR`).join(", ");
  return tagged(`${forms}${after}`, `${brief}.`);
}

function tagged(tag: string, text: string): string[] {
  return [".TP", tag, line(text)];
}

/** A text as a line of its own: no request, whatever it begins with. */
function line(text: string): string {
  return escaped(text).replace(/^(?=[.'])/, "\\&");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
