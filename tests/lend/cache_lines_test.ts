import { deepStrictEqual as equal } from "node:assert/strict";
import { cacheLines } from "@/lend/cache_lines.ts";
import type { UsageRequest } from "@/session/usage_fold.ts";

/** The reason why nothing was read after three requests of a model, each of so many tokens. */
function reason(provider: string, model: string, input: number): string {
  const requests: UsageRequest[] = [1, 2, 3].map((turn) => ({
    ...{ turn, at: turn * 1_000, provider, model, purpose: "turn" },
    usage: { input, output: 1, cacheRead: 0, cacheWrite: 0 },
  }));
  const accounts = { requests, misses: [], lastChange: undefined, cost: () => null };
  const [line = ""] = cacheLines(accounts, { CACHE_LIFETIME: "5m" });
  return line.replace(/^Nothing was read from \w+'s cache in 3 requests: /, "");
}

Deno.test("cacheLines() knows from how many tokens prompts of each model are cached", () => {
  const short = (model: string, tokens: string, minimum: string) =>
    `the longest prompt had ${tokens} tokens, and of ${model} about ${minimum} and more are cached`;
  const cases: [string, string, string][] = [
    ["anthropic", "claude-opus-4-8", "4,096"],
    ["anthropic", "claude-haiku-4-5-20251001", "4,096"],
    ["anthropic", "claude-sonnet-4-6", "2,048"],
    ["anthropic", "claude-sonnet-4-5", "1,024"],
    ["openai", "gpt-5.2", "1,024"],
    ["gemini", "gemini-2.5-pro", "4,096"],
    ["gemini", "gemini-2.5-flash", "1,024"],
  ];
  for (const [provider, model, minimum] of cases) {
    equal(reason(provider, model, 1_000), short(model, "1,000", minimum));
    const enough = Number(minimum.replace(",", ""));
    equal(
      reason(provider, model, enough),
      "the prompts begin alike, so either they are below this model's minimum, or the server does not cache",
    );
  }
});

Deno.test("cacheLines() names whose caches were read where the provider was changed on the way", () => {
  const models = [["anthropic", 20], ["openai", 40], ["gemini", 0]] as const;
  const requests: UsageRequest[] = models.map(([provider, cacheRead], turn) => ({
    ...{ turn, at: turn * 1_000, provider, model: "m", purpose: "turn" },
    usage: { input: 60, output: 1, cacheRead, cacheWrite: 0 },
  }));
  const accounts = { requests, misses: [], lastChange: undefined, cost: () => null };
  equal(
    cacheLines(accounts, { CACHE_LIFETIME: "5m" }).at(0),
    [
      "60 prompt tokens were read from the caches of Anthropic and OpenAI: 25% of all input",
    ].join(),
  );
});
