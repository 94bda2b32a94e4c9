/** What in the projects is held in place for commands: git directories, rule files and `.env` files. */
import type { SandboxOptions } from "@/sandbox/boundary_options.ts";
import { settlesWithin } from "@/lib/within.ts";
import { EnvMasks } from "@/sandbox/env_masks.ts";
import { findGitDirs, type GitDirs, mayShowTop, RedirectionWatch } from "@/sandbox/git_dirs.ts";
import { existingFiles, isFile } from "@/sandbox/look.ts";
import type { Layout } from "@/sandbox/layout.ts";
import { PlantedGit } from "@/sandbox/planted_git.ts";
import { findSockets, isSocket } from "@/sandbox/sockets.ts";

/** What the last look at all folders may take, in milliseconds. */
const LAST_LOOK_MS = 500;

/** What was found, as one state: a boundary is drawn from one of them. */
export type Found = {
  /** Another text for another state. */
  version: string;
  git: readonly GitDirs[];
  masked: readonly string[];
  readOnlyFiles: readonly string[];
  /** Real paths of Unix sockets. */
  sockets: readonly string[];
};

/** Runs `git ls-files -s -z` on paths below a root, inside the boundary; "" where that is not possible. */
export type AskStaged = (root: string, paths: readonly string[]) => Promise<string>;

/**
 * Looks, and keeps what it saw. A new state is taken only while nothing runs in the sandbox: a running command cannot move
 * what is a mount point for it as well, but anything else it could be replacing just while bubblewrap looks for it.
 */
export class Findings {
  readonly #layout: Layout;
  readonly #options: SandboxOptions;
  readonly #isRoot: boolean;
  readonly #masks: EnvMasks;
  /** Those that stood there at the first search. */
  #sockets: Promise<readonly string[]> | undefined;
  #known: readonly string[] = [];
  /** Whether a command may have run since the last search. */
  #isStale = false;
  #found: Found;
  #watch: RedirectionWatch;

  constructor(
    layout: Layout,
    options: SandboxOptions,
    { staged, isRoot }: { staged: AskStaged; isRoot: boolean },
  ) {
    this.#layout = layout;
    this.#options = options;
    this.#isRoot = isRoot;
    const git = this.#findGit();
    const planted = new PlantedGit(
      (folder) => this.#found.git.some(({ top }) => top === folder),
      options.onNotice,
    );
    this.#masks = new EnvMasks({
      roots: [...new Set([...layout.roots, ...git.map(({ top }) => top)])],
      isTrusted: options.isTrusted,
      staged,
      onRepositories: (folders) =>
        planted.see([...new Set([...folders, ...this.#found.git.map(({ top }) => top)])]),
    });
    this.#watch = this.#watchGit(git);
    this.#found = this.#look(git);
  }

  /** Search all folders, and once for sockets; with `asksGit`, for what is committed as well. */
  async search(asksGit: boolean): Promise<void> {
    const env = { PATH: this.#options.processes.ownPath, LC_ALL: "C" };
    this.#sockets ??= findSockets(env, { isRoot: this.#isRoot });
    [this.#known] = await Promise.all([this.#sockets, this.#masks.search(asksGit)]);
  }

  /** How many files are masked, and whether every folder was looked into. */
  get masks(): { masked: number; isSearchWhole: boolean } {
    return { masked: this.#masks.masked().length, isSearchWhole: this.#masks.isWhole };
  }

  get hasGit(): boolean {
    return this.#found.git.length > 0;
  }

  /** Cover no sockets: this machine does not let us. False where there were none. */
  leaveSockets(): boolean {
    const had = this.#known.length > 0;
    this.#sockets = Promise.resolve([]);
    this.#known = [];
    return had;
  }

  /** A command starts that may change something of the projects. */
  touched(): void {
    this.#isStale = true;
  }

  /** The state to draw from. `isQuiet`: nothing runs in the sandbox. */
  current(isQuiet: boolean): Found {
    this.#watch.sweep();
    if (!isQuiet) return this.#withoutVanished();
    this.#masks.look();
    const git = this.#findGit();
    const isSame = JSON.stringify(git) === JSON.stringify(this.#found.git);
    this.#found = this.#look(git);
    if (isSame) return this.#found;
    this.#watch.close();
    this.#watch = this.#watchGit(git);
    return this.#found;
  }

  async close(): Promise<void> {
    this.#watch.close();
    await this.#masks.settled();
    // What the last commands have left is looked at as well, but nobody waits long for that.
    if (this.#isStale) await settlesWithin(this.#masks.search(false), LAST_LOOK_MS);
  }

  #look(git: readonly GitDirs[]): Found {
    const found = {
      git,
      masked: this.#masks.masked(),
      readOnlyFiles: existingFiles(this.#layout.roots, this.#options.ruleFiles),
      sockets: this.#known.filter(isSocket),
    };
    return { version: JSON.stringify(found), ...found };
  }

  /** The person may remove a file while a server runs; what is gone needs no mount. */
  #withoutVanished(): Found {
    const { git, masked, readOnlyFiles, sockets } = this.#found;
    if ([...masked, ...readOnlyFiles].every(isFile) && sockets.every(isSocket)) return this.#found;
    const found = {
      git,
      masked: masked.filter(isFile),
      readOnlyFiles: readOnlyFiles.filter(isFile),
      sockets: sockets.filter(isSocket),
    };
    return { version: JSON.stringify(found), ...found };
  }

  #findGit(): GitDirs[] {
    const { roots, hidden, temporary, stateDir } = this.#layout;
    const closed = [...hidden, ...temporary, stateDir];
    const found = roots.flatMap((root) => findGitDirs(root) ?? [])
      .filter((git) => mayShowTop(git, closed));
    return [...new Map(found.map((git) => [git.top, git])).values()];
  }

  #watchGit(git: readonly GitDirs[]): RedirectionWatch {
    return new RedirectionWatch(
      git.flatMap(({ redirections }) => redirections),
      (path) =>
        this.#options.onNotice(
          `A command made "${path}", which would give your git another config: it was removed`,
        ),
    );
  }
}
