/** What an engine of the search does; there are two, and both find the same. */
import type { Pattern } from "@/workspace/search_pattern.ts";
import type { LineHit } from "@/workers/line_match.ts";

/** Where to search. */
export type Scope = {
  /** Real path of the directory below which is searched, or of one file. */
  root: string;
  isFile: boolean;
  /** Ignored and hidden files too. */
  everything: boolean;
  signal: AbortSignal;
};

/** How many lines of each file match. `path` is relative to the root, with forward slashes; for a file it is "". */
export type Counts = {
  files: { path: string; lines: number }[];
  searchedFiles: number;
  searchedBytes: number;
  unreadable: number;
  /** Files and directories that were skipped because their names are not UTF-8: no tool can say these. */
  unsayable: number;
  /** Why there may be more than this: a sentence. */
  incomplete?: string;
};

/** Finds. Both throw the signal's reason, and SearchError for what cannot be searched for. */
export interface SearchEngine {
  count(pattern: Pattern, scope: Scope): Promise<Counts>;
  /** The first matching lines of each file (real paths). None for a file that has gone or changed. */
  hits(pattern: Pattern, paths: readonly string[], limits: HitLimits): Promise<LineHit[][]>;
}

/** `hitsMax` is for one file. */
export type HitLimits = { hitsMax: number; signal: AbortSignal };

/** Time a search may take, in milliseconds. */
export const SEARCH_TIMEOUT_MS = 30_000;

/** A search that could not be made; a sentence. */
export class SearchError extends Error {
  override readonly name = "SearchError";
}
