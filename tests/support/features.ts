/** What features are given in tests. */
import type { Shared } from "@/compose/feature.ts";

/** Nothing of it is used before a tool runs. */
export function shared(): Shared {
  const policy = { rulesInForce: () => [] };
  return { tools: () => [], mayRead: () => true, policy } as unknown as Shared;
}
