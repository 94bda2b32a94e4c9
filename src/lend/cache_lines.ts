/** What `/usage` says of the cache: what was read of it, or why nothing was, and what the other lifetime would have cost. */
import { wholeCost } from "@/compose/prices.ts";
import type { Accounts } from "@/compose/accounts.ts";
import { changeText, minutes } from "@/compose/miss_text.ts";
import { counted } from "@/lib/counted.ts";
import { findProvider } from "@/provider/mod.ts";
import { type CacheLifetime, lifetimeMs } from "@/lib/cache_lifetime.ts";
import { withLifetime } from "@/session/cache_fold.ts";
import type { UsageRequest } from "@/session/usage_fold.ts";

/** After so many requests a cache should have been read. */
const READ_AFTER_REQUESTS = 2;

/** Of the conversation's own requests; nothing of servers that charge nothing and report nothing. */
export function cacheLines(
  accounts: Pick<Accounts, "requests" | "misses" | "lastChange" | "cost">,
  settings: { CACHE_LIFETIME: CacheLifetime },
): readonly string[] {
  const own = accounts.requests.filter(({ purpose, provider }) =>
    purpose === "turn" && findProvider(provider)?.needsKey === true
  );
  if (own.length === 0) return [];
  return [
    ...readLine(own, accounts, settings),
    ...missLine(accounts),
    ...lifetimeLine(own, accounts, settings),
  ];
}

function readLine(
  own: readonly UsageRequest[],
  { lastChange }: Pick<Accounts, "lastChange">,
  { CACHE_LIFETIME }: { CACHE_LIFETIME: CacheLifetime },
): readonly string[] {
  const read = own.reduce((sum, { usage }) => sum + usage.cacheRead, 0);
  const all = own.reduce((sum, request) => sum + promptTokens(request), 0);
  if (read > 0) {
    const share = Math.round(read / Math.max(1, all) * 100);
    const cache = cacheOf(own.filter(({ usage }) => usage.cacheRead > 0));
    return [`${shown(read)} prompt tokens were read from ${cache}: ${share}% of all input`];
  }
  if (own.length <= READ_AFTER_REQUESTS) return [];
  const tooShort = shortText(own);
  const reason = tooShort !== undefined
    ? tooShort
    : lastChange !== undefined
    ? changeText(lastChange)
    : shortestPause(own) > lifetimeMs(CACHE_LIFETIME)
    ? `at least ${minutes(shortestPause(own))} passed between requests, and the cache is kept for ${
      minutes(lifetimeMs(CACHE_LIFETIME))
    }`
    : "the prompts begin alike, so either they are below this model's minimum, or the server does not cache";
  return [`Nothing was read from ${cacheOf(own)} in ${counted(own.length, "request")}: ${reason}`];
}

/** Whose cache it is, or whose they are. */
function cacheOf(requests: readonly UsageRequest[]): string {
  const providers = [...new Set(requests.map(({ provider }) => provider))];
  const titles = providers.map((name) => findProvider(name)?.title ?? name);
  const [first = ""] = titles;
  return titles.length === 1
    ? `${first}'s cache`
    : `the caches of ${titles.slice(0, -1).join(", ")} and ${titles.at(-1)}`;
}

/** Says so where each prompt was shorter than what is cached of its model. */
function shortText(own: readonly UsageRequest[]): string | undefined {
  const minimumOf = ({ provider, model }: UsageRequest) =>
    findProvider(provider)?.cacheMinimumTokens?.(model) ?? 0;
  if (!own.every((request) => promptTokens(request) < minimumOf(request))) return undefined;
  const longest = own.reduce((a, b) => promptTokens(b) > promptTokens(a) ? b : a);
  return `the longest prompt had ${
    shown(promptTokens(longest))
  } tokens, and of ${longest.model} about ${shown(minimumOf(longest))} and more are cached`;
}

function missLine({ misses }: Pick<Accounts, "misses">): readonly string[] {
  if (misses.length === 0) return [];
  const lost = misses.reduce((sum, { lostTokens }) => sum + lostTokens, 0);
  return [
    `${counted(misses.length, "time")} the cached prefix was not read back, ${
      shown(lost)
    } tokens in all`,
  ];
}

/** Of makers that let the lifetime be chosen. */
function lifetimeLine(
  own: readonly UsageRequest[],
  { cost }: Pick<Accounts, "cost">,
  { CACHE_LIFETIME }: { CACHE_LIFETIME: CacheLifetime },
): readonly string[] {
  const requests = own.filter(({ provider }) =>
    findProvider(provider)?.takesCacheLifetime === true
  );
  const other: CacheLifetime = CACHE_LIFETIME === "5m" ? "1h" : "5m";
  const { requests: billed, pauses } = withLifetime(requests, other);
  const [paid, would] = [wholeCost(requests.map(cost)), wholeCost(billed.map(cost))];
  if (requests.length === 0 || paid === null || would === null) return [];
  const between = pauses === 0
    ? "no pause was between 5 minutes and an hour"
    : `${counted(pauses, "pause")} between 5 minutes and an hour`;
  return [
    `With CACHE_LIFETIME ${other} these requests would have cost $${would.toFixed(4)} instead of $${
      paid.toFixed(4)
    } (${between})`,
  ];
}

function shortestPause(own: readonly UsageRequest[]): number {
  return Math.min(...own.slice(1).map(({ at }, n) => at - (own[n]?.at ?? at)));
}

function promptTokens({ usage }: UsageRequest): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

function shown(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
