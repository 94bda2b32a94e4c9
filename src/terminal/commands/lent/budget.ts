/** What `/budget` reaches. */
import type { CommandResult } from "../spec.ts";

/** The part `budget` of what commands are lent. */
export type BudgetPart = {
  /** What is spent of which limit. */
  standing(): Promise<string>;
  /** Set a limit for this session by the person's words. */
  set(text: string): CommandResult;
};
