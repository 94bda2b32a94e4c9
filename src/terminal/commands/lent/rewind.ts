/** What `/rewind` and `/fork` reach. */
import type { CommandResult } from "../spec.ts";

/** What goes back to an earlier turn. */
export type RewindWhat = "conversation" | "files" | "both";

/** The part `rewind` of what commands are lent. */
export type RewindPart = {
  /** Let the person choose the message to go back to; where there is no picker, list them. */
  choose(): Promise<CommandResult>;
  /** Go back to the end of a turn; 0 is the beginning. The person is asked what goes back where it is not said. */
  to(turn: number, what?: RewindWhat): Promise<CommandResult>;
  /** Go on in a copy of the session, whole or to the end of a turn. */
  fork(turn?: number): Promise<CommandResult>;
};
