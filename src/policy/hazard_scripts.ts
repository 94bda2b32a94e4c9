/**
 * Programs written on the command line for sed and awk. Only forms that are known to do nothing but print are taken as
 * harmless; everything else counts as a program that may run others and write files.
 */
import type { Word } from "./shell_word.ts";

/** sed options that change nothing about what its script may do. */
const SED_PLAIN = /^(-[nErzsu]+|--(quiet|silent|regexp-extended|null-data|unbuffered|posix))$/;

/** Line numbers, `$`, `/text/`. */
const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`;
const WHERE = new RegExp(String.raw`^${ADDRESS}(?:\s*,\s*[+~]?${ADDRESS})?\s*!?\s*`);
/** A substitution whose flags neither run (e) nor write (w); the delimiter is what comes after the s. */
const SUBSTITUTION = /^s([/|,#@:!])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiImM\d]*/;
const PRINTING = /^(?:[pd=]|[qQ]\d*|y\/[^/\\\n]*\/[^/\\\n]*\/)/;

/** Indices of sed's arguments that a wildcard must not cover. */
export function sedHazards(args: readonly Word[]): readonly number[] {
  const found: number[] = [];
  let hasScript = false;
  for (let at = 0; at < args.length; at += 1) {
    const { text, known } = args[at] ?? { text: "", known: false };
    const isExpression = text === "-e" || text === "--expression";
    if (isExpression || (!text.startsWith("-") && !hasScript)) {
      hasScript = true;
      if (isExpression) at += 1;
      const script = args[at];
      if (script === undefined || !script.known || !isPlainSed(script.text)) found.push(at);
    } else if (text.startsWith("-") && text !== "--" && !SED_PLAIN.test(text)) found.push(at);
    else if (!known && text.startsWith("-")) found.push(at);
  }
  return found.filter((at) => at < args.length);
}

/** Whether a sed script only prints, deletes and substitutes. */
export function isPlainSed(script: string): boolean {
  let rest = script.trim();
  while (rest !== "") {
    const where = WHERE.exec(rest)?.[0] ?? "";
    rest = rest.slice(where.length);
    const action = (SUBSTITUTION.exec(rest) ?? PRINTING.exec(rest))?.[0];
    if (action === undefined || isAmbiguous(where) || isAmbiguous(action)) return false;
    rest = rest.slice(action.length).trimStart();
    if (rest === "") return true;
    if (!/^[;\n]/.test(rest)) return false;
    rest = rest.slice(1).trimStart();
  }
  return script.trim() !== "";
}

/** Whether a delimiter may stand inside brackets, where seds differ on what it means. */
function isAmbiguous(text: string): boolean {
  return text.replace(/\\./g, "").split(/[/|,#@:!]/).some((part) =>
    part.replace(/\[\^?\]?[^\]]*\]/g, "").includes("[")
  );
}

/** Indices of awk's arguments that a wildcard must not cover. */
export function awkHazards(args: readonly Word[]): readonly number[] {
  const found: number[] = [];
  let hasProgram = false;
  for (let at = 0; at < args.length; at += 1) {
    const { text, known } = args[at] ?? { text: "", known: false };
    if (!hasProgram && (text === "-F" || text === "-v")) at += 1;
    else if (!hasProgram && /^-[Fv]./.test(text)) continue;
    else if (!hasProgram && text.startsWith("-") && text !== "--") found.push(at, at += 1);
    else if (!hasProgram && text !== "--") {
      hasProgram = true;
      if (!known || !isPlainAwk(text)) found.push(at);
    }
  }
  return found.filter((at) => at < args.length);
}

/** Whether an awk program can neither run a program nor write or read a file by itself. */
export function isPlainAwk(program: string): boolean {
  return !/system|getline|[|>@<]|load|include|printf?\s*\(?.*>/.test(program);
}
