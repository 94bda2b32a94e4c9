/**
 * Makes a request of a history so that it fits the model's window: everything that is sent is counted, and tool
 * results are cut from the middle, oldest first, only as far as needed. Cuts stay, so that the prefix stays.
 */
import type { Message } from "@/protocol/message.ts";
import { ProviderError, type Request, type RequestHints, type Usage } from "@/protocol/provider.ts";
import type { ToolDefinition } from "@/protocol/tool.ts";
import {
  learnCorrection,
  promptBudget,
  rawTokens,
  replyTokens,
  RESULT_CEILINGS,
  trimMiddle,
} from "@/lib/tokens.ts";
import { messageTokens, toolTokens } from "@/lib/message_tokens.ts";
import { costsSentence } from "./costs.ts";
import { commonLength } from "./history.ts";
import { isUncut } from "./stays.ts";

/** What a request is made of besides the history. */
export type RequestFrame = {
  model: string;
  system: string;
  tools: readonly ToolDefinition[];
  windowTokens: number;
  outputTokensMax: number;
  hints: RequestHints;
};

/** Once over the budget, cut until this share of it is used: otherwise each request would move the prefix again. */
const TARGET_SHARE = 0.9;
/** Role, separators and the like around one message. */
const FRAME_TOKENS = 4;

/** Of what a server has refused as too long. */
const REFUSED_SHARE = 0.9;

/** A request cannot be made: even as short as it gets the conversation is too long for the window. */
export class DoesNotFit extends ProviderError {
  constructor(message: string) {
    super("overflow", message, {
      hint:
        "Take away what is largest, start a new session (/clear), choose a model with a larger window, or raise NUM_CTX",
    });
  }
}

/** Fits histories into requests; learns each model's tokens from what its server reports. */
export class ContextFit {
  readonly #frame: () => RequestFrame;
  readonly #corrections = new Map<string, number>();
  readonly #ceilings = new Map<string, number>();
  /** The history fitted last, what was made of it, and the tokens of that: only what is new is fitted anew. */
  #fitted: { messages: readonly Message[]; kept: readonly Message[]; tokens: number } = {
    messages: [],
    kept: [],
    tokens: 0,
  };
  /** What a server did not take, by model, in tokens before any correction. */
  readonly #refusedAt = new Map<string, number>();
  #last: { model: string; rawTokens: number } | undefined;

  constructor(frame: () => RequestFrame) {
    this.#frame = frame;
  }

  /** A request that fits. Throws ProviderError "overflow" when even shortened results leave no room. */
  readonly fit = (messages: readonly Message[]): Request => this.#fit(messages, isUncut);

  #fit(messages: readonly Message[], stays: typeof isUncut): Request {
    const frame = this.#frame();
    const { model } = frame;
    const { outputTokensMax, budget } = this.#limits(frame);
    const fixed = fixedTokens(frame);
    const { kept, tokens } = this.#keep(messages);
    let total = fixed + tokens;
    if (total > budget) {
      const target = budget * TARGET_SHARE;
      const isWhole = (message: Message) => stays(message, budget - fixed);
      total = this.#shrink(messages, kept, { total, target, isWhole });
    }
    this.#fitted = { messages, kept, tokens: total - fixed };
    if (total > budget) throw this.#doesNotFit(messages, total);
    this.#last = { model, rawTokens: total };
    const { system, tools, hints } = frame;
    return { model, system, tools, hints, messages: kept, outputTokensMax };
  }

  /** Whether a request can be made of a history, after cuts if need be, in the end also of what stays. They are kept. */
  canFit(messages: readonly Message[]): boolean {
    return [isUncut, () => false].some((stays) => {
      try {
        this.#fit(messages, stays);
        return true;
      } catch (error) {
        if (error instanceof DoesNotFit) return false;
        throw error;
      }
    });
  }

  /** What there is room for, in tokens before any correction: all that is sent, and what the frame takes of it. */
  room(): { budgetTokens: number; fixedTokens: number } {
    const frame = this.#frame();
    return { budgetTokens: this.#limits(frame).budget, fixedTokens: fixedTokens(frame) };
  }

  /** The server did not take what was sent last: what is sent from now on stays below it. */
  refused(): void {
    if (this.#last === undefined) return;
    const { model, rawTokens } = this.#last;
    this.#refusedAt.set(model, rawTokens * REFUSED_SHARE);
    this.#last = undefined;
  }

  /** What takes the most of every request and cannot be summarised, as a sentence. */
  costsText(messages: readonly Message[]): string {
    const frame = this.#frame();
    return costsSentence(frame, this.#keep(messages).kept, this.#correction(frame.model));
  }

  /** The model that is asked now. */
  get model(): string {
    return this.#frame().model;
  }

  /** Learn from what the server counted for the request made last. */
  learn(usage: Usage): void {
    if (this.#last === undefined) return;
    const reportedTokens = usage.input + usage.cacheRead + usage.cacheWrite;
    const { model, rawTokens } = this.#last;
    const next = learnCorrection(this.#corrections.get(model), { reportedTokens, rawTokens });
    if (next !== undefined) this.#corrections.set(model, next);
    this.#last = undefined;
  }

  /** Tokens of a history with everything around it, as far as is known now. */
  estimate(messages: readonly Message[]): number {
    return this.inTokens(fixedTokens(this.#frame()) + this.#keep(messages).tokens);
  }

  /** What an estimate before any correction is in the tokens of the model that is asked now. */
  inTokens(raw: number): number {
    return Math.round(raw * this.#correction(this.#frame().model));
  }

  /** Tokens that each request takes before the conversation starts. */
  overhead(): number {
    const frame = this.#frame();
    return Math.round(fixedTokens(frame) * this.#correction(frame.model));
  }

  /** The messages with the cuts that were made so far, and their tokens. */
  #keep(messages: readonly Message[]): { kept: Message[]; tokens: number } {
    const last = this.#fitted;
    const same = commonLength(last.messages, messages);
    const isLonger = same === last.messages.length;
    const before = isLonger ? last.kept : last.kept.slice(0, same);
    const added = messages.slice(same).map((message) => this.#cut(message));
    const start = isLonger ? last.tokens : tokensOf(before);
    return { kept: [...before, ...added], tokens: start + tokensOf(added) };
  }

  /** Lower the ceilings, oldest result first, until `target` is met; `kept` is changed in place. */
  #shrink(
    messages: readonly Message[],
    kept: Message[],
    { total, target, isWhole }: {
      total: number;
      target: number;
      isWhole(message: Message): boolean;
    },
  ): number {
    let left = total;
    for (const ceiling of RESULT_CEILINGS) {
      for (const [at, message] of messages.entries()) {
        if (left <= target) return left;
        if (message.role !== "tool" || message.result.text.length <= ceiling) continue;
        if (isWhole(message)) continue;
        this.#ceilings.set(message.callId, ceiling);
        const before = kept[at];
        const after = this.#cut(message);
        left += tokensOf([after]) - (before === undefined ? 0 : tokensOf([before]));
        kept[at] = after;
      }
    }
    return left;
  }

  #cut(message: Message): Message {
    if (message.role !== "tool") return message;
    const ceiling = this.#ceilings.get(message.callId);
    if (ceiling === undefined) return message;
    const text = trimMiddle(message.result.text, ceiling);
    return { ...message, result: { ...message.result, text } };
  }

  #limits(frame: RequestFrame): { outputTokensMax: number; budget: number } {
    const { windowTokens, model } = frame;
    const outputTokensMax = replyTokens(windowTokens, frame.outputTokensMax);
    const budget = promptBudget(windowTokens, outputTokensMax) / this.#correction(model);
    return { outputTokensMax, budget: Math.min(budget, this.#refusedAt.get(model) ?? budget) };
  }

  #doesNotFit(messages: readonly Message[], total: number): DoesNotFit {
    const frame = this.#frame();
    const tokens = Math.round(total * this.#correction(frame.model));
    return new DoesNotFit(
      `The conversation (about ${tokens} tokens) does not fit the window of ${frame.model} (${frame.windowTokens} tokens), even shortened. ${
        this.costsText(messages)
      }`,
    );
  }

  #correction(model: string): number {
    return this.#corrections.get(model) ?? 1;
  }
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + FRAME_TOKENS + messageTokens(message), 0);
}

function fixedTokens({ system, tools }: RequestFrame): number {
  return rawTokens(system) + toolTokens(tools);
}
