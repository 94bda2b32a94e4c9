/** Reading a file for a search: in pieces that end at line ends, as UTF-8, in bounded memory. */
import { closing } from "@/lib/closing.ts";
import { joinBytes } from "@/lib/bytes.ts";
import { byteOrderMark, type EncodingName } from "@/lib/encoding.ts";
import type { LineHit, LineMatcher, PieceMatch } from "@/workers/line_match.ts";

/** What is read at once, in bytes. */
const READ_BYTES = 256 * 1024;

/** A longer line is taken in parts, in bytes. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** Bytes of a file without its byte order mark; UTF-16 as UTF-8. Positions of a search count in these. */
export type Piece = { bytes: Uint8Array<ArrayBuffer>; start: number };

/** What a whole file says to a search. */
export type FileMatch = { matched: number; hits: LineHit[]; isBinary: boolean; bytes: number };

/** How a file is opened; by default as its path leads. */
export type OpenFile = (path: string) => Deno.FsFile | Promise<Deno.FsFile>;

export type MatchOptions = {
  hitsMax: number;
  countAll: boolean;
  signal: AbortSignal;
  open?: OpenFile | undefined;
};

/**
 * Look through a file. Stops early when `hitsMax` hits are there and nobody wants the count. A file with a NUL byte is
 * binary and matches nothing. Throws what opening and reading throw.
 */
export async function matchFile(
  path: string,
  matcher: LineMatcher,
  { hitsMax, countAll, signal, open }: MatchOptions,
): Promise<FileMatch> {
  const all: FileMatch = { matched: 0, hits: [], isBinary: false, bytes: 0 };
  let lines = 0;
  for await (const { bytes, start } of pieces(path, open)) {
    signal.throwIfAborted();
    all.bytes = start + bytes.length;
    if (bytes.includes(0)) return { ...all, matched: 0, hits: [], isBinary: true };
    const found: PieceMatch = await matcher.match(bytes, hitsMax - all.hits.length);
    all.matched += found.matched;
    for (const hit of found.hits) {
      all.hits.push({
        ...hit,
        line: hit.line + lines,
        lineStart: hit.lineStart + start,
        start: hit.start + start,
      });
    }
    lines += found.newlines;
    if (!countAll && all.hits.length >= hitsMax) break;
  }
  return all;
}

/**
 * The pieces of a file, each ending at a line end but for the last and for lines longer than the memory we give. A piece
 * is good until the next one is asked for: the memory is used again.
 */
export async function* pieces(path: string, open?: OpenFile): AsyncGenerator<Piece> {
  let start = 0;
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  for await (const read of utf8Bytes(path, open)) {
    const bytes = rest.length === 0 ? read : joinBytes([rest, read]);
    const end = bytes.lastIndexOf(0x0a) + 1 || (bytes.length >= LINE_BYTES_MAX ? bytes.length : 0);
    rest = bytes.slice(end);
    if (end === 0) continue;
    yield { bytes: bytes.subarray(0, end), start };
    start += end;
  }
  if (rest.length > 0) yield { bytes: rest, start };
}

/** What is on disk, but for a byte order mark, which goes, and UTF-16, which becomes UTF-8. One buffer, used again. */
async function* utf8Bytes(
  path: string,
  open?: OpenFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (let bytes of bytesOf(path, open)) {
    const mark = isFirst ? byteOrderMark(bytes) : undefined;
    if (mark !== undefined) bytes = bytes.subarray(mark.length);
    if (mark !== undefined && hasWideUnits(mark.encoding)) decoder = new TextDecoder(mark.encoding);
    isFirst = false;
    yield decoder === undefined ? bytes : encoded(decoder.decode(bytes, { stream: true }));
  }
  if (decoder !== undefined) yield encoded(decoder.decode());
}

async function* bytesOf(
  path: string,
  open: OpenFile = Deno.open,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(READ_BYTES);
    for (let count; (count = await file.read(buffer)) !== null;) yield buffer.subarray(0, count);
  } finally {
    file.close();
  }
}

function hasWideUnits(encoding: EncodingName): boolean {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The byte order mark of a file, if it has one; undefined when the file has gone or may not be read. */
export async function markOf(
  path: string,
): Promise<{ length: number; isWide: boolean } | undefined> {
  try {
    const head = new Uint8Array(4);
    const count = await closing(await Deno.open(path), (file) => file.read(head)) ?? 0;
    const mark = byteOrderMark(head.subarray(0, count));
    return { length: mark?.length ?? 0, isWide: mark !== undefined && hasWideUnits(mark.encoding) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}
