/**
 * What a provider has cached, inferred from usage: no API tells it. The cached prefix is what the last request read and
 * wrote, and it lives for one lifetime after the last request that touched it. One that reads less back is a miss.
 */
import { type CacheLifetime, lifetimeMs } from "@/lib/cache_lifetime.ts";
import { NO_USAGE, type Usage } from "@/protocol/provider.ts";
import type { UsageRequest } from "./usage_fold.ts";

/** A request that read back less than was cached. */
export type CacheMiss = {
  request: UsageRequest;
  /** Tokens that were cached and not read. */
  lostTokens: number;
  /** Since the request before, in milliseconds. */
  pauseMs: number;
};

/** A request reads by steps of some hundred tokens; less of the prefix than this share was a miss. */
const READ_SHARE = 0.9;

/** Takes the requests of the conversation itself, in order: others have another prefix. */
export class CacheFold {
  #last: UsageRequest | undefined;

  /** The miss that a request was, if it was one. Another model has another cache. */
  take(request: UsageRequest): CacheMiss | undefined {
    const last = this.#last;
    this.#last = request;
    if (last === undefined || !isSameModel(last, request)) return undefined;
    const lostTokens = cachedTokens(last.usage) - request.usage.cacheRead;
    if (lostTokens <= cachedTokens(last.usage) * (1 - READ_SHARE)) return undefined;
    return { request, lostTokens, pauseMs: request.at - last.at };
  }
}

/** What a request would have been billed for, had the prefix been kept for the other lifetime. */
export function withLifetime(
  requests: readonly UsageRequest[],
  lifetime: CacheLifetime,
): { requests: readonly UsageRequest[]; pauses: number } {
  let last: UsageRequest | undefined;
  let pauses = 0;
  const billed = requests.map((request) => {
    const pauseMs = last === undefined ? Infinity : request.at - last.at;
    const before = last !== undefined && isSameModel(last, request) ? last.usage : NO_USAGE;
    const isBetween = pauseMs > lifetimeMs("5m") && pauseMs <= lifetimeMs("1h");
    if (isBetween) pauses += 1;
    last = request;
    const usage = billedFor(request.usage, { lifetime, isBetween, cached: cachedTokens(before) });
    return { ...request, usage };
  });
  return { requests: billed, pauses };
}

function billedFor(
  { input, output, cacheRead, cacheWrite }: Usage,
  { lifetime, isBetween, cached }: { lifetime: CacheLifetime; isBetween: boolean; cached: number },
): Usage {
  const prefix = cacheRead + cacheWrite;
  const read = !isBetween
    ? cacheRead
    : lifetime === "1h"
    ? Math.min(prefix, Math.max(cacheRead, cached))
    : 0;
  const write = prefix - read;
  return {
    ...{ input, output, cacheRead: read, cacheWrite: write },
    ...(lifetime === "1h" && write > 0 ? { cacheWrite1h: write } : {}),
  };
}

function isSameModel(a: UsageRequest, b: UsageRequest): boolean {
  return a.provider === b.provider && a.model === b.model;
}

function cachedTokens({ cacheRead, cacheWrite }: Usage): number {
  return cacheRead + cacheWrite;
}
