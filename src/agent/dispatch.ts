/** From a call to its one result: read, resolve, guard, ask, run. Never throws. */
import type { ToolCallBlock } from "@/protocol/message.ts";
import type { Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type {
  Approval,
  Approver,
  Asker,
  Decision,
  Guard,
  GuardedCall,
  Reach,
} from "@/protocol/policy.ts";
import type { Brief, Subject, ToolResult, ToolSpec } from "@/protocol/tool.ts";
import { bind } from "./bind.ts";
import { CallRun } from "./call_run.ts";

/** A path as decided about. `refusal` says why it must not be touched whatever anybody answers. */
export type ResolvedPath = { spelled: string; real: string; outside: boolean; refusal?: string };

/** What dispatch is given; everything that touches the world comes in here. */
export type DispatchParts = {
  tools: readonly ToolSpec[];
  guards: readonly Guard[];
  hooks: readonly Hook[];
  approver: Approver;
  asker: Asker;
  emit: Sink;
  workspace: string;
  resolvePath(
    path: string,
    effect: "reads" | "changes",
    leaf: "follow" | "keep",
  ): Promise<ResolvedPath>;
  /** What an "always" about this call could cover. */
  reachesOf(call: GuardedCall): readonly Reach[];
  /** Remember an "always". */
  remember(approval: Extract<Approval, { answer: "always" }>): Promise<void>;
  hire(brief: Brief, signal: AbortSignal): Promise<string>;
  value(key: string): unknown;
  now(): number;
};

/** What became of one call, for the turn's books. */
export type Dispatched = { result: ToolResult; decision: Decision; asked: boolean; ms: number };

const INTERRUPTED_BEFORE = "the turn was interrupted before this call";

type Decided = { decision: Decision; asked: boolean };

/** Runs calls one after the other. Each call gets exactly one decision and one result on every path. */
export class Dispatcher {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Run one call of a turn. Never throws: whatever happens, the call gets one result. */
  async run(call: ToolCallBlock, turn: number, signal: AbortSignal): Promise<Dispatched> {
    const { emit } = this.#parts;
    const attempt = await this.#attempt(call, turn, signal);
    const { decided, result, tool, input, shown, ms = 0 } = attempt;
    const summary = tool === undefined ? call.name : summarise(tool, input, result);
    emit({ type: "message", message: { role: "tool", callId: call.id, name: call.name, result } });
    const more = shown === undefined || shown === "" ? {} : { shown };
    emit({ type: "tool_end", callId: call.id, summary, ms, ...more });
    return { result, ...decided, ms };
  }

  /** The result of a call that is not even tried because the turn was interrupted before it. */
  skip(call: ToolCallBlock): Dispatched {
    const result = notRun(INTERRUPTED_BEFORE);
    const decided = this.#decided(call.id, guardDeny(INTERRUPTED_BEFORE), false);
    const { emit } = this.#parts;
    emit({ type: "message", message: { role: "tool", callId: call.id, name: call.name, result } });
    emit({ type: "tool_end", callId: call.id, summary: `${call.name}: not run`, ms: 0 });
    return { result, ...decided, ms: 0 };
  }

  async #attempt(call: ToolCallBlock, turn: number, signal: AbortSignal): Promise<Attempt> {
    if (call.damage !== undefined) return this.#unusable(call, `Not run: ${call.damage}`);
    const tool = this.#find(call.name);
    if (tool === undefined) return this.#unusable(call, unknownTool(call.name, this.#parts.tools));
    const bound = bind(tool, call.input);
    if (!bound.ok) return this.#unusable(call, bound.problem, tool);
    const { input } = bound;
    let decided: Decided | undefined;
    try {
      const run = new CallRun({ call, turn, tool, input, signal, parts: this.#parts });
      const guarded = await this.#guarded(call.id, tool, input, run);
      if (typeof guarded === "string") {
        decided = this.#decided(call.id, guardDeny(guarded), false);
        return { decided, result: refused(guarded), tool, input };
      }
      decided = await this.#decide(guarded, signal);
      if (decided.decision.verdict !== "allow") {
        return { decided, result: refused(decided.decision.reason), tool, input };
      }
      if (signal.aborted) {
        return { decided, result: notRun(INTERRUPTED_BEFORE), tool, input };
      }
      const started = this.#parts.now();
      const result = await run.run();
      const ms = Math.round(this.#parts.now() - started);
      await this.#afterTool(guarded, result);
      return { decided, result, tool, input, shown: run.printed, ms };
    } catch (error) {
      const text = signal.aborted ? INTERRUPTED_BEFORE : describe(error);
      decided ??= this.#decided(call.id, guardDeny(text), false);
      const result: ToolResult = signal.aborted ? notRun(text) : { status: "failed", text };
      return { decided, result, tool, input };
    }
  }

  #unusable(call: ToolCallBlock, problem: string, tool?: ToolSpec): Attempt {
    const decided = this.#decided(call.id, guardDeny(problem), false);
    const result: ToolResult = { status: "failed", text: problem };
    return { decided, result, ...(tool === undefined ? {} : { tool }), input: call.input };
  }

  #find(name: string): ToolSpec | undefined {
    return this.#parts.tools.find((tool) => tool.name === name || tool.otherNames?.includes(name));
  }

  /** The call with its subject in canonical form; a sentence when a path must not be touched at all. */
  async #guarded(
    id: string,
    tool: ToolSpec,
    input: Record<string, unknown>,
    run: CallRun,
  ): Promise<GuardedCall | string> {
    const effect = tool.effect(input);
    const spelled = tool.subject(input);
    let subject: Subject = spelled;
    let outside = false;
    if (spelled.kind === "path") {
      const paths: string[] = [];
      for (const path of spelled.paths) {
        const pathEffect = spelled.reads?.includes(path) === true ? "reads" : effect;
        const place = await this.#parts.resolvePath(path, pathEffect, spelled.leaf ?? "follow");
        if (place.refusal !== undefined) return place.refusal;
        outside ||= place.outside;
        paths.push(place.real);
        run.resolve(path, place.real);
      }
      subject = { ...spelled, paths };
    }
    const preview = tool.preview;
    return {
      id,
      tool,
      input,
      effect,
      subject,
      outside,
      ...(preview === undefined ? {} : { preview: () => preview.call(tool, input, run.host) }),
    };
  }

  async #decide(call: GuardedCall, signal: AbortSignal): Promise<Decided> {
    const first = await this.#firstAnswer(call);
    if (first.verdict !== "ask") return this.#decided(call.id, first, false);
    const reaches = this.#parts.reachesOf(call);
    const approval = await this.#parts.approver(call, first.reason, reaches, signal);
    return this.#decided(call.id, await this.#answered(approval, first), true);
  }

  async #firstAnswer(call: GuardedCall): Promise<Decision> {
    for (const guard of this.#parts.guards) {
      const decision = await guard(call);
      if (decision !== undefined) return decision;
    }
    return { verdict: "ask", by: "guard", reason: "nothing allows this call" };
  }

  async #answered(approval: Approval, question: Decision): Promise<Decision> {
    switch (approval.answer) {
      case "yes":
        return { verdict: "allow", by: "person", reason: "the person said yes" };
      case "always":
        await this.#remember(approval);
        return { verdict: "allow", by: "person", reason: `always: ${approval.reach.preview}` };
      case "no": {
        const why = approval.reason === undefined ? "" : `: ${approval.reason}`;
        return { verdict: "deny", by: "person", reason: `the person said no${why}` };
      }
      case "nobody": {
        const reason = `nobody is here to approve it (${question.reason})`;
        return { verdict: "deny", by: "nobody", reason };
      }
    }
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

  async #afterTool(call: GuardedCall, result: ToolResult): Promise<void> {
    for (const hook of this.#parts.hooks) {
      try {
        await hook.afterTool?.(call, result);
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

/** An error as a sentence for the model or the person. */
export function describe(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function summarise(tool: ToolSpec, input: unknown, result: ToolResult): string {
  const parsed = tool.input.safeParse(input);
  return parsed.success ? tool.summary(parsed.data, result) : tool.name;
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
