/**
 * What is known of hosted models where their server does not say: window, cap and prices, as of `TABLE_DATE`. The data is
 * made by tasks/model_table.ts. A model that is not in it has no price, and none is guessed.
 */
import { isObject } from "@/lib/json.ts";
import * as z from "zod";
import data from "./model_table.json" with { type: "json" };
import type { KnownModel, Price } from "./price.ts";

const numbers = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const tier = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]);
const row = z.tuple([z.number(), z.number(), numbers]).rest(z.array(tier));

const models: Readonly<Record<string, unknown>> = data.models;

/** The day of the data. */
export const TABLE_DATE: string = data.date;

/** What the table says of a model; undefined when it does not know it. */
export function knownModel(provider: string, model: string): KnownModel | undefined {
  if (provider === "bedrock") return knownModel("anthropic", anthropicName(model));
  const known = models[provider];
  if (!isObject(known) || !Object.hasOwn(known, model)) return undefined;
  const [windowTokens, outputTokensMax, price, tiers = []] = row.parse(known[model]);
  return {
    ...(windowTokens === 0 ? {} : { windowTokens }),
    ...(outputTokensMax === 0 ? {} : { outputTokensMax }),
    price: priceOf(price),
    tiers: tiers.map(([above, ...prices]) => ({ above, price: priceOf(prices) })),
  };
}

/** How Anthropic names a model that Bedrock names "us.anthropic.claude-opus-4-5-20251101-v1:0". */
function anthropicName(model: string): string {
  const name = model.replace(/^.*\banthropic\./, "").replace(/-v\d+(?::\d+)*$/, "");
  const dateless = name.replace(/-\d{8}$/, "");
  const all = models.anthropic;
  return isObject(all) && !Object.hasOwn(all, name) ? dateless : name;
}

function priceOf(
  [input, output, cacheRead, cacheWrite]: readonly [number, number, number, number],
): Price {
  return { input, output, cacheRead, cacheWrite };
}
