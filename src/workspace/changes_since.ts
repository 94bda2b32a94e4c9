/**
 * What has changed in a work tree since a moment, whoever changed it and whether git tracks it: commits made meanwhile,
 * edits, what commands left behind. What the person had changed before that moment is no part of it.
 */
import { join } from "@/lib/path.ts";
import { clipMiddle } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import { changePreview } from "@/workspace/change_preview.ts";
import { PlaceChanged } from "@/workspace/entry.ts";
import type { Git } from "@/workspace/git.ts";
import { DIFF_ARGUMENTS } from "@/workspace/git_diff.ts";
import type { Repository } from "@/workspace/git_place.ts";
import { readReal } from "@/workspace/open_real.ts";

/** The diff is cut to this, from its middle. */
export const CHANGES_CHARS_MAX = 12_000;

/** Files that differed from the last commit already are held to be compared: so many, and of each so much. */
const FILES_MAX = 2_000;
const FILE_BYTES_MAX = 1024 * 1024;
/** Paths that one call of git is given. */
const PATHS_MAX = 1_000;
const NAMES_MAX = 10;

type FileState =
  | { kind: "absent" }
  | { kind: "text"; text: string }
  /** Binary, large, a link or no file: only that it became another one is told. */
  | { kind: "other"; mark: string };

type Place = { git: Git; repository: Repository; within: string };

/** The state of a work tree at one moment. */
export class Since {
  readonly #place: Place;
  /** Undefined before the first commit. */
  readonly #head: string | undefined;
  readonly #held: ReadonlyMap<string, FileState>;
  readonly #isWhole: boolean;

  private constructor(
    place: Place,
    { head, held, isWhole }: {
      head: string | undefined;
      held: ReadonlyMap<string, FileState>;
      isWhole: boolean;
    },
  ) {
    this.#place = place;
    this.#head = head;
    this.#held = held;
    this.#isWhole = isWhole;
  }

  /** Note it now. Throws GitError where there is no repository to ask. */
  static async now(git: Git, signal: AbortSignal): Promise<Since> {
    const place = { git, ...await git.here(signal) };
    const head = await headOf(place, signal);
    const { tracked, untracked } = await differing(place, head, signal);
    const paths = [...tracked, ...untracked];
    const held = new Map<string, FileState>();
    for (const path of paths.slice(0, FILES_MAX)) held.set(path, await stateOf(place, path));
    return new Since(place, { head, held, isWhole: paths.length <= FILES_MAX });
  }

  /** What is other than it was, as a diff of at most about 12,000 characters; "" for nothing. Throws GitError. */
  async diff(signal: AbortSignal): Promise<string> {
    const { git, repository } = this.#place;
    const { tracked, untracked } = await differing(this.#place, this.#head, signal);
    const byGit: string[] = [];
    const parts: string[] = [];
    const hidden: string[] = [];
    const isNew = new Set(untracked);
    for (const path of new Set([...this.#held.keys(), ...tracked, ...untracked])) {
      const before = this.#held.get(path) ?? (isNew.has(path) ? ABSENT : undefined);
      if (!git.mayShow(repository, path)) {
        if (before === undefined || !isSame(before, await stateOf(this.#place, path))) {
          hidden.push(path);
        }
      } else if (before === undefined) byGit.push(path);
      else parts.push(...await difference(path, before, await stateOf(this.#place, path)));
    }
    const known = await this.#diffOf(byGit.slice(0, PATHS_MAX), signal);
    const all = [...known, ...parts, ...this.#gaps(hidden, byGit.length)];
    return clipMiddle(
      all.join("\n"),
      CHANGES_CHARS_MAX,
      ({ lines, chars }) =>
        `[${lines} lines (${chars} characters) of the diff left out: read the files themselves]`,
    );
  }

  async #diffOf(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
    if (paths.length === 0 || this.#head === undefined) return [];
    const { git, repository } = this.#place;
    const args = [...DIFF_ARGUMENTS, this.#head, "--", ...paths];
    const { stdout } = await git.answer(repository, args, { signal });
    const text = stdout.text().trimEnd();
    return text === "" ? [] : [text];
  }

  #gaps(hidden: readonly string[], asked: number): string[] {
    return [
      ...(hidden.length === 0 ? [] : [
        `${counted(hidden.length, "changed file")} not shown, because a rule denies reading: ` +
        named(hidden),
      ]),
      ...(asked <= PATHS_MAX ? [] : [`${asked - PATHS_MAX} more changed files are not shown`]),
      ...(this.#isWhole ? [] : [
        `More than ${FILES_MAX} files differed from the last commit before; not all are compared`,
      ]),
    ];
  }
}

const ABSENT: FileState = { kind: "absent" };

async function headOf(
  { git, repository }: Place,
  signal: AbortSignal,
): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const { ended, code, stdout } = await git.run(repository, args, { signal });
  return ended === "exited" && code === 0 ? stdout.text().trim() : undefined;
}

/** Paths below the workspace, relative to the top, that differ from a commit; before the first one, all there are. */
async function differing(
  { git, repository, within }: Place,
  head: string | undefined,
  signal: AbortSignal,
): Promise<{ tracked: string[]; untracked: string[] }> {
  const below = ["--", within === "" ? "." : within];
  const of = head === undefined
    ? ["ls-files", "-z"]
    : [...DIFF_ARGUMENTS, "--no-renames", "--name-only", "-z", head];
  const session = await git.session(repository, signal);
  const [tracked, untracked] = await Promise.all([
    session.answer([...of, ...below], { signal }),
    session.answer(["ls-files", "-z", "--others", "--exclude-standard", ...below], { signal }),
  ]);
  return { tracked: names(tracked.stdout.text()), untracked: names(untracked.stdout.text()) };
}

function names(text: string): string[] {
  return text.split("\0").filter((name) => name !== "" && !name.endsWith("/"));
}

async function stateOf({ repository }: Place, path: string): Promise<FileState> {
  const file = join(repository.top, path);
  try {
    const { isFile, isSymlink, size, mtime } = await Deno.lstat(file);
    if (isSymlink) return { kind: "other", mark: `a link to ${await Deno.readLink(file)}` };
    if (!isFile || size > FILE_BYTES_MAX) {
      return { kind: "other", mark: `${size} bytes at ${mtime?.toISOString()}` };
    }
    const bytes = await readReal(file);
    return bytes.includes(0)
      ? { kind: "other", mark: bytes.toBase64() }
      : { kind: "text", text: new TextDecoder().decode(bytes) };
  } catch (error) {
    // A directory on the way has become a link: what lies behind it is no part of this work tree.
    if (error instanceof PlaceChanged) return { kind: "other", mark: "behind a link" };
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return ABSENT;
    }
    throw error;
  }
}

function isSame(one: FileState, other: FileState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function difference(path: string, before: FileState, after: FileState): Promise<string[]> {
  if (isSame(before, after)) return [];
  if (after.kind === "absent") return [`Deleted: ${path}`];
  if (before.kind === "other" || after.kind === "other") {
    return [before.kind === "absent" ? `New, no text: ${path}` : `Changed, no text: ${path}`];
  }
  const lines = before.kind === "text" ? before.text.split("\n") : undefined;
  return [await changePreview(path, lines, after.text.split("\n"))];
}

function named(paths: readonly string[]): string {
  const more = paths.length - NAMES_MAX;
  return paths.slice(0, NAMES_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
