/** The lines of one ignore file, as git understands them. */
import { gitGlob, matchesPath, type PathGlob } from "@/lib/path_glob.ts";

type Line = {
  isNegated: boolean;
  isForDirectories: boolean;
  /** Whether it is about the last name of a path alone. */
  isForNames: boolean;
  /** The same as `glob` where that is a text, or one star and a text: most lines are. */
  quick?: { text: string; isEnd: boolean };
  glob: PathGlob;
};

const WILDCARD = /[*?[\\]/;

/** Directories whose answer is kept; more than this are asked about anew. */
const KEPT_MAX = 2_000;

/** `kept`: taken in by a line that begins with `!`, although it would be left out. */
export type LinesAnswer = "ignored" | "kept" | "none";

/** One file's. A line that cannot be understood says nothing. */
export class IgnoreLines {
  readonly #lines: readonly Line[];
  /** What was found of directories, by their paths. */
  readonly #directories = new Map<string, LinesAnswer>();

  constructor(text: string) {
    // The last line that matches counts.
    this.#lines = text.split("\n").flatMap(readLine).reverse();
  }

  /** What they say of a path relative to the directory of the file; one of a directory ends with a slash. */
  answer(path: string): LinesAnswer {
    const isDirectory = path.endsWith("/");
    const name = isDirectory ? path.slice(0, -1) : path;
    const known = isDirectory ? this.#directories.get(name) : undefined;
    if (known !== undefined) return known;
    const parent = name.lastIndexOf("/");
    // Nothing in a directory that is left out can be taken in.
    const isInIgnored = parent >= 0 && this.answer(name.slice(0, parent + 1)) === "ignored";
    const answer = isInIgnored ? "ignored" : this.#own(name, isDirectory);
    if (isDirectory) {
      if (this.#directories.size >= KEPT_MAX) this.#directories.clear();
      this.#directories.set(name, answer);
    }
    return answer;
  }

  #own(path: string, isDirectory: boolean): LinesAnswer {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const line of this.#lines) {
      if (line.isForDirectories && !isDirectory) continue;
      if (matches(line, line.isForNames ? name : path)) return line.isNegated ? "kept" : "ignored";
    }
    return "none";
  }
}

function matches({ quick, glob }: Line, text: string): boolean {
  if (quick === undefined) return matchesPath(glob, text);
  return quick.isEnd ? text.endsWith(quick.text) : text === quick.text;
}

function readLine(text: string): readonly Line[] {
  const line = withoutEnd(text.endsWith("\r") ? text.slice(0, -1) : text);
  if (line === "" || line.startsWith("#")) return [];
  const isNegated = line.startsWith("!");
  let pattern = isNegated ? line.slice(1) : line;
  const isForDirectories = pattern.endsWith("/");
  if (isForDirectories) pattern = pattern.slice(0, -1);
  const isForNames = !pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  const glob = pattern === "" ? undefined : gitGlob(pattern);
  if (glob === undefined) return [];
  const rest = isForNames && pattern.startsWith("*") ? pattern.slice(1) : pattern;
  return [{
    ...{ isNegated, isForDirectories, isForNames, glob },
    ...(!WILDCARD.test(rest) && { quick: { text: rest, isEnd: rest !== pattern } }),
  }];
}

/** Spaces at the end do not count, unless a backslash stands before them. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  if (end === line.length) return line;
  let slashes = 0;
  while (line[end - 1 - slashes] === "\\") slashes += 1;
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end);
}
