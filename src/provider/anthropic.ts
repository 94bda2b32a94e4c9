/** Anthropic, and every server that speaks its Messages API. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const anthropic: ProviderDeclaration = {
  name: "anthropic",
  title: "Anthropic",
  needsKey: true,
  takesCacheLifetime: true,
  // As of November 2026; what is said of the models of generation 5 differs from place to place.
  cacheMinimumTokens: (model) =>
    /opus-4-[5-8]|haiku-4-5/.test(model) ? 4_096 : /fable-5|sonnet-4-6/.test(model) ? 2_048 : 1_024,
  reached: {
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    defaultBaseUrl: "https://api.anthropic.com",
    urlForm: { notPartOfBase: ["/v1", "/v1/messages"] },
  },
  async load(reach) {
    const { anthropicProvider } = await import("./anthropic_wire.ts");
    return anthropicProvider(needed(reach));
  },
};
