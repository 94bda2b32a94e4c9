/** Reading what ripgrep prints. */
import type { Finished } from "@/sandbox/processes.ts";
import type { LineHit } from "@/workers/line_match.ts";
import { type Counts, SEARCH_TIMEOUT_MS } from "@/workspace/search_engine.ts";

/** The end of `rg --stats`; anchored, because a file name may look like anything. */
const STATS =
  /\n(\d+) matches\n(\d+) matched lines\n(\d+) files contained matches\n(\d+) files searched\n(\d+) bytes printed\n(\d+) bytes searched\n[\d.]+ seconds spent searching\n[\d.]+ seconds\n$/;

/**
 * Reads `rg --count --null --stats`: `path NUL count LF` for each file. Undefined when ripgrep did not search at all (it
 * does not take the expression, or is not ripgrep).
 */
export function parseCounts(finished: Finished, isFile: boolean): Counts | undefined {
  const { stdout, stderr, ended, code } = finished;
  const isWhole = stdout.dropped === 0;
  const text = new TextDecoder().decode(isWhole ? stdout.kept() : stdout.head());
  const stats = STATS.exec(text);
  // 0 is found, 1 found nothing; 2 is also said when some files could not be read, and then the numbers are there.
  if (ended === "exited" && isWhole && (stats === null || code > 2)) return undefined;
  const counts: Counts = {
    files: filesOf(text.slice(0, stats?.index ?? text.lastIndexOf("\n") + 1), isFile),
    searchedFiles: Number(stats?.[4] ?? 0),
    searchedBytes: Number(stats?.[6] ?? 0),
    unsayable: 0,
    unreadable: stderr.text().match(/\(os error \d+\)$/gm)?.length ?? 0,
  };
  if (!isWhole) return { ...counts, incomplete: "more files match than can be listed" };
  if (stats !== null) return counts;
  const why = ended === "timed_out"
    ? `it was stopped after ${SEARCH_TIMEOUT_MS / 1000} s`
    : "ripgrep was ended from outside";
  return { ...counts, incomplete: why };
}

function filesOf(text: string, isFile: boolean): Counts["files"] {
  const files: Counts["files"] = [];
  for (let at = 0; at < text.length;) {
    const nul = text.indexOf("\0", at);
    const end = text.indexOf("\n", nul);
    if (nul < 0 || end < 0) break;
    const path = isFile ? "" : text.slice(at, nul).replace(/^\.[\\/]/, "").replaceAll("\\", "/");
    files.push({ path, lines: Number(text.slice(nul + 1, end)) });
    at = end + 1;
  }
  return files;
}

/** Of a row only the beginning is kept, in bytes; the match itself may be a line of megabytes. */
const ROW_HEAD_MAX = 64;
const LF = 0x0a;

/** Reads rows `line:column:offset:match` as they come, in bounded memory; the first match of a line is its hit. */
export class RowReader {
  readonly hits: LineHit[] = [];
  readonly #hitsMax: number;
  readonly #head = new Uint8Array(ROW_HEAD_MAX);
  #length = 0;

  constructor(hitsMax: number) {
    this.#hitsMax = hitsMax;
  }

  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(LF, at);
      const stop = end < 0 ? chunk.length : end;
      const kept = chunk.subarray(
        at,
        Math.min(stop, at + Math.max(0, ROW_HEAD_MAX - this.#length)),
      );
      this.#head.set(kept, Math.min(this.#length, ROW_HEAD_MAX));
      this.#length += stop - at;
      if (end >= 0) this.#row();
      at = stop + 1;
    }
  }

  #row(): void {
    const text = new TextDecoder("latin1").decode(this.#head.subarray(0, this.#length));
    const row = /^(\d+):(\d+):(\d+):/.exec(text);
    this.#length = 0;
    if (row === null) return;
    const [line, column, start] = [Number(row[1]) - 1, Number(row[2]), Number(row[3])];
    const last = this.hits.at(-1);
    if (last?.line === line) last.more += 1;
    else if (this.hits.length < this.#hitsMax) {
      const lineStart = start - (column - 1);
      this.hits.push({ line, lineStart, start, more: 0 });
    }
  }
}
