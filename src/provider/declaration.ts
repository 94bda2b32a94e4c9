/** A provider as it is declared: what lists, status, `/connect` and error sentences need of it before it is loaded. */
import type { Settings } from "@/settings/settings.ts";
import type { ProviderFacts } from "./connection.ts";
import type { WireOptions, WireProvider } from "./wire.ts";

export type ProviderDeclaration = {
  /** The word of `-m`, `/connect` and providers.json. */
  readonly name: string;
  readonly title: string;
  /** How it is reached; absent for one that is built in. */
  readonly reached?: Omit<ProviderFacts, "name" | "title">;
  /** Whether it can do nothing without a key (at its own address). */
  readonly needsKey: boolean;
  /** Whether a request says how long its prefix is cached (CACHE_LIFETIME). */
  readonly takesCacheLifetime?: true;
  /** Shorter prompts of these models are not cached, in tokens, as far as the maker says; absent where it says nothing. */
  cacheMinimumTokens?(model: string): number;
  /** The model that is meant where none is named; absent where one has to be chosen. */
  defaultModel?(settings: Pick<Settings, "MODEL">): string;
  /** Load the code and make the provider. `reach` is absent exactly where `reached` is. */
  load(reach: WireOptions | undefined, settings: ProviderSettings): Promise<WireProvider>;
};

/** Settings that a provider may look at, whenever it needs one: a change counts for the next request. */
export type ProviderSettings = {
  /** NUM_CTX: the window asked of a server of the person's own, in tokens; 0 leaves it to the server. */
  numCtx: number;
  /** Pause between two words of the demo, so that a person can watch it stream, in milliseconds. */
  demoPaceMs: number;
};

/** The way to a provider that has one. */
export function needed(reach: WireOptions | undefined): WireOptions {
  if (reach === undefined) {
    throw new Error("A provider that is reached was made without a connection");
  }
  return reach;
}
