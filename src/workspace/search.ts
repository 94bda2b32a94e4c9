/** Searching the workspace: which engine, what is shown of what was found, and what may help when nothing was. */
import { join } from "@/lib/path.ts";
import { seenFrom } from "@/lib/path_within.ts";
import type { Processes } from "@/sandbox/processes.ts";
import {
  type Counts,
  type Scope,
  type SearchEngine,
  SearchError,
} from "@/workspace/search_engine.ts";
import { hintsFor } from "@/workspace/search_hints.ts";
import { openReal } from "@/workspace/open_real.ts";
import { OwnSearch } from "@/workspace/search_own.ts";
import { parsePattern, type Pattern, PatternError } from "@/workspace/search_pattern.ts";
import { RipgrepSearch } from "@/workspace/search_ripgrep.ts";
import { type FoundRow, rowsOf } from "@/workspace/search_rows.ts";
import { foundText, notFoundText, quoted } from "@/workspace/search_text.ts";

/** Matching lines that are shown: of all files together, and of one. */
const LINES_MAX = 100;
const LINES_PER_FILE_MAX = 20;

const CONTEXT_LINES_MAX = 10;

/** What to search for and where. */
export type SearchRequest = {
  query: string;
  isRegex: boolean;
  /** Real path of a directory or a file. */
  root: string;
  /** Lines shown before and after each match. */
  contextLines?: number;
};

/** What was found, as the model reads it: less than 8 KB. */
export type SearchOutcome = { text: string; lines: number; files: number };

/** What a search works with. */
export type SearchParts = {
  processes: Processes;
  /** Real path of the workspace; paths are shown from here, and a ripgrep inside it is not used. */
  workspace: string;
  /** Whether the lines of a file may be shown; for rules that deny reading it. */
  mayRead?: (path: string) => boolean;
  /** Without it, ripgrep when there is one. */
  engine?: "own";
};

/** The lines found in one file; `total` counts all of them. */
export type FileRows = { path: string; total: number; rows: FoundRow[] };

/** Searches in one workspace. */
export class Search {
  readonly #parts: SearchParts;
  #engine: SearchEngine | undefined;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Search. Throws SearchError with a sentence, or the signal's reason. */
  async find(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    const pattern = readQuery(request);
    const engine = await this.#chosen();
    const scope: Scope = { ...await this.#scopeOf(request.root), everything: false, signal };
    const counts = this.#shown(await engine.count(pattern, scope), scope);
    const lines = counts.files.reduce((sum, file) => sum + file.lines, 0);
    if (counts.files.length === 0) {
      const count = async (other: Pattern, everything: boolean, hintSignal: AbortSignal) =>
        this.#shown(await engine.count(other, { ...scope, everything, signal: hintSignal }), scope);
      const hints = await hintsFor(request, { pattern, count, signal });
      return { text: notFoundText(request, counts, hints), lines: 0, files: 0 };
    }
    const files = await this.#rows(pattern, { counts, scope, engine, request });
    return { text: foundText(files, counts), lines, files: counts.files.length };
  }

  /** The files (real paths, in order) that contain a text. Throws as `find` does. */
  async filesWith(
    text: string,
    root: string,
    signal: AbortSignal,
  ): Promise<{ paths: string[]; incomplete?: string }> {
    const pattern = readQuery({ query: text, isRegex: false, root });
    const engine = await this.#chosen();
    const scope: Scope = { ...await this.#scopeOf(root), everything: false, signal };
    const { files, incomplete } = this.#shown(await engine.count(pattern, scope), scope);
    const paths = files.map(({ path }) => path === "" ? scope.root : join(scope.root, path));
    return { paths, ...(incomplete === undefined ? {} : { incomplete }) };
  }

  async #chosen(): Promise<SearchEngine> {
    // A command that lives could swap a directory for a link between a look and a read; ripgrep would be led by it.
    if (this.#parts.processes.wrappedRunning > 0) {
      return new OwnSearch(undefined, (path) => openReal(path).file);
    }
    if (this.#engine !== undefined) return this.#engine;
    const { processes, workspace, engine } = this.#parts;
    const own = new OwnSearch();
    const program = engine === "own" ? undefined : await processes.find("rg", [workspace]);
    this.#engine = program === undefined ? own : new RipgrepSearch(processes, { program, own });
    return this.#engine;
  }

  async #scopeOf(root: string): Promise<Pick<Scope, "root" | "isFile">> {
    const shown = this.#shownPath(root) || ".";
    try {
      const info = await Deno.stat(root);
      if (info.isFile || info.isDirectory) return { root, isFile: info.isFile };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new SearchError(`Cannot search in "${shown}": no such file or directory`);
    }
    throw new SearchError(`Cannot search in "${shown}": it is neither a file nor a directory`);
  }

  /** In order of paths, without what may not be read. */
  #shown(counts: Counts, { root }: Scope): Counts {
    const { mayRead } = this.#parts;
    const files = counts.files.filter(({ path }) => mayRead?.(join(root, path)) ?? true);
    files.sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
    return { ...counts, files };
  }

  async #rows(
    pattern: Pattern,
    { counts, scope, engine, request }: {
      counts: Counts;
      scope: Scope;
      engine: SearchEngine;
      request: SearchRequest;
    },
  ): Promise<FileRows[]> {
    const perFile = Math.floor(LINES_MAX / counts.files.length);
    const hitsMax = Math.min(LINES_PER_FILE_MAX, Math.max(1, perFile));
    const contextLines = Math.min(CONTEXT_LINES_MAX, request.contextLines ?? 0);
    const reals = counts.files.slice(0, LINES_MAX).map(({ path }) => join(scope.root, path));
    const hits = await engine.hits(pattern, reals, { hitsMax, signal: scope.signal });
    const all: FileRows[] = [];
    for (const [index, { path, lines }] of counts.files.entries()) {
      const real = join(scope.root, path);
      const found = hits[index] ?? [];
      const rows = found.length === 0 ? [] : await rowsOf(real, found, contextLines);
      all.push({ path: this.#shownPath(real), total: lines, rows });
    }
    return all;
  }

  #shownPath(path: string): string {
    const { workspace } = this.#parts;
    return path === workspace ? "" : seenFrom(workspace, path).replaceAll("\\", "/");
  }
}

/** A final newline was not meant; one in between would never match. */
function readQuery({ query, isRegex }: SearchRequest): Pattern {
  const text = query.replace(/\r?\n$/, "");
  if (text === "") throw new SearchError("Cannot search for nothing: the query is empty");
  if (!isRegex && /[\r\n]/.test(text)) {
    throw new SearchError(
      "Cannot search for text of several lines: a match lies within one line. Search for its rarest line",
    );
  }
  try {
    return parsePattern(text, isRegex);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new SearchError(
      `Cannot search for the regular expression ${quoted(text)}: ${error.message} (character ` +
        `${error.at + 1}). Without is_regex it is searched for as it stands`,
    );
  }
}
