/** What a screen is to the program: it takes events, puts questions, and gives the lines that were typed. */
import type { Sink } from "@/protocol/event.ts";
import type { Approver, Asker } from "@/protocol/policy.ts";
import type { SessionRecord } from "@/protocol/session.ts";

/** Plain mode has one, full screen another; nothing else knows which. */
export interface Screen {
  readonly sink: Sink;
  readonly approver: Approver;
  readonly asker: Asker;
  /** The next message of the person; undefined when they are gone. */
  line(): Promise<string | undefined>;
  /** Text of a command: "result" is what it printed, "error" why it could not, "source" what is to be copied as it is. */
  print(text: string, register: "result" | "event" | "error" | "source"): void;
  /** Show a text and take the next line; "" when the person is gone. */
  ask(text: string): Promise<string>;
  /** Take a line as a message, after those that were typed before it. */
  take(line: string): void;
  /** Show a text and take a line that is not shown; undefined when it was given up. */
  secret(text: string): Promise<string | undefined>;
  /** Show what the person typed, where the terminal has not and no event will. */
  typed?(text: string): void;
  /** Another conversation begins: with an empty screen, or with the end of what was said in it before. */
  begin?(records: readonly SessionRecord[]): Promise<void>;
  /** Who is told, with an exit code, when the person leaves by a key. */
  onLeave?(leave: (code: number) => void): void;
  /** Resolves when the terminal owes no answer any more, which the shell would take for something typed. */
  settled?(): Promise<void>;
  /** Stop waiting for input and leave the terminal as it was found. */
  close(): void;
}
