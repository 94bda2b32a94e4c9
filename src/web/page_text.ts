/** The part of a long text that one result carries, and how to get the next. */
import { startOf } from "@/lib/clip.ts";

/** What one result may carry of a page, in characters. */
export const PAGE_CHARS_MAX = 20_000;

/** A part from `start`. `note` says what is missing; "" where it is whole. */
export function partOf(text: string, start: number): { text: string; note: string } {
  const rest = text.slice(start);
  const shown = rest.length <= PAGE_CHARS_MAX ? rest : cutAtLine(rest);
  const end = start + shown.length;
  if (start === 0 && end >= text.length) return { text: shown, note: "" };
  const more = end < text.length ? `; the next part begins with "start": ${end}` : "";
  return { text: shown, note: `characters ${start} to ${end} of ${text.length}${more}` };
}

function cutAtLine(text: string): string {
  const cut = startOf(text, PAGE_CHARS_MAX);
  const line = cut.lastIndexOf("\n");
  return line > PAGE_CHARS_MAX / 2 ? cut.slice(0, line + 1) : cut;
}
