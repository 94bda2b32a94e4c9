/** Why a cached prefix was not read back, in a sentence. */
import type { PrefixChange } from "@/agent/prefix_watch.ts";
import type { CacheMiss } from "@/session/cache_fold.ts";

/** Say it. `change` is what moved in the prefix since the request before. */
export function missText(
  { lostTokens, pauseMs, request }: CacheMiss,
  { change, lifetimeMs }: { change?: PrefixChange; lifetimeMs: number },
): string {
  const lost = `About ${count(lostTokens)} cached tokens were not read back and are paid for again`;
  if (change !== undefined) return `${lost}: ${changeText(change)}`;
  // Only a maker that reports writes has a lifetime that was asked for.
  if (request.usage.cacheWrite > 0 && pauseMs > lifetimeMs) {
    return `${lost}: ${
      minutes(pauseMs)
    } passed since the request before, and the cache is kept for ${
      minutes(lifetimeMs)
    } (CACHE_LIFETIME)`;
  }
  const dropped = `${lost}: the prompt begins as before, so ${request.provider} has dropped it`;
  // The clock was set back in between.
  return pauseMs < 0 ? dropped : `${dropped} after ${minutes(pauseMs)}`;
}

/** What changed and where. */
export function changeText({ byte, by }: PrefixChange): string {
  return `the start of the prompt changed at byte ${count(byte)} by ${by}`;
}

/** A pause in words. */
export function minutes(ms: number): string {
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
