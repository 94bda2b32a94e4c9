/// <reference lib="deno.worker" />
/** Runs a regular expression over lines. A pattern may take for ever, so this is a worker that can be ended. */
import type { PieceMatch } from "./line_match.ts";
import type { RegexAnswer, RegexRequest } from "./line_regex.ts";

/** Further matches of one line that are counted. */
const MORE_MAX = 999;

self.onmessage = ({ data }: MessageEvent<RegexRequest>) => {
  const { id, source, flags, piece, hitsMax } = data;
  const found = matchLines(piece, new RegExp(source, `${flags}g`), hitsMax);
  self.postMessage({ type: "found", id, found } satisfies RegexAnswer);
};
self.postMessage({ type: "ready" } satisfies RegexAnswer);

function matchLines(piece: Uint8Array, regex: RegExp, hitsMax: number): PieceMatch {
  const found: PieceMatch = { matched: 0, newlines: 0, hits: [] };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (let start = 0; start < piece.length;) {
    const end = piece.indexOf(0x0a, start);
    const stop = end < 0 ? piece.length : end;
    const bytes = piece.subarray(start, piece[stop - 1] === 0x0d ? stop - 1 : stop);
    const line = decoder.decode(bytes);
    regex.lastIndex = 0;
    const match = regex.exec(line);
    if (match !== null) {
      found.matched += 1;
      if (found.hits.length < hitsMax) {
        const at = { line: found.newlines, lineStart: start };
        const from = start + bytesBefore(bytes, line, match.index);
        found.hits.push({ ...at, start: from, more: countMore(regex, line, match) });
      }
    }
    if (end >= 0) found.newlines += 1;
    start = stop + 1;
  }
  return found;
}

function countMore(regex: RegExp, line: string, first: RegExpExecArray): number {
  let more = 0;
  for (let match: RegExpExecArray | null = first; more < MORE_MAX; more += 1) {
    if (match[0] === "") regex.lastIndex += 1;
    match = regex.exec(line);
    if (match === null) return more;
  }
  return more;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** How many bytes decode to the first `units` UTF-16 units of the line. */
function bytesBefore(bytes: Uint8Array, line: string, units: number): number {
  // A damaged byte is one unit of text, but its stand-in has three bytes.
  if (!line.includes("\ufffd")) return byteLength(line.slice(0, units));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let seen = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (seen >= units) return at;
    seen += decoder.decode(bytes.subarray(at, at + 1), { stream: true }).length;
  }
  return bytes.length;
}
