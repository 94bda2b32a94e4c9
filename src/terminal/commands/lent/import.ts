/** What `/import` reaches: what other harnesses were told. */
import type { CommandResult } from "../spec.ts";

/** The part `imports` of what commands are lent. */
export type ImportPart = {
  /** What an import would write, as text. */
  look(): Promise<CommandResult>;
  /** Write what was shown last; what there is now if nothing was. */
  write(): Promise<CommandResult>;
};
