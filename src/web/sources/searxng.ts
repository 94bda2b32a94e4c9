/** The person's own SearXNG instance. */
import * as z from "zod";
import { parsedJson } from "@/lib/json.ts";
import { type Asking, type Candidate, readShape, type Source, SourceError } from "./source.ts";

export function searxng(base: string): Source {
  const root = base.replace(/(?<!\/)\/+$/, "");
  return { name: "searxng", title: "SearXNG", url: root, find: (asking) => find(asking, root) };
}

const shape = z.object({
  results: z.array(z.object({
    url: z.string(),
    title: z.string().default(""),
    content: z.string().nullable().default(""),
  })),
  /** Engine and reason. */
  unresponsive_engines: z.array(z.array(z.unknown())).default([]),
});

async function find(asking: Asking, root: string): Promise<readonly Candidate[]> {
  const asked = new URLSearchParams({ q: asking.query, format: "json" });
  const { status, text } = await asking.get(`${root}/search?${asked}`);
  if (status === 403) {
    throw new SourceError(
      'it answered 403; an instance gives JSON only with "json" among search.formats in its settings.yml',
    );
  }
  if (status !== 200) throw new SourceError(`it answered ${status}`);
  const { results, unresponsive_engines: silent } = readShape(shape, parsedJson(text));
  // None of its engines could look: that is not the same as nothing found.
  if (results.length === 0 && silent.length > 0) {
    const engines = silent.map(([engine, reason]) => `${engine}: ${reason}`).join(", ");
    throw new SourceError(`none of its engines answered (${engines})`);
  }
  return results.slice(0, asking.most)
    .map(({ url, title, content }) => ({ url, title, snippet: content ?? "" }));
}
