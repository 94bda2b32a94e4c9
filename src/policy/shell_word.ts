/** Words of a command line as the shell would hand them on: quoting resolved, what only a run could tell marked. */
import type { Word as ParsedWord, WordPart } from "unbash";
import { type Unit, UNKNOWN } from "./glob.ts";

/** One word of a command. */
export type Word = {
  /** Without quoting. What is not known stands as it was written, after a U+0001, so that no quoted text equals it. */
  readonly text: string;
  /** The same for matching: characters, and stretches of any text. */
  readonly units: readonly Unit[];
  /** Whether the whole value is known. */
  readonly known: boolean;
  /** Whether it may begin with anything, an option's dash for example. */
  readonly opens: boolean;
};

const MARK = "\u0001";

/** What the shell makes of a word, as far as the text tells. */
export function readWord(word: ParsedWord): Word {
  const read = word.parts === undefined ? knownWord(word.value) : fromParts(word.parts);
  return word.text.startsWith("~") ? { ...read, units: withoutTilde(read.units) } : read;
}

/** A home directory goes where a bare `~` stands: which one, the line does not tell. */
function withoutTilde(units: readonly Unit[]): readonly Unit[] {
  const slash = units.indexOf("/");
  return [UNKNOWN, ...(slash < 0 ? [] : units.slice(slash))];
}

/** A word whose value is known. */
export function knownWord(text: string): Word {
  return { text, units: [...text], known: true, opens: false };
}

/** A word that may be anything. */
export function unknownWord(shown: string): Word {
  return { text: MARK + shown, units: [UNKNOWN], known: false, opens: true };
}

/** The text of a word for the person: without our mark. */
export function shownWord(word: Word): string {
  return word.text.replaceAll(MARK, "");
}

/**
 * The text of a word in a rule's pattern: like `readWord`, but wildcards are the rule's own and stand unmarked, so that
 * a quoted star and a bare one are both wildcards.
 */
export function patternText(word: ParsedWord): string {
  return (word.parts ?? []).length === 0 ? word.value : fromParts(word.parts ?? [], "").text;
}

/** A word from its parts; `globMark` goes before what the shell would expand to file names. */
export function fromParts(parts: readonly WordPart[], globMark = MARK): Word {
  let text = "";
  const units: Unit[] = [];
  const known = (value: string) => {
    text += value;
    units.push(...value);
  };
  const add = (part: WordPart): void => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return known(part.value);
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.forEach(add);
      case "Glob":
        text += globMark + part.text;
        units.push(UNKNOWN);
        return;
      case "SimpleExpansion":
      case "ParameterExpansion":
      case "CommandExpansion":
      case "ArithmeticExpansion":
      case "ProcessSubstitution":
      case "ExtendedGlob":
      case "BraceExpansion":
        text += MARK + part.text;
        units.push(UNKNOWN);
        return;
      default:
        part satisfies never;
        text += MARK;
        units.push(UNKNOWN);
    }
  };
  parts.forEach(add);
  return { text, units, known: !units.includes(UNKNOWN), opens: units[0] === UNKNOWN };
}

/** The last part of a program's path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
