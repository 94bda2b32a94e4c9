/** Text in a page: what it holds stays text, and what cannot be seen is drawn as an escape. */
import { visible } from "@/lib/visible.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text as HTML; with `oneLine` without line breaks. */
export function escaped(text: string, options: { oneLine?: boolean } = {}): string {
  return visible(text, options).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
