/** What the implementing stage has changed: the real diff where there is git, and the files that calls have named. */
import type { FeatureParts } from "@/compose/feature.ts";
import { seenFrom } from "@/lib/path_within.ts";
import { Git } from "@/workspace/git.ts";
import { Since } from "@/workspace/changes_since.ts";

/** One for each conversation; `begin` starts it anew. */
export class Changes {
  readonly #git: Git;
  readonly #workspace: string;
  #since: Since | undefined;
  #diff: string | undefined;
  readonly #named = new Set<string>();

  constructor(
    { processes, place: { workspace } }: Pick<FeatureParts, "processes" | "place">,
    mayRead: (path: string) => boolean,
  ) {
    this.#git = new Git(processes, { workspace, mayRead });
    this.#workspace = workspace;
  }

  /** From now on. */
  async begin(signal: AbortSignal): Promise<void> {
    this.#named.clear();
    this.#diff = undefined;
    this.#since = await orNothing(Since.now(this.#git, signal));
  }

  /** Real paths that a call has changed. */
  note(paths: readonly string[]): void {
    for (const path of paths) this.#named.add(path);
  }

  /** Whether it is certain that nothing was changed: git says so, and no call has named a file. */
  async isNone(signal: AbortSignal): Promise<boolean> {
    await this.#look(signal);
    return this.#diff === "" && this.#named.size === 0;
  }

  /** For the review. */
  async facts(signal: AbortSignal): Promise<{ diff?: string; changed: readonly string[] }> {
    if (this.#diff === undefined) await this.#look(signal);
    const changed = [...this.#named].map((path) => seenFrom(this.#workspace, path));
    return this.#diff === undefined ? { changed } : { diff: this.#diff, changed };
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#diff = this.#since && await orNothing(this.#since.diff(signal));
  }
}

/** Without a repository, or one that cannot be asked, the review reads the files again; the chain goes on. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
