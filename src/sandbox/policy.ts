/** What one command may do inside the sandbox, beside what holds for all. */

/** The rights of one command. Everything not said is as for a command of the model. */
export type SandboxPolicy = {
  /** Whether the workspace and the added directories can be written. Default: true. */
  canWriteWorkspace?: boolean;
  /** Further directories, as real paths: shown, or writable. */
  readable?: readonly string[];
  writable?: readonly string[];
};

/** Limits of every process inside; 0 for none. */
export type ResourceLimits = {
  /** Processes and threads of one command together. Root is not bound by it (Linux). */
  processesMax: number;
  /** Largest file that a command may write, in MB. */
  fileMaxMb: number;
};
