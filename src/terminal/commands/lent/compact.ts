/** What `/compact` reaches. */
import type { CommandResult } from "../spec.ts";

/** The part `compact` of what commands are lent. */
export type CompactPart = {
  /** Shorten the conversation, after a preview and a yes where somebody can be asked. */
  run(wish: string): Promise<CommandResult>;
};
