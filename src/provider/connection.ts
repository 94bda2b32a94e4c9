/** How a provider is reached: its base URL and key, and where each of them came from, so that an error can say it. */
import { PersonError } from "@/protocol/error.ts";
import { Secret } from "@/lib/secret.ts";
import { readBaseUrl, type UrlForm } from "./base_url.ts";
import type { Env } from "@/lib/proxy.ts";
import type { SavedProvider } from "./saved_providers.ts";

/** What is fixed about a provider. */
export type ProviderFacts = {
  /** The word of `-m`, `/connect` and providers.json. */
  readonly name: string;
  /** How a sentence calls it. */
  readonly title: string;
  /** Variables that hold a key, in the order in which they are asked. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariable: string;
  readonly defaultBaseUrl: string;
  /** Where the usual address depends on the environment. */
  baseUrlFor?(env: Env): string;
  /** Where proof comes from that is no key, in words: then none has to be pasted. */
  credentials?(env: Env): string;
  readonly urlForm?: UrlForm;
  /** Whether the person's own machine is behind it: windows, logs and loading times are theirs. */
  readonly isSelfHosted?: true;
};

/** Where a value came from. */
export type Origin =
  | { kind: "option"; name: string }
  | { kind: "variable"; name: string }
  | { kind: "file"; path: string }
  | { kind: "default" };

/** A way to one provider. The key is a Secret: nothing that prints a connection shows it. */
export type Connection = {
  readonly provider: ProviderFacts;
  readonly baseUrl: string;
  readonly baseUrlFrom: Origin;
  readonly key?: Secret;
  readonly keyFrom?: Origin;
  /** A saved key that the one from the environment hides. */
  readonly hiddenKeyFrom?: Origin;
  /** `user:password` of the base URL, for a server behind basic authentication. */
  readonly userInfo?: Secret;
};

export type ConnectionSources = {
  env: Env;
  /** `--base-url`. */
  baseUrl?: string;
  /** The provider's entry in providers.json, and the file's path. */
  saved?: SavedProvider;
  savedIn: string;
};

/** Put a connection together. Throws PersonError of kind "settings" when a base URL cannot be read. */
export function connectionOf(provider: ProviderFacts, sources: ConnectionSources): Connection {
  const address = findBaseUrl(provider, sources);
  const read = readBaseUrl(address.text, provider.urlForm);
  if (read === undefined) {
    throw new PersonError(
      "settings",
      `Cannot reach ${provider.title}: "${address.text}" (from ${
        originText(address.from)
      }) is not the address of a server`,
      `An address looks like ${provider.defaultBaseUrl}`,
    );
  }
  return {
    provider,
    baseUrl: read.url,
    baseUrlFrom: address.from,
    ...findKey(provider, sources),
    ...(read.userInfo === undefined ? {} : { userInfo: new Secret(read.userInfo) }),
  };
}

/** An origin in words. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case "option":
      return origin.name;
    case "variable":
      return origin.name;
    case "file":
      return origin.path;
    case "default":
      return "the default";
    default:
      return origin satisfies never;
  }
}

function findBaseUrl(
  { baseUrlVariable, defaultBaseUrl, baseUrlFor }: ProviderFacts,
  { env, baseUrl, saved, savedIn }: ConnectionSources,
): { text: string; from: Origin } {
  if (filled(baseUrl)) return { text: baseUrl, from: { kind: "option", name: "--base-url" } };
  const set = env[baseUrlVariable];
  if (filled(set)) return { text: set, from: { kind: "variable", name: baseUrlVariable } };
  const kept = saved?.base_url;
  if (filled(kept)) return { text: kept, from: { kind: "file", path: savedIn } };
  return { text: baseUrlFor?.(env) ?? defaultBaseUrl, from: { kind: "default" } };
}

function findKey(
  { keyVariables }: ProviderFacts,
  { env, saved, savedIn }: ConnectionSources,
): Pick<Connection, "key" | "keyFrom" | "hiddenKeyFrom"> {
  const kept = saved?.api_key?.trim();
  for (const name of keyVariables) {
    // A key pasted with a line end would be refused as a header.
    const value = env[name]?.trim();
    if (!filled(value)) continue;
    const found = { key: new Secret(value), keyFrom: { kind: "variable", name } as const };
    if (!filled(kept) || kept === value) return found;
    return { ...found, hiddenKeyFrom: { kind: "file", path: savedIn } };
  }
  if (!filled(kept)) return {};
  return { key: new Secret(kept), keyFrom: { kind: "file", path: savedIn } };
}

function filled(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
