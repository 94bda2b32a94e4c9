/** What a boundary is opened with, and what one is, whatever the system. */
import type { BoundaryFacts, BoundaryKind } from "@/sandbox/boundary.ts";
import type { Egress } from "@/sandbox/egress/mod.ts";
import type { Processes, Wrapper } from "@/sandbox/processes.ts";
import type { ResourceLimits, SandboxPolicy } from "@/sandbox/policy.ts";

/** Everything that is known at the start of a run. */
export type SandboxOptions = {
  processes: Processes;
  /** The environment as the person had it. */
  env: Readonly<Record<string, string>>;
  /** Real path. */
  workspace: string;
  /** Real paths of further directories that commands may write. */
  added: readonly string[];
  /** Never visible, wherever it lies. */
  stateDir: string;
  /** Names of what the state directory holds. */
  stateNames: readonly string[];
  /** Whether caches of compilers are kept there from run to run; absent: they are. */
  keepsCaches?: boolean;
  /** Names of rule files at the top of a writable directory. */
  ruleFiles: readonly string[];
  /** Further paths that the person shows to commands, read-only. */
  visible: readonly string[];
  /** Whether the person trusts exactly this content of a project's file. */
  isTrusted(root: string, name: string, content: Uint8Array): boolean;
  limits(): ResourceLimits;
  /** The way out of commands; without it they have none. */
  egress?: Egress;
  /** Something that the person should know while it runs. */
  onNotice(text: string): void;
  /** The person's word that there is to be none. */
  isOff?: boolean;
};

/** A boundary that was proven. */
export interface Boundary {
  readonly kind: Exclude<BoundaryKind, "none">;
  facts(): BoundaryFacts;
  wrap(policy: SandboxPolicy): Wrapper;
  /** Remove what is private to the run. Nothing of it runs any more. */
  close(): Promise<void>;
}

/** A boundary, or the reason why there is none, as the end of a sentence. */
export type Opened = { boundary: Boundary } | { problem: string };
