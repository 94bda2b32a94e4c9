/**
 * The providers. Adding one: its file and its line here. Lists, status, `/connect` and the conformance suite read
 * this list; a provider's code is loaded when it is first used.
 */
import type { Settings } from "@/settings/settings.ts";
import { newCallId } from "./call_ids.ts";
import { type Connection, connectionOf, type ProviderFacts } from "./connection.ts";
import type { Http } from "./http.ts";
import type { ModelInfo } from "./model_source.ts";
import type { Env } from "./proxy.ts";
import { RETRIES_MAX, type RetryOptions } from "./retry.ts";
import type { SavedProviders } from "./saved_providers.ts";
import type { ServerMemory } from "./server_memory.ts";
import type { SilenceLimits } from "./watchdog.ts";
import type { WireOptions, WireProvider } from "./wire.ts";

export { Http } from "./http.ts";
export { ServerMemory } from "./server_memory.ts";
export type { Connection, ModelInfo, WireProvider };

/** A provider as it is declared. */
export type ProviderDeclaration = {
  /** The word of `-m`, `/connect` and providers.json. */
  readonly name: string;
  readonly title: string;
  /** How it is reached; absent for one that is built in. */
  readonly reached?: Omit<ProviderFacts, "name" | "title">;
  /** Whether it can do nothing without a key (at its own address). */
  readonly needsKey: boolean;
  /** Whether the person's own machine is behind it: the window is what NUM_CTX asks for, a reply what NUM_PREDICT allows. */
  readonly isSelfHosted?: true;
  /** The model that is meant where none is named; absent where one has to be chosen. */
  defaultModel?(settings: Pick<Settings, "MODEL">): string;
  /** Load the code and make the provider. `reach` is absent exactly where `reached` is. */
  load(reach: Reach | undefined, settings: ProviderSettings): Promise<WireProvider>;
};

type Reach = WireOptions;

/** Settings that a provider may look at, whenever it needs one: a change counts for the next request. */
export type ProviderSettings = {
  /** NUM_CTX: the window asked of Ollama, in tokens; 0 leaves it to the server. */
  numCtx: number;
  /** Pause between two words of the demo, so that a person can watch it stream, in milliseconds. */
  demoPaceMs: number;
};

/** Everything a provider is made from. */
export type CreateOptions = {
  env: Env;
  http: Http;
  memory: ServerMemory;
  /** providers.json as read, and its path. */
  saved: SavedProviders;
  savedIn: string;
  /** `--base-url`. */
  baseUrl?: string;
  limits: SilenceLimits;
  settings: ProviderSettings;
  retry?: Partial<RetryOptions>;
};

/** All providers, in the order in which they are offered. */
export const PROVIDERS: readonly ProviderDeclaration[] = [
  {
    name: "ollama",
    title: "Ollama",
    needsKey: false,
    isSelfHosted: true,
    defaultModel: ({ MODEL }) => MODEL,
    reached: {
      keyVariables: ["OLLAMA_API_KEY"],
      baseUrlVariable: "OLLAMA_HOST",
      defaultBaseUrl: "http://127.0.0.1:11434",
      urlForm: { defaultPort: 11_434, notPartOfBase: ["/api", "/v1"] },
    },
    async load(reach, settings) {
      const { ollamaProvider } = await import("./ollama.ts");
      return ollamaProvider({ ...needed(reach), numCtx: () => settings.numCtx });
    },
  },
  {
    name: "anthropic",
    title: "Anthropic",
    needsKey: true,
    reached: {
      keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
      baseUrlVariable: "ANTHROPIC_BASE_URL",
      defaultBaseUrl: "https://api.anthropic.com",
      urlForm: { notPartOfBase: ["/v1", "/v1/messages"] },
    },
    async load(reach) {
      const { anthropicProvider } = await import("./anthropic.ts");
      return anthropicProvider(needed(reach));
    },
  },
  {
    name: "openai",
    title: "OpenAI",
    needsKey: true,
    reached: {
      keyVariables: ["OPENAI_API_KEY"],
      baseUrlVariable: "OPENAI_BASE_URL",
      defaultBaseUrl: "https://api.openai.com/v1",
      urlForm: { notPartOfBase: ["/chat/completions", "/responses", "/models"] },
    },
    async load(reach) {
      const { openAiProvider } = await import("./openai.ts");
      return openAiProvider(needed(reach));
    },
  },
  {
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
      const { geminiProvider } = await import("./gemini.ts");
      return geminiProvider(needed(reach));
    },
  },
  {
    name: "demo",
    title: "the demo",
    needsKey: false,
    defaultModel: () => "tour",
    async load(_reach, { demoPaceMs }) {
      const { DEMO_MODELS, demoProvider } = await import("./demo.ts");
      return builtIn(demoProvider({ paceMs: demoPaceMs }), DEMO_MODELS);
    },
  },
];

/** The declaration of a provider; undefined for a name that none has. */
export function findProvider(name: string): ProviderDeclaration | undefined {
  return PROVIDERS.find((declaration) => declaration.name === name);
}

/** How a provider would be reached; undefined for one that is built in. Throws PersonError for a base URL that is none. */
export function connectionFor(
  declaration: ProviderDeclaration,
  { env, saved, savedIn, baseUrl }: Pick<CreateOptions, "env" | "saved" | "savedIn" | "baseUrl">,
): Connection | undefined {
  const { name, title, reached } = declaration;
  if (reached === undefined) return undefined;
  const entry = saved.providers[name];
  return connectionOf({ name, title, ...reached }, {
    env,
    savedIn,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(entry === undefined ? {} : { saved: entry }),
  });
}

/** Make a provider. Nothing is sent yet. Throws PersonError for a base URL that is none. */
export async function createProvider(
  declaration: ProviderDeclaration,
  options: CreateOptions,
): Promise<WireProvider> {
  const connection = connectionFor(declaration, options);
  const { http, memory, limits, settings, retry } = options;
  if (connection === undefined) return await declaration.load(undefined, settings);
  const reach = {
    connection,
    http,
    memory,
    limits,
    retry: { retriesMax: RETRIES_MAX, random: Math.random, ...retry },
    now: () => Date.now(),
    newId: newCallId,
  };
  return await declaration.load(reach, settings);
}

function needed(reach: Reach | undefined): Reach {
  if (reach === undefined) {
    throw new Error("A provider that is reached was made without a connection");
  }
  return reach;
}

function builtIn(
  provider: Pick<WireProvider, "name" | "stream">,
  names: readonly string[],
): WireProvider {
  return {
    name: provider.name,
    stream: (request, signal) => provider.stream(request, signal),
    models: () => Promise.resolve(names.map((name) => ({ name }))),
    model: (name) => Promise.resolve({ name }),
    protocolOf: () => Promise.resolve("native"),
  };
}
