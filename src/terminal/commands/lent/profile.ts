/** What `/profile` reaches. */

import type { CommandResult } from "../spec.ts";

/** The part `profile` of what commands are lent. */
export type ProfilePart = {
  /** The profile of this run, and what it says. */
  describe(): string;
  /** Copy one that comes with harness, for the person to change. */
  copy(name: string): Promise<CommandResult>;
};
