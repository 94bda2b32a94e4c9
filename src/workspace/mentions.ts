/**
 * What a message mentions: `@path`, `@path:10-20`, `@path#L10-20`, `@"a path"`, at its start or after white space. A word
 * that is no path as it stands is tried without what ends a sentence. Images that were pasted or dropped as a path count too.
 */
import { basename } from "@/lib/path.ts";

/** Lines counted from 1, both included. */
export type MentionedLines = { start: number; end: number };

/** `path` as it was written, without the lines. */
export type Mention = { path: string; lines?: MentionedLines };

/** What was found, each once, and what looks like a mention and is no path. */
export type Mentions = { found: readonly Mention[]; missing: readonly string[] };

export type MentionOptions = {
  /** Whether something is at a path. */
  exists(path: string): Promise<boolean>;
  /** Whether the path of an image counts without an @ before it: what a terminal writes for a file dropped on it. */
  takesPasted?: boolean;
};

const MENTION =
  /(?<!\S)@(?:"(?<double>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<bare>\S+))(?<lines>(?<=["'])(?:#L|:)\d\S*)?/gu;
const LINES = /(?:#L(\d+)(?:-L?(\d+))?|:(\d+)(?:-(\d+))?)$/;
/** What may end a sentence or a bracket around it. */
const TRAILING = /[.,;:!?)\]}"'`]$/;
const TRIMS_MAX = 8;
const PASTED =
  /(?<!\S)(?:"(?<double>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<bare>(?:\\.|[^\s"'\\])+))(?!\S)/gu;
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
/** A text that names more is a list of files, and no message about them. */
const MENTIONS_MAX = 50;

/** Find them, in the order of the text. */
export async function findMentions(
  text: string,
  { exists, takesPasted = false }: MentionOptions,
): Promise<Mentions> {
  const found = new Map<string, Mention>();
  const missing = new Set<string>();
  const add = (mention: Mention) => {
    const { path, lines } = mention;
    const key = JSON.stringify([path, lines?.start, lines?.end]);
    if (!found.has(key)) found.set(key, mention);
  };
  for (const { groups = {} } of matchesOf(MENTION, text)) {
    const { double, single, bare, lines = "" } = groups;
    const quoted = double ?? single;
    const mention = quoted === undefined
      ? await bareMention(bare ?? "", exists)
      : await quotedMention(quoted, lines, exists);
    if (typeof mention === "string") missing.add(mention);
    else add(mention);
  }
  for (const { groups = {} } of takesPasted ? matchesOf(PASTED, text) : []) {
    const path = pastedImage(groups);
    if (path !== undefined && await exists(path)) add({ path });
  }
  return { found: [...found.values()], missing: [...missing] };
}

function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  return [...text.matchAll(pattern)].slice(0, MENTIONS_MAX);
}

/** The mention, or the text that names nothing. */
async function bareMention(
  word: string,
  exists: MentionOptions["exists"],
): Promise<Mention | string> {
  let rest = word;
  for (let trims = 0; rest !== "" && trims <= TRIMS_MAX; trims += 1) {
    const mention = await withOrWithoutLines(rest, exists);
    if (mention !== undefined) return mention;
    if (!TRAILING.test(rest)) break;
    rest = rest.slice(0, -1);
  }
  return rest === "" ? word : rest;
}

async function withOrWithoutLines(
  word: string,
  exists: MentionOptions["exists"],
): Promise<Mention | undefined> {
  if (await exists(word)) return { path: word };
  const match = LINES.exec(word);
  if (match === null) return undefined;
  const path = word.slice(0, match.index);
  return path !== "" && await exists(path) ? { path, lines: linesOf(match) } : undefined;
}

async function quotedMention(
  path: string,
  lines: string,
  exists: MentionOptions["exists"],
): Promise<Mention | string> {
  if (!await exists(path)) return path;
  const match = LINES.exec(lines.replace(/(?<![^\dL])[^\dL]+$/, ""));
  return match === null ? { path } : { path, lines: linesOf(match) };
}

function linesOf([, hashFrom, hashTo, from, to]: RegExpExecArray): MentionedLines {
  const start = Number(hashFrom ?? from);
  return { start, end: Number(hashTo ?? to ?? start) };
}

/** A path of an image as terminals write a dropped file: quoted, with blanks escaped, or as an address. */
function pastedImage(
  { double, single, bare }: Record<string, string | undefined>,
): string | undefined {
  const written = double ?? single ?? bare?.replace(/\\(.)/g, "$1") ?? "";
  const path = written.startsWith("file://") ? pathOfUrl(written) : written;
  if (path === undefined || !IMAGE.test(basename(path))) return undefined;
  return path.startsWith("/") || path.startsWith("~/") ? path : undefined;
}

function pathOfUrl(url: string): string | undefined {
  try {
    const { hostname, pathname } = new URL(url);
    return hostname === "" || hostname === "localhost" ? decodeURIComponent(pathname) : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return undefined;
    throw error;
  }
}

/** How a mention is named to model and person: its path, and the lines where only some are meant. */
export function mentionName({ path, lines }: Mention): string {
  if (lines === undefined) return path;
  return lines.start === lines.end
    ? `${path} line ${lines.start}`
    : `${path} lines ${lines.start}-${lines.end}`;
}

const ATTACHED = /^\[Attached file: (.+?)(?: lines? \d+(?:-\d+)?)?\]\n/;

/** The first line of what is attached for a mention. */
export function attachedHeader(what: "file" | "directory listing" | "image", name: string): string {
  return `[Attached ${what}: ${name}]`;
}

/** The path that the header of an attached file names; undefined for any other text. */
export function attachedPath(text: string): string | undefined {
  return ATTACHED.exec(text)?.[1];
}
