/** The moments in the turns of one conversation: the person's own, or a sub-agent's. */
import { callInput } from "@/hooks/call_input.ts";
import type { HookInput } from "@/hooks/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Message } from "@/protocol/message.ts";
import type { GuardedCall } from "@/protocol/policy.ts";
import type { ToolResult } from "@/protocol/tool.ts";
import type { Heard } from "./rounds.ts";
import type { HookVoice } from "./voice.ts";
import { contextOf, isStop, newestReply, noteOf, refusalOf } from "./words.ts";

/** How often programs may keep one turn from ending. */
const CONTINUED_MAX = 3;

export type MomentsParts = {
  voice: HookVoice;
  messages(): readonly Message[];
  /** Before each request. */
  before(signal: AbortSignal): Promise<void>;
  /** What the end of a turn is called, and told as. */
  end(facts: { stop_hook_active: boolean; last_assistant_message: string }): HookInput;
};

export class TurnMoments {
  readonly hook: Hook;
  readonly #parts: MomentsParts;
  /** For the model, with the next request. */
  #texts: string[] = [];
  #continued = 0;

  constructor(parts: MomentsParts) {
    this.#parts = parts;
    this.hook = {
      name: "hooks",
      beforeRequest: (signal) => this.#beforeRequest(signal),
      afterTool: (call, result, signal) =>
        this.#parts.voice.isIdle ? undefined : this.#afterTool(call, result, signal),
      beforeStop: (signal) => this.#beforeStop(signal),
    };
  }

  /** For the model to know. */
  tell(heard: readonly Heard[], about: string): void {
    this.#texts.push(...contextOf(heard, about));
  }

  /** A turn is over. */
  reset(): void {
    this.#texts = [];
    this.#continued = 0;
  }

  async #beforeRequest(signal: AbortSignal): Promise<string | undefined> {
    await this.#parts.before(signal);
    const texts = this.#texts.splice(0);
    return texts.length === 0 ? undefined : texts.join("\n\n");
  }

  async #afterTool(call: GuardedCall, result: ToolResult, signal: AbortSignal): Promise<void> {
    if (result.status !== "ok" && result.status !== "failed") return;
    const isOk = result.status === "ok";
    const heard = await this.#parts.voice.run({
      hook_event_name: isOk ? "PostToolUse" : "PostToolUseFailure",
      ...callInput(call),
      tool_response: {
        success: isOk,
        status: result.status,
        text: result.text,
        ...(call.subject.kind === "command" && { stdout: result.text, stderr: "" }),
        ...(result.changed !== undefined && { filePath: result.changed[0] }),
      },
    }, { signal });
    const about = `says after your call of ${call.tool.name}`;
    for (const one of heard) {
      const reason = refusalOf(one);
      if (reason !== undefined) this.#texts.push(noteOf(one, about, reason));
    }
    this.tell(heard, about);
  }

  async #beforeStop(signal: AbortSignal): Promise<string | undefined> {
    const { voice, end, messages } = this.#parts;
    const input = end({
      stop_hook_active: this.#continued > 0,
      last_assistant_message: newestReply(messages()),
    });
    const held = (await voice.run(input, { signal })).flatMap((one) => {
      const reason = isStop(one) ? undefined : refusalOf(one);
      return reason === undefined ? [] : [{ one, reason }];
    });
    const [first] = held;
    if (first === undefined) return undefined;
    this.#continued += 1;
    if (this.#continued > CONTINUED_MAX) {
      const text = `${first.one.name} has kept the turn from ending ${CONTINUED_MAX} times; ` +
        "it ends now";
      voice.notice("warn", text);
      return undefined;
    }
    return held.map(({ one, reason }) => noteOf(one, "does not let the turn end", reason))
      .join("\n\n");
  }
}
