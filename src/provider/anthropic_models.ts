/** What Anthropic's models take: asked of the server, else read off the name. */
import * as z from "zod";
import type { RequestHints } from "@/protocol/provider.ts";
import type { ModelInfo } from "./model_source.ts";
import type { ModelPage } from "./server.ts";
import { tokenCount } from "./token_count.ts";

const supported = z.looseObject({ supported: z.boolean().nullish() }).nullish();

const modelSchema = z.looseObject({
  id: z.string(),
  max_input_tokens: tokenCount,
  max_tokens: tokenCount,
  capabilities: z.looseObject({
    image_input: supported,
    thinking: z.looseObject({
      types: z.looseObject({ adaptive: supported, disabled: supported, between_tools: supported })
        .nullish(),
    }).nullish(),
    effort: z.record(z.string(), supported).nullish(),
  }).nullish(),
});

const listSchema = z.looseObject({
  data: z.array(modelSchema),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});

type Effort = NonNullable<RequestHints["effort"]>;

/** What a model's thinking can be asked for. */
export type ClaudeFacts = {
  info: ModelInfo;
  /** `thinking: {type: "adaptive"}` is taken. */
  takesAdaptive: boolean;
  /** `thinking: {type: "disabled"}` is taken. */
  takesDisabled: boolean;
  efforts: readonly string[];
};

/** Read a page of the list; undefined when it is none. */
export function readModelPage(value: unknown): ModelPage | undefined {
  const page = listSchema.safeParse(value);
  if (!page.success) return undefined;
  const { data, has_more: hasMore, last_id: last } = page.data;
  const models = data.map(infoOf);
  if (hasMore !== true || !last) return { models };
  return { models, next: `/v1/models?limit=100&after_id=${encodeURIComponent(last)}` };
}

/** Read one model; undefined when it is none. */
export function readModel(value: unknown): ClaudeFacts | undefined {
  const read = modelSchema.safeParse(value);
  if (!read.success) return undefined;
  const { capabilities } = read.data;
  const guess = guessed(read.data.id);
  const types = capabilities?.thinking?.types;
  const efforts = capabilities?.effort;
  return {
    info: infoOf(read.data),
    takesAdaptive: types?.adaptive?.supported ?? guess.takesAdaptive,
    takesDisabled: types?.disabled?.supported ?? guess.takesDisabled,
    efforts: efforts === null || efforts === undefined
      ? guess.efforts
      : Object.entries(efforts).filter(([, word]) => word?.supported === true).map(([name]) =>
        name
      ),
  };
}

/** What the name says, for servers that list nothing. A name that is not known is taken for a newer model. */
export function guessed(model: string): ClaudeFacts {
  const info = { name: model };
  const all = ["low", "medium", "high", "max"];
  if (!/claude/i.test(model)) {
    return { info, takesAdaptive: false, takesDisabled: false, efforts: [] };
  }
  if (/(?:haiku|sonnet|opus)-4-[0-5]\b|claude-[123]-|claude-3/.test(model)) {
    const efforts = /opus-4-5/.test(model) ? ["low", "medium", "high"] : [];
    return { info, takesAdaptive: false, takesDisabled: true, efforts };
  }
  // Always thinking: sending "disabled" is a 400 (facts of November 2026).
  const isAlwaysOn = /(?:sonnet|opus)-5-[5-9]|fable-|mythos-/.test(model);
  return { info, takesAdaptive: true, takesDisabled: !isAlwaysOn, efforts: all };
}

/** The strongest effort that the model has up to the one wished for; undefined when it has none. */
export function fittingEffort(wished: Effort, efforts: readonly string[]): string | undefined {
  const order = ["max", "xhigh", "high", "medium", "low"];
  return order.slice(order.indexOf(wished)).find((effort) => efforts.includes(effort));
}

function infoOf(model: z.infer<typeof modelSchema>): ModelInfo {
  const { id, max_input_tokens: window, max_tokens: cap, capabilities } = model;
  const images = capabilities?.image_input?.supported;
  const thinks = capabilities?.thinking?.types?.adaptive?.supported;
  return {
    name: id,
    takesTools: true,
    ...(window ? { windowTokens: window } : {}),
    ...(cap ? { outputTokensMax: cap } : {}),
    ...(images === null || images === undefined ? {} : { takesImages: images }),
    ...(thinks === null || thinks === undefined ? {} : { thinks }),
  };
}
