/** Shortens a conversation that does not fit any more: older messages become a summary, told once and kept in the log. */
import type { Sink } from "@/protocol/event.ts";
import type { Hook } from "@/protocol/hook.ts";
import type { Message } from "@/protocol/message.ts";
import { type Provider, ProviderError } from "@/protocol/provider.ts";
import { counted } from "@/lib/counted.ts";
import { describe } from "@/lib/describe.ts";
import { type CompactionPlan, planCompaction } from "../compaction.ts";
import { type ContextFit, DoesNotFit } from "../context.ts";
import { isRequest } from "../kept_words.ts";
import { staysAs } from "../stays.ts";
import { askedSummary, plainSummary } from "../summary.ts";

/** What it works with; everything is asked when it is needed. */
export type CompactorParts = {
  context: ContextFit;
  messages(): readonly Message[];
  emit: Sink;
  provider(): Provider;
  /** Asked before the request for a summary: whether it may be spent. */
  mayAsk(signal: AbortSignal): Promise<boolean>;
  /** Told before it is shortened; a text says why the person's wish is not to be followed. */
  before?(
    how: { trigger: "auto" | "manual"; wish: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** How long a summary is to be, in tokens. */
  summaryTokens(): number;
  /** Cap on one reply, in tokens. */
  outputTokensMax(): number;
};

/** Compactions in a row that made the conversation hardly shorter. */
const INEFFECTIVE_MAX = 2;
/** So many answers later a compaction is none of the same row: what it cost was worth it. */
const ANSWERS_WORTH = 4;
/** What is left of the tokens before is less than this, or it was in vain. */
const EFFECTIVE_SHARE = 0.9;
/** What a summary costs beside its words. */
const SUMMARY_FRAME_TOKENS = 30;
/** Of the budget, for what the summary is made of; a character of it is at most half a token. */
const ASK_SHARE = 0.7;
const CHARS_PER_TOKEN = 2;

/** One conversation's. */
export class Compactor {
  readonly #parts: CompactorParts;
  #ineffective = 0;
  /** Answers since the last one. */
  #answers = 0;
  #refusals = 0;
  readonly hook: Hook;

  constructor(parts: CompactorParts) {
    this.#parts = parts;
    this.hook = { name: "compaction", mend: (error, signal) => this.#mend(error, signal) };
  }

  /** Takes the events of the conversation: a request that was answered ends a row of refusals. */
  readonly sink: Sink = (event): void => {
    if (event.type !== "usage" || event.purpose !== "turn") return;
    this.#refusals = 0;
    this.#answers += 1;
    if (this.#answers >= ANSWERS_WORTH) this.#ineffective = 0;
  };

  /** What a compaction would do now, for the person; undefined where there is nothing to shorten. */
  preview(): string | undefined {
    const { plan } = this.#plan();
    if (plan === undefined) return undefined;
    const messages = this.#parts.messages();
    const before = this.#parts.context.estimate(messages);
    const after = this.#afterTokens(plan);
    return [
      `${
        counted(plan.told.length, "message")
      } of ${messages.length} would become a summary of about ${this.#parts.summaryTokens()} tokens; the next request goes from about ${
        shown(before)
      } to ${shown(after)} tokens`,
      `Word for word stay: ${staying(messages, plan)}`,
      after < before
        ? "The next request reads nothing of them from a cache"
        : "That makes the conversation no shorter",
    ].join("\n");
  }

  /** Shorten now, as the person wishes. Resolves to what was done; throws the signal's reason. */
  async compact(wish: string, signal: AbortSignal): Promise<string> {
    const { plan } = this.#plan();
    if (plan === undefined) return "There is nothing to shorten yet";
    if (!await this.#parts.mayAsk(signal)) {
      return "The conversation stays as it is: what a summary costs may not be spent (/budget)";
    }
    const why = await this.#parts.before?.({ trigger: "manual", wish }, signal);
    if (why !== undefined) return `The conversation stays as it is: ${why}`;
    return await this.#carryOut(plan, { wish, signal });
  }

  /** A request that was too long, for us or for the server: whether the conversation is shorter now. */
  async #mend(error: ProviderError, signal: AbortSignal): Promise<boolean> {
    if (error.kind !== "overflow") return false;
    const { context, emit, messages } = this.#parts;
    const isServers = !(error instanceof DoesNotFit);
    if (isServers) context.refused();
    const { plan, hasRoom } = this.#plan();
    const isOver = isServers ? this.#refusals >= 1 : this.#ineffective >= INEFFECTIVE_MAX;
    if (isServers) this.#refusals += 1;
    if (plan === undefined || !hasRoom || isOver) {
      // Where there is nothing to summarise, results can still be cut, or what would stay.
      if (!isOver && context.canFit(messages())) return true;
      if (isServers) emit({ type: "notice", level: "warn", text: context.costsText(messages()) });
      return false;
    }
    if (!await this.#parts.mayAsk(signal)) return false;
    await this.#parts.before?.({ trigger: "auto", wish: "" }, signal);
    const text = await this.#carryOut(plan, { wish: "", signal });
    emit({ type: "notice", level: "info", text, about: "compaction" });
    return true;
  }

  #plan(): { plan: CompactionPlan | undefined; hasRoom: boolean } {
    const { context, messages, summaryTokens } = this.#parts;
    const { budgetTokens, fixedTokens } = context.room();
    const roomTokens = budgetTokens - fixedTokens - summaryTokens() - SUMMARY_FRAME_TOKENS;
    const historyTokens = budgetTokens - fixedTokens;
    const plan = planCompaction(messages(), Math.max(0, roomTokens), { historyTokens });
    return { plan, hasRoom: plan !== undefined && plan.staysTokens <= roomTokens };
  }

  async #carryOut(
    plan: CompactionPlan,
    { wish, signal }: { wish: string; signal: AbortSignal },
  ): Promise<string> {
    const { context, emit, messages } = this.#parts;
    const all = messages();
    const before = context.estimate(all);
    const summary = await this.#summary(plan, { wish, signal });
    signal.throwIfAborted();
    const { keepFrom, keep } = plan;
    emit({ type: "compaction", summary, keepFrom, ...(keep.length === 0 ? {} : { keep }) });
    const after = context.estimate(messages());
    this.#ineffective = after < before * EFFECTIVE_SHARE ? 0 : this.#ineffective + 1;
    this.#answers = 0;
    return `The conversation was shortened from about ${shown(before)} to ${shown(after)} tokens: ${
      counted(plan.told.length, "message")
    } became a summary. Word for word stay: ${
      staying(all, plan)
    }. The next request reads nothing of them from a cache`;
  }

  /** Asked of the model; without one where it does not answer. */
  async #summary(
    { told }: CompactionPlan,
    { wish, signal }: { wish: string; signal: AbortSignal },
  ): Promise<string> {
    const { context, emit, provider, summaryTokens, outputTokensMax } = this.#parts;
    const kept = wish === "" ? "" : `\nThe user asked to keep: ${wish}`;
    try {
      const text = await askedSummary(told, {
        provider: provider(),
        model: context.model,
        summaryTokens: summaryTokens(),
        outputTokensMax: outputTokensMax(),
        charsMax: Math.floor(context.room().budgetTokens * ASK_SHARE * CHARS_PER_TOKEN),
        wish,
      }, { emit, signal });
      if (text !== "") return text + kept;
      emit({
        type: "notice",
        level: "warn",
        text: "The model wrote no summary; older messages were left out without one",
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof ProviderError)) throw error;
      const text = `No summary could be made (${
        describe(error)
      }); older messages were left out without one`;
      emit({ type: "notice", level: "warn", text });
    }
    return plainSummary(told) + kept;
  }

  #afterTokens(plan: CompactionPlan): number {
    const { context, summaryTokens } = this.#parts;
    return context.inTokens(context.room().fixedTokens + plan.staysTokens + summaryTokens());
  }
}

function staying(messages: readonly Message[], { keepFrom, keep }: CompactionPlan): string {
  const kept = keep.flatMap(({ index }) => messages[index] ?? []);
  const words = kept.filter(isRequest).length + messages.slice(keepFrom).filter(isRequest).length;
  const names = new Set(kept.flatMap((message) => staysAs(message) ?? []));
  return [
    counted(words, "request"),
    ...[...names].map((name) => `the ${name}`),
    `the last ${counted(messages.length - keepFrom, "message")}`,
  ].join(", ");
}

function shown(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
