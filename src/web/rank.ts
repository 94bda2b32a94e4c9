/** BM25 over the passages that a search has found, and the floor below which a passage is no answer. */
import { identifiersOf, termsOf, tokensOf } from "./terms.ts";

const K1 = 1.5;
const B = 0.75;
/** A word in more of the passages than this says nothing about one of them. */
const COMMON_SHARE = 0.4;
const TERM_CHARS_MIN = 3;

/** Passages by what they are worth. `kept`: the indices of those that clear the floor, best first. */
export type Ranking = {
  scores: readonly number[];
  mustContain: readonly string[];
  kept: readonly number[];
};

/** Rank passages for a query. A word's weight comes from these passages alone: what all of them have weighs nothing. */
export function rank(query: string, passages: readonly string[]): Ranking {
  const terms = termsOf(query);
  const words = passages.map(tokensOf);
  const scores = bm25(terms, words);
  const mustContain = floorOf(query, terms, words);
  const kept = passages.map((_, at) => at)
    .filter((at) => {
      const passage = passages[at]?.toLowerCase() ?? "";
      return (scores[at] ?? 0) > 0 && mustContain.every((term) => passage.includes(term));
    })
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  return { scores, mustContain, kept };
}

function bm25(terms: readonly string[], passages: readonly (readonly string[])[]): number[] {
  const average = passages.reduce((sum, { length }) => sum + length, 0) / passages.length;
  const counts = passages.map((words) => countsOf(words));
  const weights = terms.map((term) => {
    const having = counts.filter((count) => count.has(term)).length;
    return Math.log(1 + (passages.length - having + 0.5) / (having + 0.5));
  });
  return passages.map(({ length }, at) =>
    terms.reduce((sum, term, index) => {
      const often = counts[at]?.get(term) ?? 0;
      const share = often * (K1 + 1) / (often + K1 * (1 - B + B * length / average));
      return sum + (weights[index] ?? 0) * share;
    }, 0)
  );
}

function countsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/**
 * What a passage must contain: the query's identifiers, else its rarest word. A word that is in none of the passages says
 * something about the pages that were found, and nothing about which of them is good; where none is in any, all are bad.
 */
function floorOf(
  query: string,
  terms: readonly string[],
  passages: readonly (readonly string[])[],
): readonly string[] {
  const identifiers = identifiersOf(query);
  if (identifiers.length > 0) return identifiers;
  const most = Math.max(1, COMMON_SHARE * passages.length);
  const counted = terms.filter((term) => term.length >= TERM_CHARS_MIN || !/^[a-z0-9]+$/.test(term))
    .map((term) => ({ term, having: passages.filter((words) => words.includes(term)).length }));
  const found = counted.filter(({ having }) => having > 0);
  if (found.length === 0) return counted.slice(0, 1).map(({ term }) => term);
  const rare = found.filter(({ having }) => having <= most)
    .sort((one, other) => one.having - other.having);
  return rare.slice(0, 1).map(({ term }) => term);
}
