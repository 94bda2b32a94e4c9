/** What a screen is to the program: it takes events, puts questions, and gives the lines that were typed. */
import type { Sink } from "@/protocol/event.ts";
import type { Approver, Asker } from "@/protocol/policy.ts";

/** Plain mode has one, full screen will have another; nothing else knows which. */
export interface Screen {
  readonly sink: Sink;
  readonly approver: Approver;
  readonly asker: Asker;
  /** The next message of the person; undefined when they are gone. */
  line(): Promise<string | undefined>;
  /** Text of a command: "result" is what it printed, "error" why it could not. */
  print(text: string, register: "result" | "event" | "error"): void;
  /** Stop waiting for input and leave the terminal as it was found. */
  close(): void;
}
