/** Which `.env` files are masked now, and which may be seen: what the person trusted, and what is in the repository anyway. */
import { relative } from "@/lib/path.ts";
import {
  blobName,
  type EnvFile,
  envFilesIn,
  type EnvSearch,
  findEnvFiles,
  findEnvFilesSync,
  identityOf,
  parseStaged,
  readEnvFile,
} from "@/sandbox/env_files.ts";

/** How old a search may be before another one is made, in milliseconds. */
const SEARCH_AGE_MS = 10_000;

/** What decides. */
export type EnvMaskOptions = {
  /** Real paths of what commands see of projects. */
  roots: readonly string[];
  /** Whether the person trusts exactly this content of a file; `name` is its path below the root. */
  isTrusted(root: string, name: string, content: Uint8Array): boolean;
  /**
   * What git has staged of these paths below a root, as `git ls-files -s -z` prints it; "" where it cannot be asked.
   * A command could stage a file itself, so only a content that is the same as the staged one counts: an empty mask over
   * a committed file would be committed as its deletion, and hides nothing, because the repository can be read.
   */
  staged(root: string, paths: readonly string[]): Promise<string>;
  /** Told of the repositories that each search found. */
  onRepositories?(folders: readonly string[]): void;
};

export class EnvMasks {
  readonly #options: EnvMaskOptions;
  /** Real path → the root it was found under. */
  #found = new Map<string, string>();
  /** Real path → the file that may be seen there. */
  readonly #shown = new Map<string, string>();
  #searchedAt = -Infinity;
  #searching: Promise<void> | undefined;
  #isWhole = true;

  constructor(options: EnvMaskOptions) {
    this.#options = options;
  }

  /** Whether the last search looked into every folder. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Real paths of files that exist and are not to be seen. */
  masked(): string[] {
    return [...this.#found.keys()].filter((path) => {
      const identity = identityOf(path);
      return identity !== undefined && this.#shown.get(path) !== identity;
    }).sort();
  }

  /** Real paths of those that may be seen. */
  shown(): string[] {
    const masked = new Set(this.masked());
    return [...this.#found.keys()].filter((path) => !masked.has(path)).sort();
  }

  /** Search everything; with `asksGit`, see then what of it is committed. */
  async search(asksGit: boolean): Promise<void> {
    const { roots } = this.#options;
    this.#adopt(await Promise.all(roots.map(findEnvFiles)));
    if (asksGit) await this.#decide();
  }

  /**
   * Look again before a command, without waiting: at what is new at the top of a root, and everywhere when a known file is
   * gone from its place, because a command may have moved its folder. Starts a search when the last one is old.
   */
  look(): void {
    const { roots } = this.#options;
    if ([...this.#found.keys()].some((path) => identityOf(path) === undefined)) {
      this.#adopt(roots.map(findEnvFilesSync));
    } else {
      for (const root of roots) for (const path of envFilesIn(root)) this.#note(root, path);
    }
    if (performance.now() - this.#searchedAt < SEARCH_AGE_MS) return;
    this.#searching ??= this.search(true).finally(() => this.#searching = undefined);
  }

  /** Resolves when no search is running. */
  async settled(): Promise<void> {
    await this.#searching;
  }

  #adopt(searches: readonly EnvSearch[]): void {
    this.#searchedAt = performance.now();
    this.#isWhole = searches.every(({ isWhole }) => isWhole);
    this.#options.onRepositories?.(searches.flatMap(({ repositories }) => repositories));
    this.#found = new Map();
    searches.forEach(({ files }, index) => {
      for (const path of files) this.#note(this.#options.roots[index] ?? "", path);
    });
  }

  #note(root: string, path: string): void {
    const file = readEnvFile(path);
    if (file === undefined) return;
    this.#found.set(file.path, root);
    if (this.#isTrusted(root, file)) this.#shown.set(file.path, file.identity);
  }

  #isTrusted(root: string, { path, content }: EnvFile): boolean {
    if (content === undefined) return false;
    return this.#options.isTrusted(root, relative(root, path), content);
  }

  /** Ask git about those that are masked. */
  async #decide(): Promise<void> {
    const masked = this.masked();
    for (const root of this.#options.roots) {
      const names = masked.filter((path) => this.#found.get(path) === root)
        .map((path) => relative(root, path)).filter((name) => !name.startsWith(".."));
      if (names.length === 0) continue;
      const staged = parseStaged(await this.#options.staged(root, names));
      for (const path of masked) this.#showIfStaged(path, staged.get(relative(root, path)));
    }
  }

  #showIfStaged(path: string, blob: string | undefined): void {
    const file = blob === undefined ? undefined : readEnvFile(path);
    if (file?.content === undefined || blob === undefined) return;
    if (blobName(file.content, blob.length) === blob) this.#shown.set(path, file.identity);
  }
}
