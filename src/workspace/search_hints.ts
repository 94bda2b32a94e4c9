/** When nothing was found: what would have been, had the question been a little different. */
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { settlesWithin } from "@/lib/within.ts";
import type { Counts } from "@/workspace/search_engine.ts";
import { parsePattern, type Pattern, PatternError } from "@/workspace/search_pattern.ts";

/** Time all hints together may take, in milliseconds. */
const HINTS_TIMEOUT_MS = 3_000;

/** Another question, and what it finds. */
export type Hint = {
  kind: "case" | "everything" | "regex";
  lines: number;
  files: readonly string[];
};

type Ask = {
  pattern: Pattern;
  count: (pattern: Pattern, everything: boolean, signal: AbortSignal) => Promise<Counts>;
  signal: AbortSignal;
};

/**
 * Tries letter case, ignored and hidden files, and reading the query as a regular expression; what is found is told in
 * this order. A try that fails or takes too long is no hint.
 */
export async function hintsFor(
  { query, isRegex }: { query: string; isRegex: boolean },
  { pattern, count, signal }: Ask,
): Promise<Hint[]> {
  using linked = new LinkedAbort(signal);
  const tryOne = async (
    kind: Hint["kind"],
    other: Pattern | undefined,
  ): Promise<Hint | undefined> => {
    if (other === undefined) return undefined;
    const counts = await count(other, kind === "everything", linked.signal);
    const lines = counts.files.reduce((sum, file) => sum + file.lines, 0);
    return lines === 0 ? undefined : { kind, lines, files: counts.files.map(({ path }) => path) };
  };
  const tries = Promise.allSettled([
    tryOne("case", regexOf(`(?i)${isRegex ? query : escaped(query)}`)),
    tryOne("everything", pattern),
    tryOne("regex", !isRegex && /[\\|*+?^$[\](){}]/.test(query) ? regexOf(query) : undefined),
  ]);
  if (!await settlesWithin(tries, HINTS_TIMEOUT_MS)) {
    linked.abort(new DOMException("The hints took too long", "TimeoutError"));
  }
  const results = await tries;
  signal.throwIfAborted();
  return results.flatMap((result) =>
    result.status === "fulfilled" && result.value !== undefined ? [result.value] : []
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function regexOf(source: string): Pattern | undefined {
  try {
    return parsePattern(source, true);
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}
