/**
 * Writes src/provider/model_table.json from the model data of the npm package @earendil-works/pi-ai (MIT, Copyright
 * Mario Zechner), unpacked: `deno run --allow-read --allow-write=src tasks/model_table.ts DIR DATE`. Run by hand when
 * the data is to be newer; nothing of the package is needed to build or run.
 */
import { z } from "zod";

/** Our name of a provider, and the file that holds its models. */
const SOURCES = {
  anthropic: "anthropic.json",
  openai: "openai.json",
  gemini: "google.json",
} as const;

const price = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
const entry = z.object({
  id: z.string(),
  type: z.string().optional(),
  contextWindow: z.number().optional(),
  maxTokens: z.number().optional(),
  cost: price.extend({
    tiers: z.array(price.extend({ inputTokensAbove: z.number() })).optional(),
  }),
});
const file = z.record(z.string(), z.record(z.string(), z.unknown()));

const [dir, date] = Deno.args;
if (dir === undefined || date === undefined) throw new Error("Usage: model_table.ts DIR DATE");
const models: Record<string, Record<string, unknown>> = {};
for (const [provider, name] of Object.entries(SOURCES)) {
  const data = file.parse(JSON.parse(await Deno.readTextFile(`${dir}/${name}`)));
  const rows: Record<string, unknown> = {};
  for (const group of Object.values(data)) {
    for (const value of Object.values(group)) {
      const model = entry.safeParse(value);
      if (!model.success || (model.data.type ?? "chat") !== "chat") continue;
      rows[model.data.id] = row(model.data);
    }
  }
  models[provider] = rows;
}
await Deno.writeTextFile("src/provider/model_table.json", `${JSON.stringify({ date, models })}\n`);

/** Window, cap, and dollars per million tokens: input, output, cache read, cache write; then dearer tiers. */
function row({ contextWindow, maxTokens, cost }: z.infer<typeof entry>): unknown[] {
  const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite];
  const tiers = (cost.tiers ?? []).map((
    tier,
  ) => [tier.inputTokensAbove, tier.input, tier.output, tier.cacheRead, tier.cacheWrite]);
  return [contextWindow ?? 0, maxTokens ?? 0, prices, ...(tiers.length === 0 ? [] : [tiers])];
}
