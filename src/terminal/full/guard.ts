/**
 * The last gate before the terminal. What is not ours was made visible where it came in; here everything that is no style
 * (SGR), no hyperlink (OSC 8) and no text is drawn visibly, so that no fault anywhere lets a control byte through.
 */
import { visible } from "@/lib/visible.ts";
import { isSingleCells } from "@/lib/width.ts";

/** Styles and hyperlinks. The address of a link holds nothing that could end it. */
const OURS = /\x1b\[[0-9;:]*m|\x1b\]8;[^\x00-\x1f\x7f-\x9f]*\x1b\\/g;

/** The line, or the text of whole lines, with nothing in it that a terminal acts on but what we write ourselves. */
export function guarded(line: string, { isText = false }: { isText?: boolean } = {}): string {
  if (isSingleCells(line)) return line;
  let [clean, at] = ["", 0];
  for (const match of line.matchAll(OURS)) {
    clean += shown(line.slice(at, match.index), isText) + match[0];
    at = match.index + match[0].length;
  }
  return clean + shown(line.slice(at), isText);
}

function shown(text: string, isText: boolean): string {
  if (isSingleCells(text)) return text;
  return visible(text, { oneLine: !isText });
}
