/** Completions for zsh, with what each word and option is for. */
import { type Grammar, quoted, type Takes, valued } from "./grammar.ts";
import { walk } from "./walk.ts";

/** The script: read by `source`, or kept as `_harness` in a directory of `fpath`. */
export function zsh(grammar: Grammar): string {
  const places = grammar.map(({ at, words, options }) => {
    const found = words.map(({ name, brief }) => described(name, brief)).join(" ");
    const named = options.flatMap(({ names, brief }) =>
      names.map((name) => described(name, brief))
    );
    return `    ${quoted(at)}) found=(${found}) options=(${named.join(" ")}) ;;`;
  });
  const values = valued(grammar).map(({ names, takes }) =>
    `    ${names.join("|")}) ${valuesOf(takes)}; return ;;`
  );
  return `#compdef harness
# harness: completions for zsh. To load them: source <(harness completions zsh)
_harness() {
  local at='' before='' ended='' word
  local -a found options
${walk(grammar, "${words[2,CURRENT-1]}")}
  if [[ \${words[CURRENT]} == --*=* ]]; then before=\${words[CURRENT]%%=*}; compset -P 1 '*='; fi
  if [[ $PREFIX != -* ]]; then
    case $before in
${values.join("\n")}
    esac
  fi
  case $at in
${places.join("\n")}
  esac
  if [[ -n $ended ]]; then return 1; fi
  if [[ $PREFIX == -* ]]; then _describe -o option options; else _describe command found; fi
}
if [[ \${funcstack[1]-} == _harness ]]; then
  _harness "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _harness harness
fi
`;
}

function described(name: string, brief: string): string {
  return quoted(`${name}:${brief.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}`);
}

function valuesOf(takes: Takes): string {
  if (takes === "directory") return "_path_files -/";
  if (takes === "file") return "_files";
  return typeof takes === "string" ? "_message value" : `compadd -- ${takes.map(quoted).join(" ")}`;
}
