/** The search of a workspace, loaded with the first question. */
import { once } from "@/lib/once.ts";
import type { Search, SearchParts } from "./search.ts";

/** What can be asked of it. */
export type Searching = Pick<Search, "find" | "filesWith">;

/** Make it. */
export function searchOnDemand(parts: SearchParts): Searching {
  const search = once(async () => {
    const { Search } = await import("./search.ts");
    return new Search(parts);
  });
  return {
    find: async (...asked) => await (await search()).find(...asked),
    filesWith: async (...asked) => await (await search()).filesWith(...asked),
  };
}
