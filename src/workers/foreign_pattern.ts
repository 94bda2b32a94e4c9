/** Patterns that somebody else has written, tried on a few short texts. */
import { LineRegex, PatternFailed } from "./line_regex.ts";

/** What such a pattern gets for all texts, in milliseconds. */
const TIMEOUT_MS = 2_000;

export type ForeignPattern = { source: string; flags: string };

/**
 * Whether a regular expression matches somewhere in one of the texts, none of which may have a line feed. It may be made to
 * take for ever, so it is tried in a worker that is ended then: "unknown", as for one that is too large to be run.
 */
export async function tryPattern(
  pattern: ForeignPattern,
  texts: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<"match" | "none" | "unknown"> {
  const regex = new LineRegex(pattern, timeoutMs);
  try {
    const { matched } = await regex.match(new TextEncoder().encode(texts.join("\n")), 1);
    return matched > 0 ? "match" : "none";
  } catch (error) {
    if (error instanceof PatternFailed) return "unknown";
    throw error;
  } finally {
    regex.close();
  }
}
