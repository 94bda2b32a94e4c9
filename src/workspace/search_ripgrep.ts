/** The search with ripgrep, whose own configuration and helpers are shut out. */
import { basename, dirname } from "@/lib/path.ts";
import type { Finished, Processes, RunOptions } from "@/sandbox/processes.ts";
import type { LineHit } from "@/workers/line_match.ts";
import { hasRepositoryAbove, NEVER_SEARCHED } from "@/workspace/ignore_rules.ts";
import type { Counts, HitLimits, Scope, SearchEngine } from "@/workspace/search_engine.ts";
import { SEARCH_TIMEOUT_MS } from "@/workspace/search_engine.ts";
import type { OwnSearch } from "@/workspace/search_own.ts";
import type { Pattern } from "@/workspace/search_pattern.ts";
import { parseCounts, RowReader } from "@/workspace/search_ripgrep_output.ts";
import { markOf } from "@/workspace/search_pieces.ts";

/** What is kept of the names and counts, in bytes: some hundred thousand files. */
const COUNTS_BYTES_MAX = 32 * 1024 * 1024;

/** Processes that read rows at the same time. */
const FILES_AT_ONCE = 4;

const ALWAYS: readonly string[] = [
  ...["--no-config", "--no-follow", "--no-search-zip", "--no-pre", "--no-ignore-global"],
  ...["--no-ignore-exclude", "--no-mmap", "--color=never", "--case-sensitive", "--no-heading"],
  ...NEVER_SEARCHED.flatMap((name) => ["--glob", `!**/${name}/`]),
];

/** `program` is ripgrep's absolute path. What ripgrep cannot do is left to `own`. */
export class RipgrepSearch implements SearchEngine {
  readonly #processes: Processes;
  readonly #program: string;
  readonly #own: OwnSearch;

  constructor(processes: Processes, { program, own }: { program: string; own: OwnSearch }) {
    this.#processes = processes;
    this.#program = program;
    this.#own = own;
  }

  async count(pattern: Pattern, scope: Scope): Promise<Counts> {
    const terms = termsOf(pattern);
    if (terms === undefined) return await this.#own.count(pattern, scope);
    const [cwd, target] = scope.isFile
      ? [dirname(scope.root), `./${basename(scope.root)}`]
      : [scope.root, "./"];
    const args = [
      ...[...ALWAYS, ...await filesArguments(scope), ...terms],
      ...["--count", "--null", "--with-filename", "--stats", "--", target],
    ];
    const limits = { signal: scope.signal, outputBytesMax: COUNTS_BYTES_MAX };
    const finished = await this.#run(args, cwd, limits);
    scope.signal.throwIfAborted();
    const counts = parseCounts(finished, scope.isFile);
    return counts ?? await this.#own.count(pattern, scope);
  }

  async hits(
    pattern: Pattern,
    paths: readonly string[],
    limits: HitLimits,
  ): Promise<LineHit[][]> {
    const terms = termsOf(pattern);
    // A plain text is found as fast by us.
    if (terms === undefined || pattern.kind === "literal") {
      return await this.#own.hits(pattern, paths, limits);
    }
    const all: LineHit[][] = paths.map(() => []);
    const waiting = paths.entries();
    const inTurn = async () => {
      for (const [index, path] of waiting) all[index] = await this.#hitsIn(path, terms, limits);
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, inTurn));
    // A match of nothing ("^$") has no row, and where ripgrep converts a file its positions are not the file's.
    const without = paths.filter((_, index) => all[index]?.length === 0);
    if (without.length === 0) return all;
    const found = await this.#own.hits(pattern, without, limits);
    return all.map((hits) => hits.length === 0 ? found.shift() ?? [] : hits);
  }

  async #hitsIn(
    path: string,
    terms: readonly string[],
    { hitsMax, signal }: HitLimits,
  ): Promise<LineHit[]> {
    const mark = await markOf(path);
    if (mark?.isWide !== false) return [];
    const args = [
      ...[...ALWAYS, "--no-ignore", "--hidden", "--no-filename", "--line-number", "--column"],
      ...["--byte-offset", "--only-matching", "--max-count", String(hitsMax), ...terms],
      ...["--", `./${basename(path)}`],
    ];
    const rows = new RowReader(hitsMax);
    await this.#run(args, dirname(path), { signal, onOutput: (chunk) => rows.add(chunk) });
    signal.throwIfAborted();
    return rows.hits;
  }

  #run(args: readonly string[], cwd: string, options: RunOptions): Promise<Finished> {
    const command = { program: this.#program, args, cwd, env: { LC_ALL: "C" } };
    return this.#processes.run(command, { timeoutMs: SEARCH_TIMEOUT_MS, ...options });
  }
}

/** Undefined for what only JavaScript can find. */
function termsOf(pattern: Pattern): string[] | undefined {
  if (pattern.kind === "literal") return ["--fixed-strings", "-e", pattern.text];
  return pattern.rust === undefined ? undefined : ["-e", pattern.rust];
}

/** Outside a repository, ignore files count too, but none from above: whose they are nobody knows. */
async function filesArguments({ root, isFile, everything }: Scope): Promise<string[]> {
  if (isFile) return ["--no-ignore", "--hidden"];
  if (everything) return ["--no-ignore", "--hidden", "--glob", "!**/.git"];
  return await hasRepositoryAbove(root) ? [] : ["--no-require-git", "--no-ignore-parent"];
}
