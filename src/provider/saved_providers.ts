/** providers.json: the provider in use, and per provider the key, base URL and model that the person gave. 0600. */
import { type DamagedFile, readJsonFile, updateJsonFile } from "@/lib/json_file.ts";
import type { SavedProvider, SavedProviders } from "./providers_file.ts";

export type { SavedProvider, SavedProviders };

const shape = {
  read: async (value: unknown): Promise<SavedProviders> =>
    (await import("./providers_file.ts")).savedProviders.parse(value),
  empty: (): SavedProviders => ({ providers: {} }),
};

/** What a change sets; absent members stay as they are. */
export type ProviderPatch = { api_key?: string; base_url?: string; model?: string };

export type ChangeOptions = { onDamaged?(file: DamagedFile): void };

/** Read the file. A damaged one counts as empty; `damaged` says what is wrong with it, without quoting it. */
export async function readSavedProviders(
  path: string,
): Promise<{ saved: SavedProviders; damaged?: string }> {
  const { value, damaged } = await readJsonFile(path, shape);
  return { saved: value, ...(damaged === undefined ? {} : { damaged: damaged.cause }) };
}

/** Note what the person gave for a provider and make it the one in use. */
export async function saveProvider(
  path: string,
  { name, patch }: { name: string; patch: ProviderPatch },
  options: ChangeOptions = {},
): Promise<void> {
  await update(path, options, (saved) => ({
    ...saved,
    active: name,
    providers: { ...saved.providers, [name]: { ...saved.providers[name], ...patch } },
  }));
}

/** Take a saved key out; the rest of the entry stays. Whether there was one. */
export async function forgetKey(
  path: string,
  name: string,
  options: ChangeOptions = {},
): Promise<boolean> {
  let hadKey = false;
  await update(path, options, (saved) => {
    const { api_key, ...rest } = saved.providers[name] ?? {};
    hadKey = api_key !== undefined;
    if (!hadKey) return undefined;
    return { ...saved, providers: { ...saved.providers, [name]: rest } };
  });
  return hadKey;
}

async function update(
  path: string,
  options: ChangeOptions,
  change: (saved: SavedProviders) => SavedProviders | undefined,
): Promise<void> {
  await updateJsonFile(path, {
    ...shape,
    ...options,
    change,
    private: true,
    what: "providers.json",
  });
}
