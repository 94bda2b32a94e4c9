/** What the screen asks of the transcript: text for the scrollback, a few live rows, and cards to open. */
import type { DurableEvent, Sink } from "@/protocol/event.ts";
import type { SessionRecord } from "@/protocol/session.ts";

/** What a printed text is: what a command printed, a notice, why it could not, or a text to be copied as it is. */
export type ShownRegister = "result" | "event" | "error" | "source";

/** Events in, text out. The screen draws when it likes; the view only answers. */
export interface TranscriptView {
  /** Takes events, in order. */
  readonly sink: Sink;
  /**
   * What became final since the last call: whole lines that end in a line feed, made visible and styled. Lines that are to
   * be copied whole stay unwrapped; the terminal wraps them.
   */
  takeFinished(columns: number): string;
  /** The live rows (an open block, a running call), at most `rowsMax`, each shorter than `columns`. */
  tail(columns: number, rowsMax: number): readonly string[];
  /** Whether a timer is needed because something in the tail moves by itself. */
  isAnimated(): boolean;
  /**
   * A resumed session: the latest `last` items come out of `takeFinished`, the others can be opened. Records say when a
   * message was sent; events alone do not.
   */
  replay(events: Iterable<DurableEvent | SessionRecord>, last: number): void;
  /** An item with everything open, line by line, for the viewer; by its number from 0, oldest first. */
  open(item: "last" | number): readonly string[] | undefined;
  /** How many items can be opened by number. Without it the viewer shows the last one only. */
  items?(): number;
  /** Open or close the newest card where it stands, while it is live; false when it is not. */
  toggleLive?(): boolean;
  /** The latest items once more, at this width. */
  again?(last: number, columns: number): string;
  /** Text of a slash command or of the program; without it the screen writes it itself. */
  print?(text: string, register: ShownRegister): void;
  /** Another conversation begins: what was shown belongs to the terminal, and nothing of it can be opened any more. */
  begin?(): void;
  /** What the person typed, where no event will show it; without it the screen writes it itself. */
  typed?(text: string): void;
  /** Load what replies are drawn with, once the first frame stands. */
  preload?(): Promise<void>;
}
