/** Completions for bash, from 3.2 on (macOS). It splits words at "=", so that `--output=json` arrives as three. */
import { type Grammar, quoted, type Takes, valued } from "./grammar.ts";
import { walk } from "./walk.ts";

/** The script, to be read by `source`. */
export function bash(grammar: Grammar): string {
  const places = grammar.map(({ at, words, options }) => {
    const names = options.flatMap(({ names }) => names).filter((name) => name.startsWith("--"));
    const found = words.map(({ name }) => name).join(" ");
    return `    ${quoted(at)}) words=${quoted(found)} options=${quoted(names.join(" "))} ;;`;
  });
  const values = valued(grammar).map(({ names, takes }) =>
    `    ${names.join("|")}) ${valuesOf(takes)}; return ;;`
  );
  return `# harness: completions for bash. To load them: source <(harness completions bash)
_harness_reply() {
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen "$@")
}
_harness() {
  local current=\${COMP_WORDS[COMP_CWORD]} last=$((COMP_CWORD - 1)) at='' before='' ended='' words='' options='' word
  if [[ $current == '=' ]]; then current=''; fi
  if [[ \${COMP_WORDS[last]} == '=' ]]; then last=$((last - 1)); fi
  COMPREPLY=()
${walk(grammar, `"\${COMP_WORDS[@]:1:last}"`)}
  if [[ $current != -* ]]; then
    case $before in
${values.join("\n")}
    esac
  fi
  case $at in
${places.join("\n")}
  esac
  if [[ -n $ended ]]; then return; fi
  if [[ $current == -* ]]; then words=$options; fi
  _harness_reply -W "$words" -- "$current"
}
complete -F _harness harness
`;
}

/** What replies with that, with file names told apart where the shell can: it then adds "/" and escapes blanks. */
function valuesOf(takes: Takes): string {
  const by = (how: string) => `_harness_reply ${how} -- "$current"`;
  const paths = "compopt -o filenames 2> /dev/null; ";
  if (takes === "directory") return paths + by("-d");
  if (takes === "file") return paths + by("-f");
  return typeof takes === "string" ? "true" : by(`-W ${quoted(takes.join(" "))}`);
}
