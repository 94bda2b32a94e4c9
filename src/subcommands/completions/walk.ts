/** How bash and zsh find the place that the words before the cursor lead to: both read the same lines. */
import { type Grammar, quoted, valued } from "./grammar.ts";

/**
 * Lines that leave in `at` the place, in `before` the option that waits for its value (else ""), and in `ended` a word
 * when no option or subcommand can follow: behind "--" or another word.
 */
export function walk(grammar: Grammar, words: string): string {
  const options = valued(grammar).flatMap(({ names }) => names).join("|");
  const places = grammar.filter(({ at }) => at !== "").map(({ at }) => quoted(at)).join("|");
  return `  for word in ${words}; do
    if [[ -n $before && $word == '=' ]]; then continue; fi
    if [[ -n $before && $word != -* ]]; then before=''; continue; fi
    before=''
    case $word in
      --) ended=1; break ;;
      ${options}) before=$word ;;
      -*) ;;
      *) case "\${at:+$at }$word" in
        ${places}) at="\${at:+$at }$word" ;;
      esac ;;
    esac
  done`;
}
