/** What `/vm` reaches: the process behind run_python. */
import type { CommandResult } from "../spec.ts";

/** The part `vm` of what commands are lent. */
export type VmPart = {
  status(): string;
  reset(): Promise<CommandResult>;
  stop(): Promise<CommandResult>;
};
