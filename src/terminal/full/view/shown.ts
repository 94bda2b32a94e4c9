/** Text that is not ours, as it may stand on the screen: every hidden character visible, tabs as blanks, lines apart. */
import { visible } from "@/lib/visible.ts";
import { expandTabs } from "@/lib/width.ts";

/** The text on one line: what it says, without its line ends and runs of blanks. */
export function shownLine(text: string): string {
  return visible(text.trim().replaceAll(/(?<!\s)\s*[\r\n]\s*/g, " ").replaceAll("\t", " "), {
    oneLine: true,
  });
}

/** The lines of a text, without an empty one at its end. Carriage returns before a line feed belong to it. */
export function shownLines(text: string, { tab = 8 }: { tab?: number } = {}): string[] {
  if (text === "") return [];
  const lines = text.replaceAll(/(?<!\r)\r+\n/g, "\n").split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line) => visible(expandTabs(line, tab)));
}

/** Each line with something before it; what goes before the first may be something else. No blanks at the ends. */
export function prefixed(lines: readonly string[], first: string, rest = first): string[] {
  return lines.map((line, at) => `${at === 0 ? first : rest}${line}`.trimEnd());
}

/** A shorter line was not broken because it was full. */
const BROKEN_CHARS_MIN = 60;

/** Prose that was broken to some width, in lines of its own again; what is indented, listed or short stands as it was. */
export function unbroken(text: string): string {
  const lines: string[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    const goesOn = before.length >= BROKEN_CHARS_MIN && /^[\p{L}\p{N}("'`]/u.test(line);
    if (goesOn) lines.push(`${lines.pop() ?? ""} ${line}`);
    else lines.push(line);
    before = line;
  }
  return lines.join("\n");
}
