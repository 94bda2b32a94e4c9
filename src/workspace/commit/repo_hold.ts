/**
 * Holds a repository's index the way git does, by its lock file, and carries out one move of a branch and of index
 * entries. The index is made anew beside the old one and renamed over it, so that it is the one or the other.
 */
import { fileErrorReason } from "@/lib/file_error.ts";
import { GitError, type GitSession } from "@/workspace/git.ts";
import { isUntouched, lstat } from "@/workspace/entry.ts";
import { isSameEntry, type RepoMove, zeros } from "./git_entry.ts";

const PAUSE_MS = 20;
/** How often a lock is tried that git holds, or whoever does not say. */
const TRIES_MAX = 25;
/** Likewise one of another harness, which lets go as soon as its commit is made. */
const HARNESS_TRIES_MAX = 500;

/** Somebody else holds the index. Nothing was changed. */
export class IndexLocked extends Error {
  override readonly name = "IndexLocked";

  constructor(readonly lock: string) {
    super(`Another git process holds ${lock}`);
  }
}

/** The index of one repository, held from `take` or `lock` to `release`. */
export class RepoHold {
  readonly session: GitSession;
  readonly #files: Files;
  readonly #seen: Deno.FileInfo | undefined;
  #isBuilt = false;

  /** Nothing is held yet, so that the person's own git goes on; whether the index stayed as it is now, `lock` says. */
  constructor(session: GitSession, token: string) {
    this.session = session;
    this.#files = filesOf(session.repository.index, token);
    this.#seen = lstat(session.repository.index);
  }

  /** Take the lock, or the one that a dead process of ours left with this token. Throws IndexLocked. */
  static async take(session: GitSession, token: string): Promise<RepoHold> {
    const hold = new RepoHold(session, token);
    await hold.lock();
    return hold;
  }

  /** The same later; false when somebody has changed the index since. Throws IndexLocked. */
  async lock(): Promise<boolean> {
    for (let tries = 1; !takeLock(this.#files); tries++) {
      const triesMax = isOfHarness(this.#files.lock) ? HARNESS_TRIES_MAX : TRIES_MAX;
      if (tries >= triesMax) throw new IndexLocked(this.#files.lock);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const now = lstat(this.session.repository.index);
    return now === undefined ? this.#seen === undefined : isUntouched(now, this.#seen);
  }

  /** Make the index that has the entries of a move; nothing of the repository is changed. Throws GitError. */
  async build({ entries }: Pick<RepoMove, "entries">): Promise<void> {
    const changed = entries.filter(({ from, to }) => !isSameEntry(from, to));
    const flagged = entries.filter(({ skipw, to }) => skipw && to !== null);
    if (changed.length === 0 && flagged.length === 0) return;
    const { index, objectFormat } = this.session.repository;
    copyIndex(index, this.#files.made);
    const lines = changed.map(({ path, to }) =>
      `${to === null ? `0 ${zeros(objectFormat)}` : to.join(" ")}\t${path}\0`
    );
    await this.#update(["--add", "--index-info"], lines);
    // Git drops the flag as soon as the file is there; a path that goes gets it back.
    if (flagged.length > 0) {
      await this.#update(["--skip-worktree", "--stdin"], flagged.map(({ path }) => `${path}\0`));
    }
    this.#isBuilt = true;
  }

  /** Move the branch, unless somebody else moved it meanwhile. Throws GitError. */
  async moveHead({ head }: Pick<RepoMove, "head">): Promise<void> {
    if (head === undefined || head.from === head.to) return;
    const { objectFormat } = this.session.repository;
    const from = head.from ?? zeros(objectFormat);
    const what = head.to === null
      ? ["-m", head.why, "-d", "HEAD", from]
      : ["--create-reflog", "-m", head.why, "HEAD", head.to, from];
    await this.session.answer(["update-ref", ...what]);
  }

  /** Put the index that was made in its place. */
  putIndex(): void {
    if (!this.#isBuilt) return;
    Deno.renameSync(this.#files.made, this.session.repository.index);
    this.#isBuilt = false;
  }

  /** Let go. A lock that is not ours any more is left alone. */
  release(): void {
    clearFiles(this.#files);
  }

  async #update(args: readonly string[], lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.session.answer(["-c", "index.threads=1", "update-index", "-z", ...args], {
      env: { GIT_INDEX_FILE: this.#files.made },
      stdin: new TextEncoder().encode(lines.join("")),
    });
  }
}

type Files = { lock: string; text: string; made: string; mark: string };

function filesOf(index: string, token: string): Files {
  const made = `${index}.harness-${token}`;
  return { lock: `${index}.lock`, text: `harness ${token}\n`, made, mark: `${made}.mark` };
}

/** Remove what a dead process left of its hold; the lock only when it says that it is ours. */
export function clearHold(index: string, token: string): void {
  clearFiles(filesOf(index, token));
}

function clearFiles({ lock, text, made, mark }: Files): void {
  if (isOurs(lock, text)) Deno.removeSync(lock);
  for (const file of [made, `${made}.lock`, mark]) if (lstat(file)) Deno.removeSync(file);
}

/** Linked, not created and filled: whoever sees the lock can read whose it is. */
function takeLock({ lock, text, mark }: Files): boolean {
  if (lstat(lock) !== undefined) return isOurs(lock, text);
  try {
    if (lstat(mark) === undefined) Deno.writeTextFileSync(mark, text);
    Deno.linkSync(mark, lock);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return isOurs(lock, text);
    throw new GitError(`The index cannot be locked: ${fileErrorReason(error)}`);
  } finally {
    if (lstat(mark) !== undefined) Deno.removeSync(mark);
  }
}

function isOurs(lock: string, text: string): boolean {
  return lockText(lock) === text;
}

function isOfHarness(lock: string): boolean {
  return /^harness \S+\n$/.test(lockText(lock));
}

const LOCK_TEXT_BYTES_MAX = 200;

/** What a lock says of its holder. Git's own holds an index or nothing; a large one is not read. */
function lockText(lock: string): string {
  const info = lstat(lock);
  if (info === undefined || !info.isFile || info.size > LOCK_TEXT_BYTES_MAX) return "";
  try {
    return Deno.readTextFileSync(lock);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Git never writes into a file of the index but replaces it, so a second name is as good as a copy. */
function copyIndex(index: string, made: string): void {
  if (lstat(made) !== undefined) Deno.removeSync(made);
  if (lstat(index) === undefined) return;
  try {
    Deno.linkSync(index, made);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    Deno.copyFileSync(index, made);
  }
}
