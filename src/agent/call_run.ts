/** One call while it runs: what the tool is lent, what it printed so far, and an interrupt that cannot be ignored. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { Question } from "@/protocol/policy.ts";
import type { Brief, ToolHost, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { endOf } from "@/lib/clip.ts";
import { describe } from "@/lib/describe.ts";
import { orGivenUp } from "@/lib/within.ts";
import type { DispatchParts } from "./dispatch.ts";

const PARTIAL_CHARS_MAX = 8_000;

export type CallRunOptions = {
  call: ToolCallBlock;
  turn: number;
  tool: ToolSpec;
  input: Record<string, unknown>;
  signal: AbortSignal;
  parts: Pick<DispatchParts, "emit" | "asker" | "workspace" | "hire" | "value">;
};

/** Built for each call; `resolve` tells it the paths that were decided about, `run` runs the tool once. */
export class CallRun {
  readonly host: ToolHost;
  readonly #options: CallRunOptions;
  readonly #resolved = new Map<string, string>();
  #printed = "";
  /** What a tool that was given up still prints is nobody's result and no part of the next call. */
  #isOver = false;

  constructor(options: CallRunOptions) {
    this.#options = options;
    this.host = this.#host();
  }

  /** The tail of what the tool printed so far. */
  get printed(): string {
    return this.#printed;
  }

  /** Note the real path that stands behind a path as the model spelled it. */
  resolve(spelled: string, real: string): void {
    this.#resolved.set(spelled, real);
  }

  /** Run the tool. Throws what the tool throws; after an interrupt the result says so and keeps what was printed. */
  async run(): Promise<ToolResult> {
    const { tool, input, call, signal, parts } = this.#options;
    parts.emit({
      type: "tool_start",
      callId: call.id,
      name: tool.name,
      summary: tool.summary(input),
    });
    try {
      return await orGivenUp(this.#running(), signal, () => this.#abandoned());
    } finally {
      this.#isOver = true;
    }
  }

  async #running(): Promise<ToolResult> {
    const { tool, input, signal } = this.#options;
    try {
      return await tool.run(input, this.host);
    } catch (error) {
      if (signal.aborted) return this.#interrupted("it was stopped");
      return { status: "failed", text: describe(error) };
    }
  }

  #abandoned(): ToolResult {
    return this.#interrupted(
      "it had not stopped when the turn ended; what it was doing may still take effect",
    );
  }

  #interrupted(how: string): ToolResult {
    const partial = this.#printed === "" ? "" : `\nIt had printed:\n${this.#printed}`;
    return { status: "interrupted", text: `Interrupted: ${how}${partial}` };
  }

  #host(): ToolHost {
    const { call, turn, tool, signal, parts } = this.#options;
    return {
      call: { id: call.id, name: tool.name, turn, raw: call.raw ?? [] },
      workspace: parts.workspace,
      signal,
      resolved: (path: string): string => {
        const real = this.#resolved.get(path);
        if (real === undefined) throw new Error(`${tool.name} did not declare the path "${path}"`);
        return real;
      },
      output: (chunk: string): void => {
        if (this.#isOver) return;
        this.#printed = endOf(this.#printed + chunk, PARTIAL_CHARS_MAX);
        parts.emit({ type: "tool_output", callId: call.id, chunk });
      },
      say: (line: string): void => {
        if (!this.#isOver) parts.emit({ type: "tool_say", callId: call.id, line });
      },
      ask: (questions: readonly Question[]) => parts.asker(questions, signal),
      hire: (brief: Brief) => parts.hire(brief, signal),
      value: (key: string) => parts.value(key),
    };
  }
}
