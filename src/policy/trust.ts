/**
 * What the person trusts of a project: the exact contents of files that would give it rights. A file that changes is not
 * trusted any more. Kept in the state directory, where no project can write.
 */
import { sha256Hex } from "@/lib/hash.ts";
import { type JsonShape, readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import type { TrustFile } from "./trust_file.ts";

const shape: JsonShape<TrustFile> = {
  read: async (value) => (await import("./trust_file.ts")).trustFile.parse(value),
  empty: () => ({}),
};

/** Contents of a project that wait for the person's word, and what they would do. */
export type TrustItem = {
  /** The file's name in the project. */
  readonly name: string;
  /** Exactly what would be trusted. */
  readonly bytes: Uint8Array;
  /** What it would do, a line each. */
  readonly does: readonly string[];
};

/** What is trusted: what was written down when it was loaded, and what was said since. */
export class Trust {
  readonly #path: string;
  #trusted: TrustFile;

  /** What is wrong with the file, for the person; it then counts as empty and stays as it is. */
  readonly problem: string | undefined;

  private constructor(path: string, trusted: TrustFile, problem: string | undefined) {
    this.#path = path;
    this.#trusted = trusted;
    this.problem = problem;
  }

  /** Read `trust.json`. A damaged file means that nothing is trusted; never throws for its contents. */
  static async load(path: string): Promise<Trust> {
    const { value, damaged } = await readJsonFile(path, shape);
    const problem = damaged === undefined ? undefined : notTrusting(path, damaged.cause);
    return new Trust(path, value, problem);
  }

  /** Whether these exact contents of a project's file count. `project` is its real path. */
  isTrusted(project: string, name: string, bytes: Uint8Array): boolean {
    const files = Object.hasOwn(this.#trusted, project) ? this.#trusted[project] : undefined;
    return files !== undefined && Object.hasOwn(files, name) && files[name] === sha256Hex(bytes);
  }

  /**
   * Trust exact contents for good: from now on, and after a restart. Throws when it cannot be written down; the person's
   * word then holds for this run.
   */
  async grant(project: string, items: readonly Pick<TrustItem, "name" | "bytes">[]): Promise<void> {
    const hashes = hashesOf(items);
    this.#trusted = withHashes(this.#trusted, project, hashes);
    await updateJsonFile(this.#path, {
      ...shape,
      private: true,
      what: "what is trusted",
      change: (current) => withHashes(current, project, hashes),
    });
  }

  /**
   * Trust exact contents for this run. What changes or appears later, a command of the model's may have written it, is
   * not among them.
   */
  trustForRun(project: string, items: readonly Pick<TrustItem, "name" | "bytes">[]): void {
    this.#trusted = withHashes(this.#trusted, project, hashesOf(items));
  }
}

function hashesOf(items: readonly Pick<TrustItem, "name" | "bytes">[]): Record<string, string> {
  return Object.fromEntries(items.map(({ name, bytes }) => [name, sha256Hex(bytes)]));
}

/** A null prototype would be lost in JSON; `__proto__` as a name is taken as a plain key all the same. */
function withHashes(
  file: TrustFile,
  project: string,
  hashes: Record<string, string>,
): TrustFile {
  const known = Object.hasOwn(file, project) ? file[project] : {};
  return Object.fromEntries([
    ...Object.entries(file).filter(([key]) => key !== project),
    [project, { ...known, ...hashes }],
  ]);
}

function notTrusting(path: string, cause: string): string {
  return `Cannot read what is trusted in ${path}: ${cause}. Nothing of a project counts as trusted`;
}
