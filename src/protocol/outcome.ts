/** What a turn came to: for the exit code, the JSON result and whoever waits for the turn. */
import type { TurnStop } from "./event.ts";
import type { ToolCallBlock } from "./message.ts";
import type { Decision } from "./policy.ts";
import type { ToolResult } from "./tool.ts";

/** What became of one call: its result, the decision on it, whether a person was asked, how long it took. */
export type CallOutcome = {
  call: ToolCallBlock;
  result: ToolResult;
  decision: Decision;
  asked: boolean;
  ms: number;
};

/** How a turn ended. */
export type TurnOutcome = {
  stop: TurnStop;
  /** The text of its last message. */
  answer: string;
  requests: number;
  calls: readonly CallOutcome[];
  error?: unknown;
};
