/** Google's Gemini. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const gemini: ProviderDeclaration = {
  name: "gemini",
  title: "Gemini",
  needsKey: true,
  reached: {
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlVariable: "GEMINI_BASE_URL",
    defaultBaseUrl: "https://generativelanguage.googleapis.com",
    urlForm: { notPartOfBase: ["/v1beta", "/v1"] },
  },
  async load(reach) {
    const { geminiProvider } = await import("./gemini_wire.ts");
    return geminiProvider(needed(reach));
  },
};
