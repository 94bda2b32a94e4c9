/** What features are given in tests. */
import type { Shared } from "@/compose/feature.ts";

/** Nothing of it is used before a tool runs. */
export function shared(): Shared {
  return { tools: () => [], mayRead: () => true } as unknown as Shared;
}
