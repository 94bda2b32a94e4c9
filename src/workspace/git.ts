/**
 * Our own git calls. A repository is somebody's input: its config may name programs for hooks, fsmonitor, filters, text
 * conversion, diffs, pagers, editors, signing and transport. None of them runs here.
 */
import { join, relative, resolve } from "@/lib/path.ts";
import type { Finished, Processes, Wrapper } from "@/sandbox/processes.ts";
import {
  findRepository,
  nearestMarker,
  type Repository,
  type RepositoryPlace,
} from "@/workspace/git_place.ts";

/** Time one call gets, in milliseconds. */
const GIT_TIMEOUT_MS = 5_000;

/** A git that is told to end takes its lock files away first. On a busy machine that takes a while, in milliseconds. */
const GIT_GRACE_MS = 3_000;

/** What one call may print before its middle is dropped, in bytes. */
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;

const NOTHING = Deno.build.os === "windows" ? "NUL" : "/dev/null";

/** Every one of these keys can name a program or make git do something beside the question that is asked. */
const NEUTRAL_CONFIG: readonly string[] = [
  `core.hooksPath=${NOTHING}`,
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=false",
  "core.sshCommand=false",
  "core.gitProxy=",
  "core.quotePath=false",
  "credential.helper=",
  "protocol.allow=never",
  "commit.gpgsign=false",
  "tag.gpgsign=false",
  "log.showSignature=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.safecrlf=false",
  // A diff would lock the index and write it anew, whatever GIT_OPTIONAL_LOCKS says (git 2.39).
  "diff.autoRefreshIndex=false",
  "submodule.recurse=false",
  "status.submoduleSummary=false",
  // A directory of the checkout that merely looks like a repository is none.
  "safe.bareRepository=explicit",
];

/** Nothing of the person's `GIT_*` is inherited (env.ts passes none on); these are all there are. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  // Older git fetches lazily whatever the line above says; with no transport allowed it cannot.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  GIT_PAGER: "cat",
  LC_ALL: "C",
};

/** Keys of drivers, which have names of their own choice and so must be found before they can be switched off. */
const DRIVER_KEYS =
  /^(filter\..*\.(clean|smudge|process|required)|diff\..*\.(command|textconv)|merge\..*\.driver)$/s;

/** A git call that could not be made or failed; a sentence. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** Limits and data of one call. */
export type GitCall = {
  signal?: AbortSignal;
  stdin?: Uint8Array;
  timeoutMs?: number;
  outputBytesMax?: number;
  /** Exit codes that are answers, besides 0. */
  codes?: readonly number[];
  /** On top of the variables of every call. */
  env?: Readonly<Record<string, string>>;
};

/** Several calls in one repository, whose config was read once for all of them. */
export type GitSession = {
  readonly repository: Repository;
  /** The config as git sees it: names of sections and keys in lower case; of several values the last. */
  readonly config: ReadonlyMap<string, string>;
  /** See `Git.run`. */
  run(args: readonly string[], call?: GitCall): Promise<Finished>;
  /** See `Git.answer`. */
  answer(args: readonly string[], call?: GitCall): Promise<Finished>;
};

/** Where git is told to look. */
export type GitOptions = {
  /** Real path of the workspace; a `git` inside it is not used. */
  workspace: string;
  /** Directories above which no repository is looked for. */
  ceilings?: readonly string[];
  /** Whether lines of a file (real path) may be shown; for rules that deny reading it. */
  mayRead?: (path: string) => boolean;
  /** The boundary around each call, inside which nothing of the workspace can be written; undefined where none holds. */
  wrap?: () => Promise<Wrapper | undefined>;
};

/** Git for one workspace. */
export class Git {
  readonly workspace: string;
  readonly #processes: Processes;
  readonly #ceilings: readonly string[];
  readonly #mayRead: (path: string) => boolean;
  readonly #wrap: NonNullable<GitOptions["wrap"]>;
  /** By the top of the work tree. */
  readonly #places = new Map<string, Repository>();
  #program: string | undefined;

  constructor(
    processes: Processes,
    { workspace, ceilings = [], mayRead = () => true, wrap }: GitOptions,
  ) {
    this.#processes = processes;
    this.workspace = workspace;
    this.#ceilings = ceilings;
    this.#mayRead = mayRead;
    this.#wrap = wrap ?? (() => Promise.resolve(undefined));
  }

  /**
   * The repository that a directory (real path) lies in. Each is looked at once; "outside" is not kept, since a
   * repository may be made at any time. Throws GitError when git is missing.
   */
  async place(directory: string, signal?: AbortSignal): Promise<RepositoryPlace> {
    // By what lies nearest now: a repository may have been made in between, deeper than one that is known.
    const known = this.#places.get(await nearestMarker(directory) ?? "");
    if (known !== undefined) return { kind: "repository", repository: known };
    // Without GIT_DIR, so that git's own check of the owner counts.
    const place = await findRepository(
      directory,
      (args) => this.#call(directory, args, { env: {}, ...(signal && { signal }) }),
    );
    if (place.kind === "repository") this.#places.set(place.repository.top, place.repository);
    return place;
  }

  /**
   * The repository of the workspace, and where in it the workspace lies (relative to the top, "" for all of it). Throws
   * GitError with a sentence when there is none or it may not be asked.
   */
  async here(signal?: AbortSignal): Promise<{ repository: Repository; within: string }> {
    const place = await this.place(this.workspace, signal);
    if (place.kind === "outside") {
      const where = `neither "${this.workspace}" nor a directory above it has a .git`;
      throw new GitError(`There is no git repository here: ${where}`);
    }
    if (place.kind === "refused") throw new GitError(`Git was not asked. ${place.reason}`);
    const { repository } = place;
    return { repository, within: relative(repository.top, this.workspace).replaceAll("\\", "/") };
  }

  /** Whether lines of a file may be shown. `path` is relative to the top. */
  mayShow({ top }: Repository, path: string): boolean {
    return this.#mayRead(join(top, path));
  }

  /**
   * Run a git command in a repository, at its top. Resolves however git ends; throws GitError when it could not run. The
   * arguments must not come from outside unless they stand behind `--`.
   */
  async run(
    repository: Repository,
    args: readonly string[],
    call: GitCall = {},
  ): Promise<Finished> {
    return await (await this.session(repository, call.signal)).run(args, call);
  }

  /** A command that must succeed; throws GitError with git's own words otherwise. */
  async answer(
    repository: Repository,
    args: readonly string[],
    call: GitCall = {},
  ): Promise<Finished> {
    return await (await this.session(repository, call.signal)).answer(args, call);
  }

  /** Begin several calls in a repository. Throws GitError when its config cannot be read. */
  async session(repository: Repository, signal?: AbortSignal): Promise<GitSession> {
    const config = await this.#config(repository, signal);
    const off = [...config.keys()].filter((key) => DRIVER_KEYS.test(key))
      .flatMap((key) => ["-c", neutralDriver(key, repository)]);
    const run = async (args: readonly string[], call: GitCall = {}) =>
      await this.#call(repository.top, [...off, ...args], {
        ...call,
        env: { ...placeVariables(repository), ...call.env },
      });
    const answer = async (args: readonly string[], call: GitCall = {}) => {
      const finished = await run(args, call);
      const { ended, code } = finished;
      if (ended === "exited" && [0, ...call.codes ?? []].includes(code)) return finished;
      throw new GitError(failure(args, finished, call.timeoutMs ?? GIT_TIMEOUT_MS));
    };
    return { repository, config, run, answer };
  }

  async #config(
    repository: Repository,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const args = ["config", "-z", "--list"];
    const finished = await this.#call(repository.top, args, {
      env: placeVariables(repository),
      ...(signal && { signal }),
    });
    if (finished.ended !== "exited" || finished.code !== 0 || finished.stdout.dropped > 0) {
      throw new GitError(failure(args, finished, GIT_TIMEOUT_MS));
    }
    const entries = finished.stdout.text().split("\0").filter((entry) => entry !== "");
    return new Map(entries.map((entry) => {
      const at = entry.indexOf("\n");
      // A key without a value is on.
      return at < 0 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
    }));
  }

  async #call(
    cwd: string,
    args: readonly string[],
    { env, signal, stdin, timeoutMs = GIT_TIMEOUT_MS, outputBytesMax = OUTPUT_BYTES_MAX }:
      & GitCall
      & { env: Readonly<Record<string, string>> },
  ): Promise<Finished> {
    const [program, wrap] = await Promise.all([this.#git(), this.#wrap()]);
    return await this.#processes.run({
      program,
      args: ["--no-pager", ...NEUTRAL_CONFIG.flatMap((entry) => ["-c", entry]), ...args],
      cwd,
      env: { ...ENVIRONMENT, ...this.#ceiling(), ...env },
      ...(stdin === undefined ? {} : { stdin }),
      ...(wrap === undefined ? {} : { wrap, onlyReadsWorkspace: true }),
    }, { timeoutMs, outputBytesMax, graceMs: GIT_GRACE_MS, ...(signal && { signal }) });
  }

  #ceiling(): Record<string, string> {
    if (this.#ceilings.length === 0) return {};
    const separator = Deno.build.os === "windows" ? ";" : ":";
    return { GIT_CEILING_DIRECTORIES: this.#ceilings.join(separator) };
  }

  async #git(): Promise<string> {
    this.#program ??= await this.#processes.find("git", [this.workspace]);
    if (this.#program === undefined) {
      throw new GitError("git is not installed here: no program of that name on PATH");
    }
    return this.#program;
  }
}

function placeVariables({ gitDir, top }: Repository): Record<string, string> {
  return { GIT_DIR: gitDir, GIT_WORK_TREE: top };
}

/** A driver without a program is no driver; git then takes the bytes as they are. */
function neutralDriver(key: string, { top }: Repository): string {
  // `-c` splits at the first "=", so this key could not be overridden.
  if (key.includes("=")) {
    throw new GitError(
      `The repository at "${top}" has a config key that git is not run with: ${key}`,
    );
  }
  return key.endsWith(".required") ? `${key}=false` : `${key}=`;
}

function failure(args: readonly string[], finished: Finished, timeoutMs: number): string {
  const doing = `git ${args.find((arg) => !arg.startsWith("-") && !arg.includes("=")) ?? ""}`;
  if (finished.ended === "aborted") return `${doing} was interrupted`;
  if (finished.ended === "timed_out") {
    return `${doing} did not finish within ${
      timeoutMs / 1000
    } s; run_cmd runs it with a longer limit`;
  }
  const said = finished.stderr.text().trim() || `it ended with code ${finished.code}`;
  return `${doing} failed: ${said.slice(0, 2_000)}`;
}

/** Part of a repository that one file operation is going on in, by the files that git leaves for it. */
const OPERATIONS: readonly [file: string, name: string][] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
  ["sequencer", "sequence of picks"],
];

/** What is in progress in a repository ("rebase", "merge" …), or undefined. */
export async function operationInProgress(repository: Repository): Promise<string | undefined> {
  for (const [file, name] of OPERATIONS) {
    try {
      await Deno.lstat(resolve(repository.gitDir, file));
      return name;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}
