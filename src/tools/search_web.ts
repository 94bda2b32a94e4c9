/** Search the web. */
import * as z from "zod";
import { clipEnd } from "@/lib/clip.ts";
import { counted } from "@/lib/counted.ts";
import type { ToolSpec } from "@/protocol/tool.ts";
import { search, type SearchParts } from "@/web/search.ts";
import { searchText } from "@/web/search_text.ts";
import { defineTool, failed, ok } from "./spec.ts";

const QUERY_CHARS_SHOWN = 70;

/** What the tool works with. */
export type WebSearchParts = { webSearch: SearchParts & { resultChars(): number } };

export const searchWeb = (parts: WebSearchParts): ToolSpec =>
  defineTool({
    name: "search_web",
    description: "Search the web; returns the passages of pages that answer, with addresses.",
    input: z.object({
      query: z.string().trim().min(1).describe("Exact names and error texts help"),
    }),
    aliases: { query: ["q", "search", "search_query", "text"] },
    otherNames: ["web_search", "google"],
    effect: () => "reads",
    costs: true,
    subject: ({ query }) => ({ kind: "text", text: query }),
    summary: ({ query }, result) => {
      const what = JSON.stringify(clipEnd(query.replace(/\s+/g, " "), QUERY_CHARS_SHOWN));
      const { found } = result?.meta ?? {};
      if (result === undefined) return `search the web for ${what}`;
      if (typeof found !== "number") return `did not search the web for ${what}`;
      return `searched the web for ${what}: ${found === 0 ? "nothing" : counted(found, "passage")}`;
    },
    async run({ query }, host) {
      const { webSearch } = parts;
      const outcome = await search(webSearch, query, host.signal);
      const text = searchText(query, outcome, webSearch.resultChars());
      const { found, answered, notes } = outcome;
      const isFailed = answered.length === 0 && notes.length > 0;
      return (isFailed ? failed : ok)(text, { meta: { found: found.length } });
    },
  });
