/**
 * The git directories that commands may commit to, and what in them stays read-only: whatever git runs (hooks), obeys
 * (config) or follows (where the common directory lies). Read from the files, without asking git.
 */
import { isWithin } from "@/lib/path_within.ts";
import { dirname, join, resolve } from "@/lib/path.ts";
import { kindAt, realPath, statOf } from "@/sandbox/look.ts";

/** A repository around, or in, a writable directory. All paths are real paths. */
export type GitDirs = {
  /** Top of the work tree. */
  top: string;
  /** Writable directories, outermost first: the common directory, then that of a linked work tree. */
  writable: readonly string[];
  /** Read-only in these. */
  pinned: readonly string[];
  /** Where git would look for another common directory: must never come to exist. */
  redirections: readonly string[];
};

/**
 * Directories that are made if they are not there: what is no mount point could be made by a command, with a hook in it.
 * Git makes the same ones itself.
 */
const PINNED_DIRS = ["hooks", "info", "modules"];
const PINNED_FILES = ["config", "config.worktree", "commondir", "gitdir"];

const TEXT_BYTES_MAX = 256 * 1024;

/** The repository that a writable directory is in; undefined where there is none, or none that is what it seems. */
export function findGitDirs(root: string): GitDirs | undefined {
  for (let top = root;; top = dirname(top)) {
    const marker = join(top, ".git");
    const kind = kindAt(marker);
    // A link could lead anywhere; git itself never makes one.
    if (kind === "dir" && kindAt(join(marker, "HEAD")) !== "none") {
      return repository(top, { gitDir: marker, commonDir: marker, pointer: [] });
    }
    if (kind === "file") return linked(top, marker);
    if (kind === "link" || dirname(top) === top) return undefined;
  }
}

/** A linked work tree or a submodule: `.git` is a file with the path of the directory, which has to lead back. */
function linked(top: string, marker: string): GitDirs | undefined {
  const named = /^gitdir: (.+)/.exec(textAt(marker))?.[1]?.trim();
  const gitDir = named === undefined ? undefined : realPath(resolve(top, named));
  if (gitDir === undefined || kindAt(join(gitDir, "HEAD")) !== "file") return undefined;
  const shared = textAt(join(gitDir, "commondir")).trim();
  if (shared === "") {
    const worktree = /^[ \t]*worktree\s*=\s*"?([^"\n]+)/m.exec(textAt(join(gitDir, "config")))?.[1];
    const isOurs = worktree !== undefined && realPath(resolve(gitDir, worktree.trim())) === top;
    return isOurs ? repository(top, { gitDir, commonDir: gitDir, pointer: [marker] }) : undefined;
  }
  const back = textAt(join(gitDir, "gitdir")).trim();
  const commonDir = realPath(resolve(gitDir, shared));
  const isOurs = commonDir !== undefined && dirname(gitDir) === join(commonDir, "worktrees") &&
    realPath(dirname(resolve(gitDir, back))) === top;
  return isOurs ? repository(top, { gitDir, commonDir, pointer: [marker] }) : undefined;
}

type Found = { gitDir: string; commonDir: string; pointer: readonly string[] };

function repository(top: string, { gitDir, commonDir, pointer }: Found): GitDirs {
  for (const name of PINNED_DIRS) make(join(commonDir, name));
  if (/^[ \t]*worktreeConfig\s*=\s*(true|yes|on|1)\b/im.test(textAt(join(commonDir, "config")))) {
    statOf(() => Deno.writeTextFileSync(join(gitDir, "config.worktree"), "", { createNew: true }));
  }
  const pinned = [
    ...pointer,
    ...PINNED_DIRS.map((name) => join(commonDir, name)),
    // Those of other work trees: their `commondir` could be bent. Our own lies on top of this again.
    join(commonDir, "worktrees"),
    ...PINNED_FILES.flatMap((name) => [join(commonDir, name), join(gitDir, name)]),
  ].filter((path, index, all) => all.indexOf(path) === index);
  const found = { top, redirections: [join(commonDir, "commondir")] };
  // What is a link cannot be held in place: then nothing here is writable, and commits fail inside.
  if (pinned.some((path) => kindAt(path) === "link")) {
    return { ...found, writable: [], pinned: [...pointer, commonDir] };
  }
  return {
    ...found,
    writable: gitDir === commonDir ? [commonDir] : [commonDir, gitDir],
    pinned: pinned.filter((path) => kindAt(path) !== "none"),
  };
}

function make(path: string): void {
  // Not ours to write, or somebody was faster: what exists is looked at afterwards.
  statOf(() => Deno.mkdirSync(path, { mode: 0o755 }));
}

/** A small file; "" where there is none. */
function textAt(path: string): string {
  if (kindAt(path) !== "file") return "";
  return statOf(() => {
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(Math.min(TEXT_BYTES_MAX, file.statSync().size));
    return new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0));
  }) ?? "";
}

/** Whether a work tree may be shown whole: not when it holds what is hidden (`~/.git` of people who keep dotfiles so). */
export function mayShowTop({ top }: GitDirs, closed: readonly string[]): boolean {
  return !closed.some((path) => isWithin(path, top));
}

/**
 * Watches for a file `commondir` in a `.git` directory. Git then takes config and hooks from where it points, so a command
 * could hand its own config to the person's next `git status`, although config and hooks themselves are read-only
 * (seen with git 2.39). The directory has to stay writable for lock files, so what appears is removed at once.
 */
export class RedirectionWatch {
  readonly #paths: readonly string[];
  readonly #onRemoved: (path: string) => void;
  readonly #watcher: Deno.FsWatcher | undefined;

  constructor(paths: readonly string[], onRemoved: (path: string) => void) {
    this.#paths = paths;
    this.#onRemoved = onRemoved;
    if (paths.length === 0) return;
    // Where the system gives no more watches, it is looked at before each command and at the end.
    this.#watcher = statOf(() => Deno.watchFs(paths.map(dirname), { recursive: false }));
    void this.#watch();
  }

  async #watch(): Promise<void> {
    if (this.#watcher === undefined) return;
    for await (const event of this.#watcher) {
      if (event.paths.some((path) => this.#paths.includes(path))) this.sweep();
    }
  }

  /** Remove what is there now. */
  sweep(): void {
    for (const path of this.#paths) {
      if (kindAt(path) === "none") continue;
      // Whoever made it may be faster in taking it away again.
      statOf(() => Deno.removeSync(path, { recursive: true }));
      this.#onRemoved(path);
    }
  }

  close(): void {
    this.sweep();
    this.#watcher?.close();
  }
}
