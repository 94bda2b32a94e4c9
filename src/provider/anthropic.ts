/** Anthropic, and every server that speaks its Messages API. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const anthropic: ProviderDeclaration = {
  name: "anthropic",
  title: "Anthropic",
  needsKey: true,
  takesCacheLifetime: true,
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
