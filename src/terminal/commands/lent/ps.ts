/** What `/ps` reaches: commands that live, those with a handle. */
import type { CommandResult } from "../spec.ts";

/** The part `ps` of what commands are lent. */
export type PsPart = {
  list(): Promise<string>;
  tail(session: string): Promise<CommandResult>;
  stop(session: string): Promise<CommandResult>;
};
