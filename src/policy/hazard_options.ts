/** Hazardous words of a program by a table of its options. */
import type { OptionHazards } from "./hazard_programs.ts";
import type { Word } from "./shell_word.ts";

/** The hazardous arguments of a program by its table of options. */
export function optionHazards(args: readonly Word[], table: OptionHazards): readonly number[] {
  const found: number[] = [];
  const add = (at: number, withNext: boolean) => {
    found.push(at);
    if (withNext && at + 1 < args.length) found.push(at + 1);
  };
  const command = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  if (table.onlyCommands !== undefined && !table.onlyCommands.includes(command)) {
    return [...args.keys()];
  }
  let positionals = 0;
  for (const [at, { text }] of args.entries()) {
    const option = optionName(text);
    if (!text.startsWith("-")) positionals += 1;
    if (table.words?.some((pattern) => pattern.test(text))) add(at, false);
    else if (table.commands?.includes(text)) add(at, false);
    else if (table.oldStyle === true && at === 0 && hasLetter(`-${text}`, table.short)) {
      add(at, true);
    } else if (!text.startsWith("-") && positionals > (table.positionalsMax ?? Infinity)) {
      add(at, false);
    } else if (text.startsWith("--") && isLong(option, table.long)) add(at, !text.includes("="));
    else if (table.single?.includes(option)) add(at, !text.includes("="));
    else if (!text.startsWith("--") && hasLetter(text, table.short)) add(at, true);
  }
  return found;
}

function optionName(text: string): string {
  const equals = text.indexOf("=");
  return equals < 0 ? text : text.slice(0, equals);
}

/** Long options may be shortened: `--out=x` is `--output=x`. */
function isLong(option: string, long: string | undefined): boolean {
  return option.length > 2 && (long ?? "").split(" ").some((name) => name.startsWith(option));
}

/** Short options may stand together, with a value behind: `-ro file`, `-rofile`. */
function hasLetter(text: string, letters: string | undefined): boolean {
  return text.startsWith("-") && [...(letters ?? "")].some((letter) => text.includes(letter, 1));
}
