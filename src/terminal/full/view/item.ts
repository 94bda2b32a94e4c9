/** What a transcript is made of: one item for each thing that was said, done or printed, oldest first. */
import type { Decision } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { LiveOutput } from "./live_output.ts";

/** One of them. `turn` is the turn that it belongs to. */
export type Item =
  & { turn: number }
  & (YouItem | ReplyItem | CardItem | EventItem | ErrorItem | PrintedItem | SourceItem);

/** What the person said; it opens an exchange. `at` is unknown where only the event is left. */
export type YouItem = { kind: "you"; text: string; attached: readonly string[]; at?: Date };

/** What the model said. `isVoid`: it was taken back and said anew. */
export type ReplyItem = { kind: "reply"; text: string; thinking: string; isVoid?: boolean };

/** A call. */
export type CardItem = { kind: "card"; call: Call };

/**
 * A notice from outside the exchange; of a long one the beginning is shown, unless it `isWhole`. `isTold`: the notice before
 * it said to the person what it says to the model, and it is shown only where everything is.
 */
export type EventItem = {
  kind: "event";
  text: string;
  isWarning?: boolean;
  isWhole?: boolean;
  isTold?: boolean;
};

/** What failed, and what to do about it. */
export type ErrorItem = { kind: "error"; text: string };

/** What a command printed; `rowsMax` where only the beginning is shown. */
export type PrintedItem = { kind: "printed"; text: string; isClipped: boolean };

/** A text to be copied, as it is. */
export type SourceItem = { kind: "source"; text: string };

/** One call, from its start to its result. */
export type Call = {
  id: string;
  name: string;
  input: unknown;
  /** The sentence of its tool: before the result, then after it. */
  summary: string;
  decision?: { decision: Decision; asked: boolean };
  /** What the harness said while it ran. */
  says: string[];
  /** What it printed while it was watched. */
  output?: LiveOutput;
  /** What it printed, as the log keeps it. */
  shown?: string;
  result?: ToolResult;
  ms?: number;
};
