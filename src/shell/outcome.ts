/** What a shell is asked for, and what it answers. */
import type { WaitingWhy } from "@/shell/waiting.ts";

/** A command to run. */
export type RunRequest = {
  command: string;
  /** Answers given up front. */
  stdin?: string;
  background?: boolean;
  timeoutS?: number;
  /** Give it a terminal of its own. */
  terminal?: boolean;
  /** Why it should run outside the sandbox. */
  outside?: string;
};

/** What became of it, and which connections were refused to commands meanwhile, a line each. */
export type Outcome = End & { refused?: readonly string[] };

/** `output` is what was printed since the last result. */
type End =
  | {
    kind: "ended";
    code: number;
    signal?: string;
    output: string;
    left?: { session: string; processes: number };
  }
  | {
    kind: "waiting";
    session: string;
    command: string;
    why: WaitingWhy;
    quietS: number;
    output: string;
    closed: readonly string[];
  }
  | { kind: "running"; session: string; command: string; output: string }
  | { kind: "late"; seconds: number; output: string }
  | { kind: "aborted"; seconds: number; output: string }
  | { kind: "stopped"; session: string; command: string; output: string };

/** A command with a handle. */
export type SessionState = {
  session: string;
  command: string;
  /** `ended`: by itself; its last output and exit code wait for whoever asks. */
  state: "waiting" | "background" | "ended";
  ageS: number;
  /** The last line that it printed. */
  last: string;
};
