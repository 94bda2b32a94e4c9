/**
 * How many tokens a text costs, without a tokenizer: estimated from its script, corrected per model by what the
 * server reports. And what to do when it is too many: cut tool results in the middle.
 */
import { wholeAt } from "./clip.ts";

/** Characters that a tool result may keep, tried in this order until everything fits. */
export const RESULT_CEILINGS: readonly number[] = [24_000, 12_000, 6_000, 3_000];

/** Part of a cut text that is kept from its end: a traceback says there what went wrong. */
export const TAIL_SHARE = 0.35;

/** What an image costs, in tokens. Ollama counts 768; the hosted models charge between 700 and 1,600. */
export const IMAGE_TOKENS = 768;

const WIDE_CHARS_PER_TOKEN = 2;
const OTHER_CHARS_PER_TOKEN = 4;
const WINDOW_SHARE = 0.85;
const RAW_TOKENS_MIN = 50;
const RATIO_MIN = 0.25;
const RATIO_MAX = 4;
const NEWEST_WEIGHT = 0.3;

/** Hangul, Kana, Han and full-width forms: one or two of these are a token, where four Latin letters are one. */
const WIDE_RANGES: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff], // Hangul Jamo
  [0x2e80, 0x2fdf], // Han radicals
  [0x3000, 0x30ff], // CJK punctuation, Hiragana, Katakana
  [0x3130, 0x318f], // Hangul compatibility Jamo
  [0x31c0, 0x9fff], // strokes, enclosed CJK, Han
  [0xa960, 0xa97f], // Hangul Jamo, extended
  [0xac00, 0xd7ff], // Hangul syllables
  [0xf900, 0xfaff], // Han, compatibility
  [0xff00, 0xffef], // full-width and half-width forms
  [0x1b000, 0x1b16f], // Kana, supplement and extended
  [0x20000, 0x3ffff], // Han, extensions
];

/** How many characters of a text are wide. */
export function wideChars(text: string): number {
  return charCounts(text).wide;
}

/** Tokens of a text before any correction, not rounded. */
export function rawTokens(text: string): number {
  const { wide, other } = charCounts(text);
  return wide / WIDE_CHARS_PER_TOKEN + other / OTHER_CHARS_PER_TOKEN;
}

/** Tokens of a text, in whole tokens. `correction` is what `learnCorrection` made of earlier requests. */
export function estimateTokens(text: string, correction = 1): number {
  return Math.floor(rawTokens(text) * correction);
}

/**
 * Tokens that a reply may take at the most: what the model is allowed, and no more than a quarter of the window. Half of a
 * small one would leave the conversation nothing beside the tools.
 */
export function replyTokens(windowTokens: number, outputTokensMax: number): number {
  return Math.min(outputTokensMax, Math.floor(windowTokens / 4));
}

/** Tokens that a request may use of a window of `windowTokens` when the reply may take `outputTokensMax` of them. */
export function promptBudget(windowTokens: number, outputTokensMax: number): number {
  return Math.floor(WINDOW_SHARE * windowTokens) - outputTokensMax;
}

/**
 * The correction after one more request: its reported prompt tokens against the raw estimate of the same request.
 * A report that cannot be right (nothing, too small a sample, or more than four times off) changes nothing.
 */
export function learnCorrection(
  correction: number | undefined,
  sample: { reportedTokens: number; rawTokens: number },
): number | undefined {
  const { reportedTokens, rawTokens: raw } = sample;
  if (!(reportedTokens > 0) || !(raw >= RAW_TOKENS_MIN)) return correction;
  const ratio = reportedTokens / raw;
  if (ratio < RATIO_MIN || ratio > RATIO_MAX) return correction;
  if (correction === undefined) return rounded(ratio);
  return rounded((1 - NEWEST_WEIGHT) * correction + NEWEST_WEIGHT * ratio);
}

/** Four digits are more than an estimate deserves, and keep 0.7 and 0.3 from leaving a tail of nines. */
function rounded(correction: number): number {
  return Math.round(correction * 10_000) / 10_000;
}

/** A text cut in the middle to `charsMax` of its characters, saying how many were left out; a shorter one as it is. */
export function trimMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const tailChars = Math.floor(charsMax * TAIL_SHARE);
  const headEnd = wholeAt(text, charsMax - tailChars);
  const tailStart = wholeAt(text, text.length - tailChars);
  const omitted = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n[... ${omitted} characters omitted here ...]\n${
    text.slice(tailStart)
  }`;
}

/** A result as short as it gets. */
export function leanest(text: string): string {
  return trimMiddle(text, RESULT_CEILINGS.at(-1) ?? 0);
}

function charCounts(text: string): { wide: number; other: number } {
  let wide = 0;
  let other = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x1100) {
      other += 1;
      continue;
    }
    const point = text.codePointAt(at) ?? unit;
    if (point > 0xffff) at += 1;
    if (isDense(point)) wide += 1;
    else other += 1;
  }
  return { wide, other };
}

function isDense(point: number): boolean {
  return WIDE_RANGES.some(([first, last]) => point >= first && point <= last);
}
