/** The `context` vectors against src/lib/tokens.ts and src/agent. */
import {
  estimateTokens,
  learnCorrection,
  promptBudget,
  RESULT_CEILINGS,
  TAIL_SHARE,
  trimMiddle,
  wideChars,
} from "@/lib/tokens.ts";
import { ContextFit } from "@/agent/context.ts";
import { Compactor } from "@/agent/hooks/compactor.ts";
import { HistoryFold, isSummary } from "@/agent/history.ts";
import type { Message } from "@/protocol/message.ts";
import { ProviderError } from "@/protocol/provider.ts";
import { assistant, call, result, user } from "../support/conversation.ts";
import { says, scriptedProvider } from "../support/scripted_provider.ts";
import { z } from "zod";

type Adapter = (input: unknown, vector: { id: string; expected: unknown }) => unknown;

/** What an adapter answers for a vector whose feature does not exist yet. */
export const NOT_YET = undefined;

const estimateInput = z.strictObject({ text: z.string(), correction: z.number() });
const budgetInput = z.strictObject({ NUM_CTX: z.number(), NUM_PREDICT: z.number() });
const ratiosInput = z.strictObject({ ratios: z.array(z.number()) });
const samplesInput = z.strictObject({
  samples: z.array(z.object({ prompt: z.number(), raw: z.number() })),
});
const trimInput = z.strictObject({ chars: z.number(), ceiling: z.number() });
const blocksInput = z.strictObject({ blocks: z.number(), summary: z.enum(["ok", "fails"]) });
const longInput = z.strictObject({ tool_results_in_one_turn: z.number() });
const nothing = z.strictObject({});

const RAW_OF_A_RATIO = 1_000;

const context: Adapter = async (input) => {
  const text = estimateInput.safeParse(input);
  if (text.success) {
    const { text: body, correction } = text.data;
    return { wide_chars: wideChars(body), estimate: estimateTokens(body, correction) };
  }
  const budget = budgetInput.safeParse(input);
  if (budget.success) {
    return { budget: promptBudget(budget.data.NUM_CTX, budget.data.NUM_PREDICT) };
  }
  const ratios = ratiosInput.safeParse(input);
  if (ratios.success) return { after: afterEach(ratios.data.ratios) };
  const samples = samplesInput.safeParse(input);
  if (samples.success) return { correction: afterAll(samples.data.samples) };
  const trim = trimInput.safeParse(input);
  if (trim.success) return trimmed(trim.data.chars, trim.data.ceiling);
  const blocks = blocksInput.safeParse(input);
  if (blocks.success) return compacted(blocks.data);
  const long = longInput.safeParse(input);
  if (long.success) return longTurn(long.data.tool_results_in_one_turn);
  if (nothing.safeParse(input).success) {
    return { ceilings: [...RESULT_CEILINGS], tail_share: TAIL_SHARE };
  }
  return NOT_YET;
};

export const adapters: Record<string, Adapter> = { context };

function afterEach(ratios: readonly number[]): (number | null)[] {
  let correction: number | undefined;
  return ratios.map((ratio) => {
    const reportedTokens = ratio * RAW_OF_A_RATIO;
    correction = learnCorrection(correction, { reportedTokens, rawTokens: RAW_OF_A_RATIO });
    return correction ?? null;
  });
}

function afterAll(samples: readonly { prompt: number; raw: number }[]): number | null {
  let correction: number | undefined;
  for (const { prompt, raw } of samples) {
    correction = learnCorrection(correction, { reportedTokens: prompt, rawTokens: raw });
  }
  return correction ?? null;
}

/** Trims a text of that many letters and reads off the result what was kept of either end. */
function trimmed(chars: number, ceiling: number): unknown {
  const end = "END";
  const body = "abcdefghij".repeat(Math.ceil(chars / 10)).slice(0, chars - end.length);
  const out = trimMiddle(body + end, ceiling);
  const [head = "", middle = "", tail = ""] = out.split("\n");
  return {
    head: head.length,
    tail: tail.length,
    says_omitted: Number(/\d+/.exec(middle)?.[0]),
    ends_with: out.slice(-end.length),
  };
}

const FRAME = {
  model: "m",
  system: "s",
  tools: [],
  windowTokens: 65_536,
  outputTokensMax: 6_144,
  hints: {},
};

/** A conversation of so many requests with answers, shortened by a model that answers or does not. */
async function compacted({ blocks, summary }: z.infer<typeof blocksInput>): Promise<unknown> {
  const fold = new HistoryFold();
  const system = FRAME.system;
  for (let n = 0; n < blocks; n += 1) {
    for (const message of [user(`block ${n}`), assistant(`answer ${n}`)]) {
      fold.add({ type: "message", message });
    }
  }
  const context = new ContextFit(() => FRAME);
  const fault = new ProviderError("overloaded", "the server is busy");
  const compactor = new Compactor({
    mayAsk: () => Promise.resolve(true),
    context,
    messages: () => fold.messages(),
    emit: (event) => {
      if (event.type === "compaction") fold.add(event);
    },
    provider: () => scriptedProvider([summary === "ok" ? says("notes") : { events: [], fault }]),
    summaryTokens: () => 400,
    outputTokensMax: () => 1_000,
  });
  await compactor.compact("", new AbortController().signal);
  const request = context.fit(fold.messages());
  const at = request.messages.findIndex(isSummary);
  const kept = request.messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
  return {
    kept_blocks: kept,
    kept_blocks_min: kept,
    summary_in: at >= 0 ? "messages" : request.system === system ? "nothing" : "system",
  };
}

/** One turn with so many long results; each request is measured as it is made. */
function longTurn(results: number): unknown {
  const fold = new HistoryFold();
  const context = new ContextFit(() => FRAME);
  const budget = promptBudget(FRAME.windowTokens, FRAME.outputTokensMax);
  const add = (message: Message) => fold.add({ type: "message", message });
  add(user("go"));
  let over = 0;
  for (let n = 0; n < results; n += 1) {
    add(assistant(call(`c${n}`)));
    add(result(`c${n}`, "x".repeat(24_000)));
    const request = context.fit(fold.messages());
    if (new ContextFit(() => FRAME).estimate(request.messages) > budget) over += 1;
  }
  return { over_budget_requests: over };
}
