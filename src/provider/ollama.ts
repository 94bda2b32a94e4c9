/** Ollama, on the person's own machine or in its makers' cloud. */
import { needed, type ProviderDeclaration } from "./declaration.ts";

export const ollama: ProviderDeclaration = {
  name: "ollama",
  title: "Ollama",
  needsKey: false,
  defaultModel: ({ MODEL }) => MODEL,
  reached: {
    keyVariables: ["OLLAMA_API_KEY"],
    baseUrlVariable: "OLLAMA_HOST",
    defaultBaseUrl: "http://127.0.0.1:11434",
    urlForm: { defaultPort: 11_434, notPartOfBase: ["/api", "/v1"] },
    isSelfHosted: true,
  },
  async load(reach, settings) {
    const { ollamaProvider } = await import("./ollama_wire.ts");
    return ollamaProvider({ ...needed(reach), numCtx: () => settings.numCtx });
  },
};
