/** What one command may do inside the sandbox, beside what holds for all. */

/** Where connections may go. `proxy`: only through the egress proxy, which listens on this Unix socket. */
export type NetworkPolicy = { kind: "none" } | { kind: "proxy"; socket: string };

/** The rights of one command. Everything not said is as for a command of the model. */
export type SandboxPolicy = {
  /** Default: none. */
  network?: NetworkPolicy;
  /** Whether the workspace and the added directories can be written. Default: true. */
  canWriteWorkspace?: boolean;
  /** Further directories, as real paths: shown, or writable. */
  readable?: readonly string[];
  writable?: readonly string[];
};

/** Where a command finds the egress proxy, when it was given one. */
export const EGRESS_SOCKET = "/run/harness-egress.sock";

/** Limits of every process inside; 0 for none. */
export type ResourceLimits = {
  /** Processes and threads of one command together. Root is not bound by it (Linux). */
  processesMax: number;
  /** Largest file that a command may write, in MB. */
  fileMaxMb: number;
};
