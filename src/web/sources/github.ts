/** GitHub's search of issues: they come with their text, those first that most people met. */
import * as z from "zod";
import { type Asking, type Candidate, jsonFrom, readShape, type Source } from "./source.ts";

const MOST = 5;

export function github(base = "https://api.github.com"): Source {
  return {
    ...{ name: "github", title: "GitHub", url: base },
    find: (asking) => find(asking, base),
  };
}

const shape = z.object({
  items: z.array(z.object({
    title: z.string(),
    html_url: z.string(),
    body: z.string().nullable().default(null),
  })),
});

async function find(asking: Asking, base: string): Promise<readonly Candidate[]> {
  const asked = new URLSearchParams({
    ...{ q: asking.distilled, sort: "reactions", order: "desc", per_page: `${MOST}` },
  });
  const { items } = readShape(shape, await jsonFrom(asking, `${base}/search/issues?${asked}`));
  return items.map(({ title, html_url: url, body }) => ({
    ...{ url, title, snippet: "" },
    ...(body === null || body === "" ? {} : { text: body }),
  }));
}
