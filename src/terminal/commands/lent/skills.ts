/** What `/skills` and `/skill` reach. */
import type { CommandResult } from "../spec.ts";

/** The part `skills` of what commands are lent. */
export type SkillsPart = {
  /** Those that may be used, those that wait for trust, and where each stands. */
  list(): Promise<string>;
  /** Look at the folders again. */
  reload(): Promise<string>;
  /** Whether there is one of exactly that name, in any case; one that waits for trust too. */
  has(name: string): Promise<boolean>;
  /** Put one before the model at its next request; why not, where it cannot be. */
  load(name: string, args: string): Promise<{ name: string } | { why: string }>;
  /** Copy one that comes with harness into the person's folder. */
  copy(name: string): Promise<CommandResult>;
};
