/** The search without ripgrep: slower, and the same answers. */
import { closing } from "@/lib/closing.ts";
import { LinkedAbort } from "@/lib/linked_abort.ts";
import { join } from "@/lib/path.ts";
import { LineRegex, PatternTooSlow } from "@/workers/line_regex.ts";
import type { LineHit, LineMatcher } from "@/workers/line_match.ts";
import {
  type Counts,
  type HitLimits,
  type Scope,
  SEARCH_TIMEOUT_MS,
  type SearchEngine,
  SearchError,
} from "@/workspace/search_engine.ts";
import { LiteralMatcher } from "@/workspace/search_literal.ts";
import type { Pattern } from "@/workspace/search_pattern.ts";
import { PlaceChanged } from "@/workspace/entry.ts";
import { type FileMatch, matchFile, type OpenFile } from "@/workspace/search_pieces.ts";
import { filesBelow, isUnsayable } from "@/workspace/search_walk.ts";

/** Files that are read at the same time. */
const FILES_AT_ONCE = 4;

/** Time a regular expression gets for one piece of a file, in milliseconds. */
const PIECE_TIMEOUT_MS = 5_000;

/** Limits of time; a test sets shorter ones. */
export type OwnSearchLimits = { searchMs: number; pieceMs: number };

/** Reads every file itself. */
export class OwnSearch implements SearchEngine {
  readonly #limits: OwnSearchLimits;
  readonly #open: OpenFile | undefined;

  /** `open`: how files are opened, while somebody may be swapping directories for links. */
  constructor(
    limits: OwnSearchLimits = { searchMs: SEARCH_TIMEOUT_MS, pieceMs: PIECE_TIMEOUT_MS },
    open?: OpenFile,
  ) {
    this.#limits = limits;
    this.#open = open;
  }

  async count(pattern: Pattern, scope: Scope): Promise<Counts> {
    const counts: Counts = {
      files: [],
      searchedFiles: 0,
      searchedBytes: 0,
      unreadable: 0,
      unsayable: 0,
    };
    const late = AbortSignal.timeout(this.#limits.searchMs);
    try {
      await closing(new LinkedAbort(scope.signal, late), ({ signal }) =>
        this.#with(
          { pattern, signal },
          (matcher) => countAll(matcher, { ...scope, signal, open: this.#open }, counts),
        ));
    } catch (error) {
      if (!late.aborted || scope.signal.aborted) throw error;
      counts.incomplete = `it was stopped after ${this.#limits.searchMs / 1000} s`;
    }
    return counts;
  }

  async hits(
    pattern: Pattern,
    paths: readonly string[],
    { hitsMax, signal }: HitLimits,
  ): Promise<LineHit[][]> {
    const all: LineHit[][] = [];
    await this.#with({ pattern, signal }, async (matcher) => {
      const open = this.#open;
      for (const path of paths) {
        const match = matchFile(path, matcher, { hitsMax, countAll: false, signal, open });
        const found = await readable(match);
        all.push(typeof found === "string" ? [] : found.hits);
      }
    });
    return all;
  }

  /** A signal that fires ends the matcher at once, also one whose worker is still starting. */
  async #with<T>(
    { pattern, signal }: { pattern: Pattern; signal: AbortSignal },
    body: (matcher: LineMatcher) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const matcher = pattern.kind === "literal"
      ? new LiteralMatcher(pattern.text)
      : new LineRegex(pattern, this.#limits.pieceMs);
    const end = () => matcher.close();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await body(matcher);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PatternTooSlow)) throw error;
      const seconds = this.#limits.pieceMs / 1000;
      const how = "Search for something simpler: nested repetitions such as (a+)+ take for ever";
      throw new SearchError(
        `The regular expression took more than ${seconds} s on one part of a file. ${how}`,
      );
    } finally {
      signal.removeEventListener("abort", end);
      matcher.close();
    }
  }
}

/** Adds to `counts` as it goes, so that they are there when time runs out. */
async function countAll(
  matcher: LineMatcher,
  scope: Scope & { open: OpenFile | undefined },
  counts: Counts,
): Promise<void> {
  const { root, isFile, everything, signal, open } = scope;
  const names = isFile ? oneFile() : filesBelow(root, {
    ...{ everything, signal },
    onUnreadable: () => counts.unreadable += 1,
    onUnsayable: () => counts.unsayable += 1,
  });
  const reader = async () => {
    for (let next = await names.next(); !next.done; next = await names.next()) {
      await countFile(next.value);
    }
  };
  // Each takes the next name when it is done with the last; a generator queues its callers.
  const readers = Array.from({ length: FILES_AT_ONCE }, reader);
  const outcomes = await Promise.allSettled(readers);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;

  async function countFile(name: string): Promise<void> {
    const path = isFile ? root : join(root, name);
    const found = await readable(
      matchFile(path, matcher, { hitsMax: 0, countAll: true, signal, open }),
    );
    if (found === "gone") {
      if (isUnsayable(name)) counts.unsayable += 1;
      return;
    }
    if (found === "unreadable") {
      counts.unreadable += 1;
      return;
    }
    counts.searchedFiles += 1;
    counts.searchedBytes += found.bytes;
    if (found.matched > 0) counts.files.push({ path: name, lines: found.matched });
  }
}

async function* oneFile(): AsyncGenerator<string> {
  yield "";
}

async function readable(match: Promise<FileMatch>): Promise<FileMatch | "gone" | "unreadable"> {
  try {
    return await match;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof PlaceChanged) return "gone";
    if (error instanceof Deno.errors.PermissionDenied) return "unreadable";
    throw error;
  }
}
