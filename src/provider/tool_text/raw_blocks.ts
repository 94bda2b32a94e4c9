/** The raw blocks of our own format: `<content>` … `</content>` behind a call's JSON, taken exactly as written. */
import type { Region } from "./grammar.ts";
import type { Reader } from "./reader.ts";
import { withoutBlockBreaks } from "@/lib/raw_body.ts";

export type Blocks =
  | { state: "read"; texts: ReadonlyMap<string, string>; end: number }
  | { state: "cut" | "bad"; name: string; end: number };

type Block = { name: string; start: number; end: number };

/** Whether a block that a call to this tool may have opens here. */
export function opensBlock(reader: Reader, at: number, tool: string): boolean {
  return blockAt(reader, at, tool) !== undefined;
}

/** Read the blocks that follow one another from `at` on. Blank ones are left out: they say nothing. */
export function readBlocks(reader: Reader, at: number, tool: string, region: Region): Blocks {
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  let from = at;
  for (;;) {
    const block = blockAt(reader, reader.source.skipBlanks(from), tool);
    if (block === undefined || seen.has(block.name) || block.start >= region.end) {
      return { state: "read", texts, end: from };
    }
    seen.add(block.name);
    const isNext = (name: string) => !seen.has(name) && reader.tools.isBlockName(tool, name);
    const inside = insideOf(reader, block, region, isNext);
    if (typeof inside === "string") return { state: inside, name: block.name, end: region.end };
    const text = withoutBlockBreaks(reader.text.slice(block.end, inside.to));
    if (text.trim() !== "") texts.set(block.name, text);
    from = inside.end;
  }
}

/**
 * Where a block's text ends: at the last closing tag before the next block, or before the end of the call. A block
 * without one ends where the call was closed; at the end of the reply it is cut.
 */
function insideOf(
  reader: Reader,
  block: Block,
  region: Region,
  isNext: (name: string) => boolean,
): { to: number; end: number } | "cut" | "bad" {
  const { text, source } = reader;
  const body = text.slice(block.end, region.end);
  let last: { to: number; end: number } | undefined;
  let closings = 0;
  for (const match of body.matchAll(new RegExp(`<\\\\?/\\s*${block.name}\\s*>`, "gi"))) {
    const to = block.end + match.index;
    last = { to, end: to + match[0].length };
    closings += 1;
    const next = nameAt(reader, source.skipBlanks(last.end));
    if (next !== undefined && isNext(next)) return last;
  }
  source.steps += region.end - block.end;
  if (last === undefined) return unclosed(reader, block, region, isNext);
  // At the end of a reply the tag may belong to an element of the same name inside the body.
  const opened = body.match(new RegExp(`<${block.name}\\s*>`, "gi"))?.length ?? 0;
  if (!region.isClosed && opened >= closings) return "cut";
  // Text between the last closing tag and the end of the call may be the rest of the body: then the tag was a part
  // of it, and the body's own tag is missing.
  const isJunk = source.skipBlanks(last.end) < region.end && region.isClosed;
  return isJunk && !/^\s*`{3,}\s*$/.test(text.slice(last.end, region.end)) ? "bad" : last;
}

function unclosed(
  reader: Reader,
  block: Block,
  region: Region,
  isNext: (name: string) => boolean,
): { to: number; end: number } | "cut" {
  for (const match of reader.text.slice(block.end, region.end).matchAll(/\n[ \t]*<([\w-]+)\s*>/g)) {
    const [, name = ""] = match;
    const at = block.end + match.index;
    if (isNext(name)) return { to: at + 1, end: at + 1 };
  }
  return region.isClosed ? { to: region.end, end: region.end } : "cut";
}

function blockAt(reader: Reader, at: number, tool: string): Block | undefined {
  const name = nameAt(reader, at);
  if (name === undefined || !reader.tools.isBlockName(tool, name)) return undefined;
  return { name, start: at, end: reader.text.indexOf(">", at) + 1 };
}

function nameAt(reader: Reader, at: number): string | undefined {
  const open = /<([A-Za-z_][\w-]*)\s*>/y;
  open.lastIndex = at;
  return open.exec(reader.text)?.[1];
}
