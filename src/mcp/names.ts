/**
 * Names of servers and their tools as models and rules see them: `mcp__server__tool`. A name is made of the whole list and
 * of nothing else, so that the same servers have the same names after a restart: histories hold them.
 */
import { sha256Hex } from "@/lib/hash.ts";

/** What every provider takes. */
const NAME_CHARS_MAX = 64;
const HASH_CHARS = 8;

/** A tool of a server under the name by which it is called. */
export type NamedTool = {
  /** The server's part of the name. */
  server: string;
  /** The tool's name as the server has it. */
  tool: string;
  /** Valid everywhere and unique. */
  name: string;
  /** The name in full where it had to be changed: what a rule may be written for. */
  full: string;
  /** Other spellings by which a model may mean it. */
  spellings: readonly string[];
};

/** The part of a name that stands for a server: letters, digits, `_` and `-`; every other run is one `-`. */
export function slug(name: string): string {
  // Two underscores end the server's part.
  const clean = name.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/_{2,}/g, "_");
  return /[A-Za-z0-9]/.test(clean) ? clean : "server";
}

/** A part of its own for each server, by name, in order. Where several would have the same, a hash tells them apart. */
export function slugs(names: readonly string[]): Map<string, string> {
  const wanted = names.map((name) => ({ key: name, exact: name, clean: slug(name) }));
  return unique(wanted, (clean, key) => `${clean}-${hashOf(key)}`);
}

/** Name the tools of all servers; `tools` are the servers' own names by the server's part of the name. */
export function nameTools(tools: ReadonlyMap<string, readonly string[]>): readonly NamedTool[] {
  const all = [...tools].flatMap(([server, own]) =>
    [...new Set(own)].map((tool) => ({ server, tool }))
  );
  const wanted = all.map(({ server, tool }) => ({
    key: `${server}\0${tool}`,
    exact: `mcp__${server}__${tool}`,
    clean: `mcp__${server}__${cleanTool(tool)}`,
  }));
  const names = unique(wanted, shortened);
  return all.map(({ server, tool }) => {
    const full = `mcp__${server}__${tool}`;
    const name = names.get(`${server}\0${tool}`) ?? full;
    const separated = ["__", "::", ".", "/", ":"].map((between) => `${server}${between}${tool}`);
    const isOnlyOne = all.filter((other) => other.tool === tool).length === 1;
    return { server, tool, name, full, spellings: [...separated, ...(isOnlyOne ? [tool] : [])] };
  });
}

/** The server's part of a tool's name; undefined for a tool of no server. */
export function serverPart(name: string): string | undefined {
  return /^mcp__(.+?)__/.exec(name)?.[1];
}

function cleanTool(tool: string): string {
  const clean = tool.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return clean === "" ? "unnamed" : clean;
}

type Wanted = { key: string; exact: string; clean: string };

/** The clean names; one that is too long, or that another one has and is written like, gets a hash of its key. */
function unique(
  wanted: readonly Wanted[],
  hashed: (clean: string, key: string) => string,
): Map<string, string> {
  const takers = new Map<string, number>();
  for (const { clean } of wanted) takers.set(clean, (takers.get(clean) ?? 0) + 1);
  return new Map(wanted.map(({ key, exact, clean }) => {
    const isFine = clean.length <= NAME_CHARS_MAX && (exact === clean || takers.get(clean) === 1);
    return [key, isFine ? clean : hashed(clean, key)];
  }));
}

function shortened(clean: string, key: string): string {
  return `${clean.slice(0, NAME_CHARS_MAX - HASH_CHARS - 1)}_${hashOf(key)}`;
}

function hashOf(key: string): string {
  return sha256Hex(new TextEncoder().encode(key)).slice(0, HASH_CHARS);
}
