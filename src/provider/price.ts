/** What requests cost. */
import type { TokenKind, Usage } from "@/protocol/provider.ts";

/** Dollars per million tokens. */
export type Price = Readonly<Record<TokenKind, number>>;

/** What is known of a hosted model. */
export type KnownModel = {
  windowTokens?: number;
  outputTokensMax?: number;
  price: Price;
  /** Dearer prices for requests with more input tokens than `above`, in rising order. */
  tiers: readonly { above: number; price: Price }[];
};

/** Of the input price: what Anthropic, the only one to keep a prefix that long, asks for an hour (November 2026). */
const HOUR_SHARE = 2;

/** What a request cost, in dollars. The tier of the whole input holds for all of it. */
export function costOf(usage: Usage, { price, tiers }: KnownModel): number {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  const { cacheWrite1h: hour = 0 } = usage;
  const rate = tiers.findLast(({ above }) => input > above)?.price ?? price;
  const dollars = usage.input * rate.input + usage.output * rate.output +
    usage.cacheRead * rate.cacheRead + (usage.cacheWrite - hour) * rate.cacheWrite +
    hour * rate.input * HOUR_SHARE;
  return dollars / 1_000_000;
}
