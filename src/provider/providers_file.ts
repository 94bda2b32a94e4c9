/** The contents of providers.json. Loaded where there is one. */
import * as z from "zod";

const savedProvider = z.looseObject({
  api_key: z.string().optional(),
  base_url: z.string().optional(),
  model: z.string().optional(),
});

// Loose: a newer version's fields, and what people note beside a key, are kept.
export const savedProviders = z.looseObject({
  active: z.string().optional(),
  providers: z.record(z.string(), savedProvider).default({}),
});

/** What is kept of one provider. */
export type SavedProvider = z.infer<typeof savedProvider>;

/** The whole file. */
export type SavedProviders = z.infer<typeof savedProviders>;
