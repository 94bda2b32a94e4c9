/** How long Anthropic keeps a cached prefix after the last request that touched it. */

const LIFETIMES_MS = { "5m": 300_000, "1h": 3_600_000 } as const;

/** A lifetime that can be asked for. */
export type CacheLifetime = keyof typeof LIFETIMES_MS;

/** The lifetime in milliseconds. */
export function lifetimeMs(lifetime: CacheLifetime): number {
  return LIFETIMES_MS[lifetime];
}
