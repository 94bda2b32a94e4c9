/** Completions for fish, which wants one line for each word and option, and a condition for where it may stand. */
import { type Grammar, type Option, valued } from "./grammar.ts";

/** The script, to be read by `source` or kept in `~/.config/fish/completions/harness.fish`. */
export function fish(grammar: Grammar): string {
  const lines = grammar.flatMap(({ at, words, options }) => {
    const where = `complete -c harness -n ${quoted(`__harness_at ${quoted(at)}`)}`;
    return [
      ...words.map(({ name, brief }) => `${where} -a ${name} -d ${quoted(brief)}`),
      ...options.map((option) => `${where} ${optionOf(option)} -d ${quoted(option.brief)}`),
    ];
  });
  const options = valued(grammar).flatMap(({ names }) => names).join(" ");
  const places = grammar.filter(({ at }) => at !== "").map(({ at }) => quoted(at)).join(" ");
  return `# harness: completions for fish. To load them: harness completions fish | source
function __harness_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l at
    set -l before
    for word in $words
        if test -n "$before"; and not string match -q -- '-*' $word
            set before
            continue
        end
        set before
        if test "$word" = --
            return 1
        else if contains -- $word ${options}
            set before $word
        else if not string match -q -- '-*' $word
            set -l next (string join ' ' $at $word)
            contains -- $next ${places}; and set at $next
        end
    end
    test "$at" = "$argv[1]"
end
complete -c harness -e
complete -c harness -f
${lines.join("\n")}
`;
}

function optionOf({ names, takes }: Option): string {
  const named = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
  ).join(" ");
  if (takes === "nothing") return named;
  if (takes === "file") return `${named} -r -F`;
  if (takes === "directory") return `${named} -x -a '(__fish_complete_directories)'`;
  return typeof takes === "string" ? `${named} -x` : `${named} -x -a ${quoted(takes.join(" "))}`;
}

/** fish knows backslashes between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
