/** Where a name is defined and used in the source files of the workspace. */
import { seenFrom } from "@/lib/path_within.ts";
import type { Names } from "@/workers/syntax/answer.ts";
import { NoTree, type Syntax } from "@/workers/syntax.ts";
import { load } from "../loaded.ts";
import type { Searching } from "../search_on_demand.ts";
import type { NamesCache } from "./names_cache.ts";
import { asSource, SOURCE_BYTES_MAX } from "./source_file.ts";

/** Files that are taken apart for one question, and for how long in milliseconds. */
const FILES_MAX = 1_000;
const TIMEOUT_MS = 60_000;

/** A place that defines the name. */
export type Definition = { kind: string; line: number; within?: string };

/** What one file has of a name. `path` is real, `shown` as the model reads it; `uses` are lines, each once. */
export type SymbolFile = {
  path: string;
  shown: string;
  texts: readonly string[];
  definitions: Definition[];
  uses: number[];
};

/** What there is. `containing`: files with the text; `noTree`: those of them that have no tree. */
export type SymbolsFound = {
  name: string;
  files: SymbolFile[];
  containing: number;
  noTree: number;
  /** Why there may be more: the end of a sentence. */
  incomplete?: string;
};

/** What it works with; `workspace` is a real path. */
export type SymbolsParts = {
  search: Searching;
  syntax: Syntax;
  cache: NamesCache;
  workspace: string;
};

/** Looks up names. */
export class Symbols {
  readonly #parts: SymbolsParts;

  constructor(parts: SymbolsParts) {
    this.#parts = parts;
  }

  /**
   * Find a name below a real path: `parse`, or `Parser.parse` for those within something called so. Only files that
   * contain it are taken apart. Throws SearchError with a sentence, or the signal's reason.
   */
  async find(asked: string, root: string, signal: AbortSignal): Promise<SymbolsFound> {
    const { name, within } = parted(asked);
    const { paths, incomplete } = await this.#parts.search.filesWith(name, root, signal);
    const found: SymbolsFound = {
      ...{ name, files: [], containing: paths.length, noTree: 0 },
      ...(incomplete === undefined ? {} : { incomplete }),
    };
    const until = performance.now() + TIMEOUT_MS;
    for (const [index, path] of paths.entries()) {
      if (index >= FILES_MAX || performance.now() > until) {
        found.incomplete =
          `only the first ${index} of ${paths.length} files with the text were read`;
        break;
      }
      const file = await this.#lookAt(path, name, signal);
      if (file === undefined) found.noTree += 1;
      else if (file.definitions.length + file.uses.length > 0) found.files.push(file);
    }
    return within === undefined ? found : onlyWithin(found, within);
  }

  /** Undefined for a file that has no tree. */
  async #lookAt(path: string, name: string, signal: AbortSignal): Promise<SymbolFile | undefined> {
    const { syntax, cache, workspace } = this.#parts;
    const loaded = await load(path, SOURCE_BYTES_MAX);
    const file = loaded.kind === "text" ? asSource(path, loaded) : undefined;
    if (file === undefined) return undefined;
    try {
      const names = await cache.get(file.source, () => syntax.names(file.source, signal));
      const shown = seenFrom(workspace, path).replaceAll("\\", "/");
      return { path, shown, texts: file.texts, ...placesOf(name, names) };
    } catch (error) {
      if (error instanceof NoTree) return undefined;
      throw error;
    }
  }
}

/** `Parser.parse()` and `Parser::parse` are `parse` within `Parser`. */
function parted(asked: string): { name: string; within?: string } {
  const text = asked.trim().replace(/\(.*\)$/s, "");
  const [, within, name] = /^(.+?)(?:\.|::|#|->)([^.:#>]+)$/.exec(text) ?? [];
  return within === undefined || name === undefined ? { name: text } : { name, within };
}

function placesOf(name: string, { definitions, uses }: Names) {
  const own = definitions.filter((one) => one.name === name);
  const at = new Set(own.map(({ line, column }) => `${line}:${column}`));
  const lines = new Set<number>();
  const places = Object.hasOwn(uses, name) ? uses[name] ?? [] : [];
  for (let index = 0; index < places.length; index += 2) {
    const [line = 0, column = 0] = places.slice(index, index + 2);
    if (!at.has(`${line}:${column}`)) lines.add(line);
  }
  return { definitions: own.map(definitionOf), uses: [...lines] };
}

function definitionOf({ kind, line, within }: Names["definitions"][number]): Definition {
  return { kind, line, ...(within === undefined ? {} : { within }) };
}

/** Definitions elsewhere are of other things; whose uses are whose, a tree does not tell. */
function onlyWithin(found: SymbolsFound, within: string): SymbolsFound {
  const last = within.split(/\.|::|#|->/).at(-1);
  const files = found.files.map((file) => ({
    ...file,
    definitions: file.definitions.filter((one) =>
      one.within?.split(/\W+/).includes(last ?? "") ?? false
    ),
  }));
  const isKnown = files.some(({ definitions }) => definitions.length > 0);
  return isKnown ? { ...found, files } : found;
}
