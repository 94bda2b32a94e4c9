/** The sentence for a call of a tool that does not exist: what was probably meant, and what there is. */
import { startOf } from "./clip.ts";

const NAME_CHARS_MAX = 100;
const NAMES_MAX = 60;
const SIMILAR_MAX = 3;

/** It, without a full stop. `names`: what models are shown, in their order. */
export function unknownTool(name: string, names: readonly string[]): string {
  const near = names.filter((other) => sharesWords(name, other)).slice(0, SIMILAR_MAX);
  const meant = near.length === 0 ? "" : `. Similar names: ${near.join(", ")}`;
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).join(", ");
  const all = more > 0 ? `${shown} and ${more} more` : shown;
  return `no tool is named "${startOf(name, NAME_CHARS_MAX)}"${meant}. The tools are: ${all}`;
}

/** Names that have the same words, in another order or with words more or less. */
function sharesWords(a: string, b: string): boolean {
  const words = new Set(wordsOf(a));
  const others = wordsOf(b);
  const shared = others.filter((word) => words.has(word)).length;
  return shared > 0 && shared >= Math.min(words.size, others.length);
}

function wordsOf(name: string): string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
