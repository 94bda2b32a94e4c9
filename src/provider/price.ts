/** What requests cost. */
import type { Usage } from "@/protocol/provider.ts";

/** Dollars per million tokens. */
export type Price = Readonly<Record<keyof Usage, number>>;

/** What is known of a hosted model. */
export type KnownModel = {
  windowTokens?: number;
  outputTokensMax?: number;
  price: Price;
  /** Dearer prices for requests with more input tokens than `above`, in rising order. */
  tiers: readonly { above: number; price: Price }[];
};

/** What a request cost, in dollars. The tier of the whole input holds for all of it. */
export function costOf(usage: Usage, { price, tiers }: KnownModel): number {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const rate = tiers.findLast(({ above }) => input > above)?.price ?? price;
  const dollars = usage.input * rate.input + usage.output * rate.output +
    usage.cacheRead * rate.cacheRead + usage.cacheWrite * rate.cacheWrite;
  return dollars / 1_000_000;
}
