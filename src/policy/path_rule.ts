/**
 * Rules about files. A path is tried as the workspace sees it (`src/a.ts`) and as the disk does (`/home/me/x/src/a.ts`);
 * patterns are brought to the same form, `~/` included.
 */
import { compileGlob, escapeGlob, type Glob, matchGlob } from "./glob.ts";

/** Where calls happen. All paths are real and absolute. */
export type RulePlace = {
  /** The workspace. */
  readonly workspace: string;
  /** Directories that count as inside besides it. */
  readonly added?: readonly string[];
  /** The person's home, for `~/` in patterns; absent when there is none. */
  readonly home?: string;
  /** Whether names that differ in case are the same file (Windows). */
  readonly foldsCase?: boolean;
};

/** A path in every form that a pattern may be written against. */
export type PathForms = { absolute: string; relative?: string; outside: boolean };

/** A pattern, ready to match. `namesPlace`: it is absolute and begins with a directory that it spells out. */
export type PathPattern = { globs: readonly Glob[]; absolute: boolean; namesPlace: boolean };

/** The forms of a real absolute path. */
export function pathForms(path: string, place: RulePlace): PathForms {
  const absolute = canonical(path, place);
  const workspace = canonical(place.workspace, place);
  const relative = below(absolute, workspace);
  if (relative !== undefined) {
    const slashed = withSlashes(relative);
    const inside = slashed === relative ? absolute : `${workspace}/${slashed}`;
    return { absolute: inside, relative: slashed, outside: false };
  }
  const roots = (place.added ?? []).map((root) => canonical(root, place));
  return { absolute, outside: !roots.some((root) => below(absolute, root) !== undefined) };
}

/** A spelled path made absolute by its text alone: for rules that refuse, which look at what was written too. */
export function spelledPath(path: string, place: RulePlace): string {
  const slashed = slashedAll(path);
  if (isAbsolute(slashed)) return tidy(slashed);
  if (/^~(\/|$)/.test(slashed) && place.home !== undefined) {
    return tidy(place.home + slashed.slice(1));
  }
  return tidy(`${place.workspace}/${slashed}`);
}

/** Whether a pattern matches a path in one of its forms. */
export function matchesPath(pattern: PathPattern, forms: PathForms): boolean {
  const { absolute, relative } = forms;
  return pattern.globs.some((glob) =>
    matchGlob(glob, absolute) || (relative !== undefined && matchGlob(glob, relative))
  );
}

/**
 * A rule's pattern in the form of the paths. `generous` is for rules that refuse or ask: there a directory that ends in
 * a slash means what is in it too.
 */
export function compilePath(pattern: string, place: RulePlace, generous = false): PathPattern {
  const spelled = canonical(slashedAll(expandHome(pattern, place)), place);
  const tidied = tidy(spelled);
  const fromAbove = /^\.\.(\/|$)/.test(tidied);
  const text = fromAbove
    ? tidy(`${escapeGlob(canonical(place.workspace, place))}/${tidied}`)
    : tidied;
  const absolute = isAbsolute(text);
  const literal = text.slice(0, firstWildcard(text));
  const texts = generous && spelled.endsWith("/") ? [text, `${text}/*`] : [text];
  return {
    globs: texts.flatMap((each) => [compileGlob(each), compileGlob(each, "literal")]),
    absolute,
    namesPlace: absolute && (literal === text || /^([a-z]:)?\/+[^/]+\//i.test(literal)),
  };
}

/** The directory that a pattern spells out before its first wildcard, made absolute, and what follows it. */
export function literalDirectory(
  pattern: string,
  place: RulePlace,
): { directory: string; rest: string; absolute: boolean } | undefined {
  const text = tidy(slashedAll(expandHome(pattern, place)));
  const end = text.slice(0, firstWildcard(text)).lastIndexOf("/");
  if (end < 0) return undefined;
  const absolute = isAbsolute(text);
  const directory = absolute ? text.slice(0, end) : spelledPath(text.slice(0, end), place);
  return { directory, rest: text.slice(end), absolute };
}

function expandHome(pattern: string, place: RulePlace): string {
  if (!/^~(\/|\\|$)/.test(pattern) || place.home === undefined) return pattern;
  return escapeGlob(place.home) + pattern.slice(1);
}

/** NFC, because two spellings of one accented name look the same to whoever wrote the rule. */
function canonical(path: string, place: RulePlace): string {
  const composed = path.normalize("NFC");
  return place.foldsCase === true ? slashedAll(composed).toLowerCase() : composed;
}

function slashedAll(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Backslashes as slashes, unless that would make a path that climbs or has empty parts. */
function withSlashes(path: string): string {
  if (!path.includes("\\")) return path;
  const slashed = slashedAll(path);
  const parts = slashed.split("/");
  return parts.some((part) => part === "" || part === "." || part === "..") ? path : slashed;
}

/** Without `.`, `..` after a plain name, and doubled slashes. */
function tidy(path: string): string {
  const start = isAbsolute(path) ? path.slice(0, path.indexOf("/") + 1) : "";
  const kept: string[] = [];
  for (const part of path.slice(start.length).split("/")) {
    if (part === "" || part === ".") continue;
    const last = kept.at(-1);
    if (part !== ".." || last === ".." || isWild(last)) kept.push(part);
    else if (last !== undefined) kept.pop();
    else if (start === "") kept.push(part);
  }
  return start + kept.join("/") || ".";
}

function isWild(part: string | undefined): boolean {
  return part !== undefined && /[*?[]/.test(part);
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:\//i.test(path);
}

/** `path` relative to `root`, "." for the root itself, undefined when it is not below. */
function below(path: string, root: string): string | undefined {
  if (path === root) return ".";
  const prefix = root.endsWith("/") ? root : `${root}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function firstWildcard(text: string): number {
  const at = text.search(/[*?[]/);
  return at < 0 ? text.length : at;
}
