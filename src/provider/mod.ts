/**
 * The providers. Adding one: its file and its line here. Lists, status, `/connect` and the conformance suite read
 * this list; a provider's code is loaded when it is first used.
 */
import { anthropic } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import { newCallId } from "./call_ids.ts";
import { type Connection, connectionOf } from "./connection.ts";
import type { ProviderDeclaration, ProviderSettings } from "./declaration.ts";
import { demo } from "./demo.ts";
import { gemini } from "./gemini.ts";
import type { Http } from "./http.ts";
import type { ModelInfo } from "./model_source.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import type { Env } from "@/lib/proxy.ts";
import { RETRIES_MAX, type RetryOptions } from "./retry.ts";
import type { SavedProviders } from "./saved_providers.ts";
import type { ServerMemory } from "./server_memory.ts";
import type { SilenceLimits } from "./watchdog.ts";
import type { OnUnknown, UnknownWord, WireProvider } from "./wire.ts";

export { Http } from "./http.ts";
export { ServerMemory } from "./server_memory.ts";
export type {
  Connection,
  ModelInfo,
  ProviderDeclaration,
  ProviderSettings,
  UnknownWord,
  WireProvider,
};

/** All providers, in the order in which they are offered. */
export const PROVIDERS: readonly ProviderDeclaration[] = [
  ollama,
  anthropic,
  openai,
  gemini,
  bedrock,
  demo,
];

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
  onUnknown?: OnUnknown;
};

/** The declaration of a provider; undefined for a name that none has. */
export function findProvider(name: string): ProviderDeclaration | undefined {
  return PROVIDERS.find((declaration) => declaration.name === name);
}

/** The first provider that runs on a machine of the person's own: what is looked for where nothing is chosen. */
export function ownProvider(): ProviderDeclaration {
  const found = PROVIDERS.find(({ reached }) => reached?.isSelfHosted === true);
  if (found === undefined) throw new Error("The list of providers has none of the person's own");
  return found;
}

/** The provider that needs nothing at all: it is built in. */
export function builtInProvider(): ProviderDeclaration {
  const found = PROVIDERS.find(({ reached }) => reached === undefined);
  if (found === undefined) throw new Error("The list of providers has none that is built in");
  return found;
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
  const { env, http, memory, limits, settings, retry, onUnknown } = options;
  if (connection === undefined) return await declaration.load(undefined, settings);
  const reach = {
    connection,
    env,
    http,
    memory,
    limits,
    retry: { retriesMax: RETRIES_MAX, random: Math.random, ...retry },
    now: () => Date.now(),
    newId: newCallId,
    ...(onUnknown === undefined ? {} : { onUnknown }),
  };
  return await declaration.load(reach, settings);
}
