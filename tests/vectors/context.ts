/** The `context` vectors against src/lib/tokens.ts. */
import {
  estimateTokens,
  learnCorrection,
  promptBudget,
  RESULT_CEILINGS,
  TAIL_SHARE,
  trimMiddle,
  wideChars,
} from "@/lib/tokens.ts";
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
const nothing = z.strictObject({});

const RAW_OF_A_RATIO = 1_000;

const context: Adapter = (input) => {
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
