/** What commands about the transcript reach. */
import type { Event } from "@/protocol/event.ts";
import type { CommandResult } from "../spec.ts";

/** The part `transcript` of what commands are lent. */
export type TranscriptPart = {
  /** What the model said last, as it wrote it; undefined before it has said anything. */
  lastReply(): string | undefined;
  /** Put a text on the person's clipboard, or into a file where that cannot be; the answer says which. */
  copy(text: string): Promise<CommandResult>;
  /** Show events on the screen alone: they are neither said nor logged. */
  show(events: readonly Event[]): void;
  /** Open all of it in the viewer; absent where there is none. */
  open?(): void;
};
