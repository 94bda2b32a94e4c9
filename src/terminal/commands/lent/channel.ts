/** What `/agents` reaches. */
import type { CommandResult } from "../spec.ts";

/** The part `channel` of what commands are lent. */
export type ChannelPart = {
  /** Who is at work in the project, what each holds and what was said, as text. */
  describe(): Promise<string>;
  /** Let the person choose an agent or a file, and what to do about it; the same text where there is nothing to choose. */
  choose(): Promise<CommandResult>;
  /** Say something to all others in the person's name. */
  say(text: string): Promise<CommandResult>;
  /** Take a file away from whoever holds it. */
  release(path: string): Promise<CommandResult>;
  /** Be on the board, or not. */
  turn(isOn: boolean): Promise<CommandResult>;
};
