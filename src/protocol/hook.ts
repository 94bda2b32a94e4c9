/** The places where features join a turn without touching the loop. */
import type { ProviderError } from "./provider.ts";
import type { GuardedCall } from "./policy.ts";
import type { ToolResult } from "./tool.ts";

/**
 * Hooks run in list order. A text returned is put to the model as a message of origin "hook". A hook that throws is
 * reported as a notice. One that goes on after the signal, which is the turn's, is not waited for. One that has nothing to
 * do returns undefined at once: most of them, most of the time.
 */
export interface Hook {
  readonly name: string;
  /** Before each request of a turn. */
  beforeRequest?(signal: AbortSignal): Promise<string | undefined> | undefined;
  /** After each call that ran. */
  afterTool?(
    call: GuardedCall,
    result: ToolResult,
    signal: AbortSignal,
  ): Promise<void> | undefined;
  /**
   * After a request that could not be made or was refused: whether the conversation was changed so that it is worth
   * making once more.
   */
  mend?(error: ProviderError, signal: AbortSignal): Promise<boolean>;
  /**
   * Before the turn is ended for what the model goes on doing (refused calls, a circle); a text returned is what it is to
   * do instead. Not asked about limits that the person has set.
   */
  beforeLimit?(signal: AbortSignal): Promise<string | undefined>;
  /** Before the turn ends; a text returned is the next thing that the model reads. */
  beforeStop?(signal: AbortSignal): Promise<string | undefined>;
}
