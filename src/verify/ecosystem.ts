/** How one kind of project declares its check. One file an ecosystem in ecosystems/, one line in the list. */
import type { Check } from "@/verify/check.ts";
import type { ProjectDir } from "@/verify/project_dir.ts";

/** What is asked besides the project itself. */
export type Machine = { isInstalled(program: string): Promise<boolean> };

/** An ecosystem. */
export interface Ecosystem {
  /** Ends of the names of its source files, in lower case. */
  readonly suffixes: readonly string[];
  /** The checks it knows, as `/autoverify` lists them: what declares it, what is run. */
  readonly rows: readonly { declared: string; runs: string }[];
  /**
   * The check that this directory declares. "none": it says that it has none, and what lies above is not asked;
   * undefined: it says nothing.
   */
  declared(dir: ProjectDir, machine: Machine): Promise<Check | "none" | undefined>;
}
