/** From a call to its one result: read, resolve, guard, ask, run. Never throws. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { CallOutcome } from "@/protocol/outcome.ts";
import type { Asker, Decision, GuardedCall } from "@/protocol/policy.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { describe } from "@/lib/describe.ts";
import { unknownTool } from "@/lib/unknown_tool.ts";
import type { Slots } from "@/lib/slots.ts";
import type { CallRun } from "./call_run.ts";
import { asWanted, changedQuestion, changedResult, changeNotice } from "./changed_call.ts";
import type { Changes, WantedCall } from "./changed_call.ts";
import { firstAnswer, guardDeny } from "./decide.ts";
import { editedResult } from "./edited_call.ts";
import { findTool } from "./find_tool.ts";
import { HookPoints } from "./hook_points.ts";
import { INTERRUPTED_BEFORE } from "./notes.ts";
import { type Answered, type Asked, putQuestion, type QuestionParts } from "./question.ts";
import { type MakeReady, readyCall } from "./ready_call.ts";
import { SETTLED, type SettledParts, settledResult } from "./settled_call.ts";

/** What dispatch is given; everything that touches the world comes in here. */
export type DispatchParts = QuestionParts & Changes & SettledParts & {
  /** Those of now: what a call names is looked for when it comes. */
  tools(): readonly ToolSpec[];
  hooks: readonly Hook[];
  asker: Asker;
  /** Where questions wait for each other: one place, also for those of sub-agents. */
  questions: Slots;
  workspace: string;
  hire(brief: Brief, signal: AbortSignal): Promise<ToolResult>;
  value(key: string): unknown;
  now(): number;
};

type Decided = { decision: Decision; asked: boolean };

/** Runs calls one after the other. Each call gets exactly one decision and one result on every path. */
export class Dispatcher {
  readonly #parts: DispatchParts;
  readonly #hooks: HookPoints;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#hooks = new HookPoints(parts);
  }

  /** The calls of a reply in their order, those together that may run at once. */
  batches(calls: readonly ToolCallBlock[]): ToolCallBlock[][] {
    const batches: ToolCallBlock[][] = [];
    let last: ToolSpec | undefined;
    for (const call of calls) {
      const tool = this.#find(call.name);
      if (tool?.sideBySide === true && tool === last) batches.at(-1)?.push(call);
      else batches.push([call]);
      last = tool;
    }
    return batches;
  }

  /** Run one call of a turn. Never throws: whatever happens, the call gets one result. */
  async run(call: ToolCallBlock, turn: number, signal: AbortSignal): Promise<CallOutcome> {
    const { emit } = this.#parts;
    const attempt = await this.#attempt(call, turn, signal);
    const { decided, result, tool, input, shown, ms = 0 } = attempt;
    const summary = tool === undefined ? call.name : summarise(tool, input, result);
    emit({ type: "message", message: { role: "tool", callId: call.id, name: call.name, result } });
    const more = shown === undefined || shown === "" ? {} : { shown };
    emit({ type: "tool_end", callId: call.id, summary, ms, ...more });
    return { call, result, ...decided, ms };
  }

  /** The result of a call that is not even tried because the turn was over before it. */
  skip(call: ToolCallBlock, reason: string): CallOutcome {
    const result = notRun(reason);
    const decided = this.#decided(call.id, guardDeny(reason), false);
    const { emit } = this.#parts;
    emit({ type: "message", message: { role: "tool", callId: call.id, name: call.name, result } });
    emit({ type: "tool_end", callId: call.id, summary: `${call.name}: not run`, ms: 0 });
    return { call, result, ...decided, ms: 0 };
  }

  async #attempt(call: ToolCallBlock, turn: number, signal: AbortSignal): Promise<Attempt> {
    if (call.damage !== undefined) return this.#unusable(call, `Not run: ${call.damage}`);
    const tool = this.#find(call.name);
    if (tool === undefined) {
      const names = this.#parts.tools().filter(({ isUnlisted }) => isUnlisted !== true).map((
        { name },
      ) => name);
      return this.#unusable(call, `Not run: ${unknownTool(call.name, names)}`);
    }
    let decided: Decided | undefined;
    let { input }: { input: unknown } = call;
    try {
      const made: MakeReady = (wanted, more) =>
        readyCall(wanted, { call, tool, turn, signal, parts: this.#parts, ...more });
      const ready = await asWanted(call.input, made, this.#parts);
      if ("problem" in ready) return this.#unusable(call, ready.problem, tool);
      const { change } = ready;
      if (change !== undefined) this.#parts.emit(changeNotice(tool, change));
      ({ input } = ready);
      const { edited, settled, ...first } = await this.#decide(
        call.id,
        { ready, remake: made },
        signal,
      );
      decided = first;
      const { run, prepared } = edited ?? ready;
      ({ input } = edited ?? ready);
      const isEdited = edited !== undefined;
      const told = (result: ToolResult) =>
        changedResult(isEdited ? editedResult(result, edited.text) : result, change, { isEdited });
      if (signal.aborted) return { decided, result: notRun(INTERRUPTED_BEFORE), tool, input };
      if (prepared.kind === "refused" || decided.decision.verdict !== "allow") {
        return { decided, result: told(refused(decided.decision.reason)), tool, input };
      }
      if (settled !== undefined) return { decided, result: told(settled), tool, input };
      const done = await this.#carryOut(prepared.call, run, signal);
      return { decided, ...done, result: told(done.result), tool, input };
    } catch (error) {
      const text = signal.aborted ? INTERRUPTED_BEFORE : describe(error);
      decided ??= this.#decided(call.id, guardDeny(text), false);
      const result: ToolResult = signal.aborted ? notRun(text) : { status: "failed", text };
      return { decided, result, tool, input };
    }
  }

  async #decide(
    id: string,
    { ready, remake }: { ready: WantedCall; remake: Asked["remake"] },
    signal: AbortSignal,
  ): Promise<Decided & Answered & { settled?: ToolResult }> {
    const { prepared, change } = ready;
    if (prepared.kind === "refused") return this.#decided(id, guardDeny(prepared.reason), false);
    const { guards, questions } = this.#parts;
    const first = await firstAnswer(guards, prepared.call);
    if (first.verdict !== "ask") return this.#decided(id, first, false);
    return await questions.use(async (hasWaited) => {
      // The answer to another question may have answered this one.
      const question = hasWaited ? await firstAnswer(guards, prepared.call) : first;
      if (question.verdict !== "ask") return this.#decided(id, question, false);
      const settled = await settledResult(ready, this.#parts);
      if (settled !== undefined) return { settled, ...this.#decided(id, SETTLED, false) };
      const asked = { prepared, question: changedQuestion(question, change), remake };
      const answered = await putQuestion(asked, this.#parts, signal);
      return { ...answered, ...this.#decided(id, answered.decision, true) };
    }, signal);
  }

  async #carryOut(
    call: GuardedCall,
    run: CallRun,
    signal: AbortSignal,
  ): Promise<Pick<Attempt, "result" | "shown" | "ms">> {
    const started = this.#parts.now();
    const result = await run.run();
    const ms = Math.round(this.#parts.now() - started);
    await this.#hooks.afterTool(call, result, signal);
    return { result, shown: run.printed, ms };
  }

  #unusable(call: ToolCallBlock, problem: string, tool?: ToolSpec): Attempt {
    const decided = this.#decided(call.id, guardDeny(problem), false);
    const result: ToolResult = { status: "failed", text: problem };
    return { decided, result, ...(tool === undefined ? {} : { tool }), input: call.input };
  }

  #find(name: string): ToolSpec | undefined {
    return findTool(name, this.#parts.tools());
  }

  #decided(callId: string, decision: Decision, asked: boolean): Decided {
    this.#parts.emit({ type: "decision", callId, decision, asked });
    return { decision, asked };
  }
}

type Attempt = {
  decided: Decided;
  result: ToolResult;
  tool?: ToolSpec;
  input: unknown;
  shown?: string;
  /** How long the tool ran; the person's time to answer does not count. */
  ms?: number;
};

/** The sentence of the closed card. One that a tool cannot make must not cost the call its result. */
function summarise(tool: ToolSpec, input: unknown, result: ToolResult): string {
  try {
    const parsed = tool.input.safeParse(input);
    return parsed.success ? tool.summary(parsed.data, result) : tool.name;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return tool.name;
  }
}

function refused(reason: string): ToolResult {
  return { status: "denied", text: `Nothing was done: ${reason}` };
}

function notRun(reason: string): ToolResult {
  return { status: "not_run", text: reason };
}
