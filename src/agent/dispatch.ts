/** From a call to its one result: read, resolve, guard, ask, run. Never throws. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { CallOutcome } from "@/protocol/outcome.ts";
import type {
  Approval,
  Approver,
  Asker,
  Decision,
  Guard,
  GuardedCall,
  PathResolver,
  Reach,
} from "@/protocol/policy.ts";
import type { Brief, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { describe } from "@/lib/describe.ts";
import { isObject } from "@/lib/json.ts";
import type { Slots } from "@/lib/slots.ts";
import { orGivenUp } from "@/lib/within.ts";
import { bind } from "./bind.ts";
import { decisionOf, firstAnswer } from "./decide.ts";
import { CallRun } from "./call_run.ts";
import { findTool } from "./find_tool.ts";
import { editableOf, editedDecision, editedResult } from "./edited_call.ts";
import { ShownChange } from "./shown_change.ts";
import { type CallFacts, guardedCall, movedSince, type Prepared } from "./guarded_call.ts";

/** What dispatch is given; everything that touches the world comes in here. */
export type DispatchParts = {
  /** Those of now: what a call names is looked for when it comes. */
  tools(): readonly ToolSpec[];
  guards: readonly Guard[];
  hooks: readonly Hook[];
  approver: Approver;
  asker: Asker;
  /** Where questions wait for each other: one place, also for those of sub-agents. */
  questions: Slots;
  emit: Sink;
  workspace: string;
  resolvePath: PathResolver;
  /** What an "always" about this call could cover. */
  reachesOf(call: GuardedCall): readonly Reach[];
  /** Remember an "always". */
  remember(approval: Extract<Approval, { answer: "always" }>): Promise<void>;
  hire(brief: Brief, signal: AbortSignal): Promise<ToolResult>;
  value(key: string): unknown;
  now(): number;
};

/** Why a call was not run. */
export const INTERRUPTED_BEFORE = "the turn was interrupted before this call";

type Decided = { decision: Decision; asked: boolean };

/** A call as it would run, and what is known of it. */
type Ready = { facts: CallFacts; run: CallRun; prepared: Prepared };

/** What was answered; a person who changed the call has made it another one. */
type Answered = { decision: Decision; edited?: Ready & { text: string } };

/** Makes a call with other arguments ready in the place of the one that was asked about. */
type Remake = (input: unknown) => Promise<Ready>;

/** Runs calls one after the other. Each call gets exactly one decision and one result on every path. */
export class Dispatcher {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
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
      return this.#unusable(call, unknownTool(call.name, this.#parts.tools()));
    }
    let decided: Decided | undefined;
    let { input }: { input: unknown } = call;
    try {
      const bound = bind(tool, call.input);
      if (!bound.ok) return this.#unusable(call, bound.problem, tool);
      input = bound.input;
      const ready = await this.#ready(tool, bound.input, { call, turn, signal });
      const remake = async (changed: unknown) => {
        const rebound = bind(tool, changed);
        if (!rebound.ok) throw new Error(rebound.problem);
        return await this.#ready(tool, rebound.input, { call, turn, signal });
      };
      const { edited, ...first } = await this.#decide(ready, remake, signal);
      decided = first;
      const { facts, run, prepared } = edited ?? ready;
      input = facts.input;
      const told = (result: ToolResult) =>
        edited === undefined ? result : editedResult(result, edited.text);
      if (signal.aborted) return { decided, result: notRun(INTERRUPTED_BEFORE), tool, input };
      if (prepared.kind === "refused" || decided.decision.verdict !== "allow") {
        return { decided, result: told(refused(decided.decision.reason)), tool, input };
      }
      const done = await this.#carryOut(prepared.call, run, signal);
      return { decided, ...done, result: told(done.result), tool, input };
    } catch (error) {
      const text = signal.aborted ? INTERRUPTED_BEFORE : describe(error);
      decided ??= this.#decided(call.id, guardDeny(text), false);
      const result: ToolResult = signal.aborted ? notRun(text) : { status: "failed", text };
      return { decided, result, tool, input };
    }
  }

  async #carryOut(
    call: GuardedCall,
    run: CallRun,
    signal: AbortSignal,
  ): Promise<Pick<Attempt, "result" | "shown" | "ms">> {
    const started = this.#parts.now();
    const result = await run.run();
    const ms = Math.round(this.#parts.now() - started);
    await this.#afterTool(call, result, signal);
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

  async #ready(
    tool: ToolSpec,
    input: Record<string, unknown>,
    { call, turn, signal }: { call: ToolCallBlock; turn: number; signal: AbortSignal },
  ): Promise<Ready> {
    const run = new CallRun({ call, turn, tool, input, signal, parts: this.#parts });
    const facts = { id: call.id, tool, input };
    return { facts, run, prepared: await this.#prepare(facts, run) };
  }

  /** The call in canonical form; what runs and what is shown before is told the paths that are decided about. */
  async #prepare(facts: CallFacts, run: CallRun): Promise<Prepared> {
    const prepared = await guardedCall(facts, this.#parts.resolvePath);
    if (prepared.kind === "refused") return prepared;
    for (const [spelled, { real, note }] of prepared.paths) {
      run.resolve(spelled, real);
      if (note !== undefined) run.host.say(note);
    }
    const { tool, input } = facts;
    const editable = editableOf(prepared.call);
    const call = editable === undefined ? prepared.call : { ...prepared.call, editable };
    if (tool.preview === undefined) return { ...prepared, call };
    const preview = async () => await tool.preview?.(input, run.host);
    return { ...prepared, call: { ...call, preview } };
  }

  async #decide(
    { facts: { id }, prepared }: Ready,
    remake: Remake,
    signal: AbortSignal,
  ): Promise<Decided & Answered> {
    if (prepared.kind === "refused") return this.#decided(id, guardDeny(prepared.reason), false);
    const first = await firstAnswer(this.#parts.guards, prepared.call);
    if (first.verdict !== "ask") return this.#decided(id, first, false);
    return await this.#parts.questions.use(async (hasWaited) => {
      // The answer to another question may have answered this one.
      const now = hasWaited ? await firstAnswer(this.#parts.guards, prepared.call) : first;
      if (now.verdict !== "ask") return this.#decided(id, now, false);
      const answered = await this.#ask(prepared, { question: now, remake }, signal);
      return { ...answered, ...this.#decided(id, answered.decision, true) };
    }, signal);
  }

  /** Put the question. An approver that breaks, or is interrupted, has not said yes. */
  async #ask(
    prepared: Extract<Prepared, { kind: "call" }>,
    { question, remake }: { question: Decision; remake: Remake },
    signal: AbortSignal,
  ): Promise<Answered> {
    const { approver, reachesOf, resolvePath } = this.#parts;
    const shown = new ShownChange(prepared.call);
    try {
      const reaches = reachesOf(prepared.call);
      const approval = await approver(shown.call, question.reason, reaches, signal);
      if (approval.answer === "yes" && approval.instead !== undefined) {
        return await this.#edited(prepared.call, approval.instead, remake);
      }
      // An answer takes time; what was asked about may have become another place, or another change, meanwhile.
      const otherwise = await movedSince(prepared, resolvePath) ??
        (approval.answer === "yes" ? await shown.otherwise() : undefined);
      if (otherwise !== undefined) return { decision: guardDeny(otherwise) };
      return { decision: await this.#answered(approval, question) };
    } catch (error) {
      if (signal.aborted) return { decision: guardDeny(INTERRUPTED_BEFORE) };
      return { decision: guardDeny(`the question could not be put: ${describe(error)}`) };
    }
  }

  /** The person wrote what is to run: they need not be asked about it, but every refusal stands. */
  async #edited(call: GuardedCall, text: string, remake: Remake): Promise<Answered> {
    const { editable, input } = call;
    if (editable === undefined || !isObject(input)) throw new Error("this call cannot be changed");
    const ready = await remake({ ...input, [editable]: text });
    const edited = { ...ready, text };
    if (ready.prepared.kind === "refused") {
      return { decision: guardDeny(ready.prepared.reason), edited };
    }
    const first = await firstAnswer(this.#parts.guards, ready.prepared.call);
    return { decision: editedDecision(first), edited };
  }

  async #answered(approval: Approval, question: Decision): Promise<Decision> {
    if (approval.answer === "always") await this.#remember(approval);
    return decisionOf(approval, question);
  }

  async #remember(approval: Extract<Approval, { answer: "always" }>): Promise<void> {
    try {
      await this.#parts.remember(approval);
    } catch (error) {
      const text = `"Always" could not be saved (${
        describe(error)
      }); this call goes on, the next will ask again`;
      this.#parts.emit({ type: "notice", level: "warn", text });
    }
  }

  #decided(callId: string, decision: Decision, asked: boolean): Decided {
    this.#parts.emit({ type: "decision", callId, decision, asked });
    return { decision, asked };
  }

  async #afterTool(call: GuardedCall, result: ToolResult, signal: AbortSignal): Promise<void> {
    for (const hook of this.#parts.hooks) {
      try {
        if (hook.afterTool === undefined) continue;
        await orGivenUp(hook.afterTool(call, result, signal), signal, () => undefined);
      } catch (error) {
        const text = `${hook.name} failed after ${call.tool.name}: ${describe(error)}`;
        this.#parts.emit({ type: "notice", level: "warn", text });
      }
    }
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

function guardDeny(reason: string): Decision {
  return { verdict: "deny", by: "guard", reason };
}

function refused(reason: string): ToolResult {
  return { status: "denied", text: `Nothing was done: ${reason}` };
}

function notRun(reason: string): ToolResult {
  return { status: "not_run", text: reason };
}

function unknownTool(name: string, tools: readonly ToolSpec[]): string {
  const names = tools.map((tool) => tool.name).join(", ");
  return `Not run: no tool is named "${name}"; the tools are ${names}`;
}
