/** What has changed in a work tree, as a bounded diff. */
import { clipEnd, clipMiddle } from "@/lib/clip.ts";
import type { Git } from "@/workspace/git.ts";
import type { Repository } from "@/workspace/git_place.ts";
import { readStatus } from "@/workspace/git_status.ts";

/** What all diffs together may take, in characters; the middle is left out. */
const DIFF_CHARS_MAX = 12_000;

/** One line of a diff: a bundle of 1.4 MB in one line must not fill it. */
const LINE_CHARS_MAX = 400;

/** Names listed in a sentence. */
const NAMES_MAX = 10;

const ARGUMENTS = [
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
  const paths = ["--", within === "" ? "." : within];
  const [unstaged, staged, status] = await Promise.all([
    git.answer(repository, [...ARGUMENTS, ...paths], { signal }),
    git.answer(repository, [...ARGUMENTS, "--cached", ...paths], { signal }),
    readStatus(git, repository, signal),
  ]);
  const isHere = (path: string) => within === "" || path.startsWith(`${within}/`);
  const parts = [
    ...part("Not staged:", unstaged.stdout.text()),
    ...part("Staged for the next commit:", staged.stdout.text()),
  ];
  const diff = parts.length === 0
    ? "No tracked file differs from the last commit"
    : clipMiddle(parts.join("\n"), DIFF_CHARS_MAX, gapText);
  return [diff, ...untrackedText(status.untracked.filter(isHere))].join("\n");
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
