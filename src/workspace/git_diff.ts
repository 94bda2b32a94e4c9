/** What has changed in a work tree, as a bounded diff. */
import { counted } from "@/lib/counted.ts";
import { clipEnd, clipMiddle } from "@/lib/clip.ts";
import type { Git } from "@/workspace/git.ts";
import type { Repository } from "@/workspace/git_place.ts";
import { type GitStatus, readStatus } from "@/workspace/git_status.ts";

/** What all diffs together may take, in characters; the middle is left out. */
const DIFF_CHARS_MAX = 12_000;

/** One line of a diff: a bundle of 1.4 MB in one line must not fill it. */
const LINE_CHARS_MAX = 400;

/** Paths that one call of git is given. */
const PATHS_MAX = 1_000;

/** Names listed in a sentence. */
const NAMES_MAX = 10;

/** A diff that starts no program and reads the same everywhere. */
export const DIFF_ARGUMENTS: readonly string[] = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--unified=3"],
  ...["--submodule=short", "--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/"],
];

/**
 * The unstaged and the staged changes below `within` (relative to the top, "" for all) and the names of untracked files,
 * in at most about 13,000 characters.
 */
export async function diffText(
  git: Git,
  repository: Repository,
  { within, signal }: { within: string; signal: AbortSignal },
): Promise<string> {
  const status = await readStatus(git, repository, signal);
  const isHere = (path: string) => within === "" || path.startsWith(`${within}/`);
  const changed = changedPaths(status).filter(isHere);
  const hidden = changed.filter((path) => !git.mayShow(repository, path));
  const asked = hidden.length === 0
    ? [within === "" ? "." : within]
    : changed.filter((path) => !hidden.includes(path)).slice(0, PATHS_MAX);
  const diffs = asked.length === 0 ? [] : await Promise.all([
    git.answer(repository, [...DIFF_ARGUMENTS, "--", ...asked], { signal }),
    git.answer(repository, [...DIFF_ARGUMENTS, "--cached", "--", ...asked], { signal }),
  ]);
  const [unstaged = "", staged = ""] = diffs.map(({ stdout }) => stdout.text());
  const parts = [
    ...part("Not staged:", unstaged),
    ...part("Staged for the next commit:", staged),
  ];
  const diff = parts.length === 0
    ? `No tracked file ${
      hidden.length === 0 ? "" : "that may be shown "
    }differs from the last commit`
    : clipMiddle(parts.join("\n"), DIFF_CHARS_MAX, gapText);
  return [diff, ...hiddenText(hidden), ...untrackedText(status.untracked.filter(isHere))].join(
    "\n",
  );
}

/** Every path that a diff would be about, the old names of what was renamed as well. */
function changedPaths({ staged, unstaged, unmerged }: GitStatus): string[] {
  const changes = [...staged, ...unstaged, ...unmerged];
  return [
    ...new Set(changes.flatMap(({ path, from }) => from === undefined ? [path] : [path, from])),
  ];
}

function hiddenText(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `${counted(paths.length, "changed file")} not shown, because a rule denies reading: ${
      named(paths)
    }`,
  ];
}

function part(title: string, diff: string): string[] {
  if (diff === "") return [];
  const lines = diff.trimEnd().split("\n");
  return [title, ...lines.map((line) => shortLine(line))];
}

function shortLine(line: string): string {
  if (line.length <= LINE_CHARS_MAX) return line;
  return `${clipEnd(line, LINE_CHARS_MAX)} [line of ${line.length} characters]`;
}

/** Says what is missing and how to read it. */
function gapText({ text, chars, lines }: { text: string; chars: number; lines: number }): string {
  const files = [...text.matchAll(/^diff --git a\/.* b\/(.*)$/gm)].map(([, name]) => name ?? "");
  const which = files.length === 0 ? "" : `, with the beginning of ${named(files)}`;
  return `[${lines} lines (${chars} characters) of the diff left out${which}. ` +
    `To read one file's: run_cmd with git diff -- FILE, or read_file for the file itself]`;
}

function untrackedText(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const are = paths.length === 1 ? "file is" : "files are";
  return [`${paths.length} untracked ${are} not part of a diff: ${named(paths)}`];
}

function named(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
