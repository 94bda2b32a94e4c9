/** Stack Overflow by the Stack Exchange API: questions come with their text. */
import * as z from "zod";
import { type Asking, type Candidate, jsonFrom, readShape, type Source } from "./source.ts";

const MOST = 5;

export function stackexchange(base = "https://api.stackexchange.com"): Source {
  return {
    ...{ name: "stackexchange", title: "Stack Exchange", url: base },
    find: (asking) => find(asking, base),
  };
}

const shape = z.object({
  items: z.array(z.object({ title: z.string(), link: z.string(), body: z.string().default("") })),
});

async function find(asking: Asking, base: string): Promise<readonly Candidate[]> {
  const asked = new URLSearchParams({
    ...{ site: "stackoverflow", order: "desc", sort: "relevance", filter: "withbody" },
    ...{ pagesize: `${MOST}`, q: asking.distilled },
  });
  const { items } = readShape(
    shape,
    await jsonFrom(asking, `${base}/2.3/search/advanced?${asked}`),
  );
  return await Promise.all(items.map(async ({ title, link, body }) => {
    const text = await asking.html.fragment(body, link);
    return {
      ...{ url: link, title: await asking.html.fragment(title, link), snippet: "" },
      ...(text === "" ? {} : { text }),
    };
  }));
}
