/** The `search.terms` and `search.rank` vectors against the search itself, with sources that answer in this process. */
import { z } from "zod";
import { rank } from "@/web/rank.ts";
import { search, type SearchParts } from "@/web/search.ts";
import { searchText } from "@/web/search_text.ts";
import { sourcesFor } from "@/web/sources/mod.ts";
import type { Source } from "@/web/sources/source.ts";
import { SourceError } from "@/web/sources/source.ts";
import { distil, identifiersOf, isCodeQuery, termsOf } from "@/web/terms.ts";
import { HtmlReader } from "@/workers/html.ts";
import type { Adapter, Adapters } from "./adapter.ts";

const terms: Adapter = (raw) => {
  const { query } = z.object({ query: z.string() }).parse(raw);
  return {
    distilled: distil(query),
    terms: termsOf(query),
    required_identifiers: identifiersOf(query),
    code_query: isCodeQuery(query),
  };
};

const rankInput = z.object({
  query: z.string().default(""),
  passages: z.array(z.string()).optional(),
  kept: z.array(z.string()).optional(),
  sources: z.record(z.string(), z.string()).optional(),
  searxng: z.boolean().optional(),
});

const ranking: Adapter = async (raw) => {
  const { query, passages, kept, sources, searxng } = rankInput.parse(raw);
  if (passages !== undefined) {
    const { scores, mustContain, kept: order } = rank(query, passages);
    return {
      scores: scores.map((score) => Number(score.toFixed(4))),
      must_contain: mustContain,
      kept_in_order: order,
    };
  }
  if (kept !== undefined) return await nothingKept();
  if (sources !== undefined) return await withSources(sources);
  if (searxng === undefined) return undefined;
  const asked = sourcesFor(query, { searxngUrl: searxng ? "http://localhost:8080" : "" });
  return { sources: asked.map(({ name }) => name) };
};

async function nothingKept() {
  const outcome = await searched([source("a", "something else")], "rust");
  const text = searchText("rust", outcome, 6_000);
  return {
    marker: /no relevant results/.exec(text)?.[0],
    lists_pages: text.includes("https://a.example/"),
  };
}

async function withSources(states: Readonly<Record<string, string>>) {
  const made = Object.entries(states)
    .map(([name, state]) => source(name, state === "ok" ? "the word" : undefined));
  const { answered, notes } = await searched(made, "word");
  const failing = Object.values(states).filter((state) => state !== "ok").length;
  if (notes.length !== failing) throw new Error(`Not every failure is told: ${notes.join("; ")}`);
  return { results_from: answered };
}

/** One that brings a page with its text, or none in time. */
function source(name: string, text: string | undefined): Source {
  const url = `https://${name}.example/`;
  const find = () =>
    text === undefined
      ? Promise.reject(new SourceError("no answer in time"))
      : Promise.resolve([{ url, title: name, snippet: "", text }]);
  return { name, title: name, url, find };
}

async function searched(sources: readonly Source[], query: string) {
  using html = new HtmlReader();
  const parts: SearchParts = {
    web: {
      html,
      client: () => Promise.reject(new Error("Nothing is fetched")),
      mayFollow: () => false,
    },
    sources: () => sources,
    mayRead: () => true,
    limits: () => ({
      ...{ resultsMax: 5, candidates: 10, pagesMax: 8, pageChars: 60_000, passageChars: 900 },
      ...{ sourceMs: 1_000, pageMs: 1_000, totalMs: 60_000 },
    }),
  };
  return await search(parts, query, new AbortController().signal);
}

export const adapters: Adapters = { "search.terms": terms, "search.rank": ranking };
