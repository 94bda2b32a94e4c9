/** Wikipedia's search, in the language of the query as far as its script tells. */
import * as z from "zod";
import { type Asking, type Candidate, jsonFrom, readShape, type Source } from "./source.ts";

const MOST = 3;

export function wikipedia(base?: string): Source {
  return {
    ...{ name: "wikipedia", title: "Wikipedia", url: base ?? "https://en.wikipedia.org" },
    find: (asking) => find(asking, base ?? `https://${languageOf(asking.query)}.wikipedia.org`),
  };
}

function languageOf(query: string): string {
  if (/\p{Script=Hangul}/u.test(query)) return "ko";
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query)) return "ja";
  return "en";
}

const shape = z.object({
  query: z.object({
    search: z.array(z.object({ title: z.string(), snippet: z.string().default("") })),
  }),
});

async function find(asking: Asking, base: string): Promise<readonly Candidate[]> {
  const asked = new URLSearchParams({
    ...{ action: "query", list: "search", format: "json", srlimit: `${MOST}` },
    srsearch: asking.distilled,
  });
  const value = await jsonFrom(asking, `${base}/w/api.php?${asked}`);
  const { query: { search } } = readShape(shape, value);
  return await Promise.all(search.map(async ({ title, snippet }) => ({
    url: `${base}/wiki/${encodeURIComponent(title.replaceAll(" ", "_"))}`,
    title,
    snippet: await asking.html.fragment(snippet, base),
  })));
}
