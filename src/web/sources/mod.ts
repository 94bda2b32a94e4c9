/** The sources, and which of them a query is for. */
import { isCodeQuery } from "../terms.ts";
import { duckduckgo } from "./duckduckgo.ts";
import { github } from "./github.ts";
import { searxng } from "./searxng.ts";
import type { Source } from "./source.ts";
import { stackexchange } from "./stackexchange.ts";
import { wikipedia } from "./wikipedia.ts";

/** The public ones by name. */
export type PublicSources = Readonly<
  Record<"web" | "wikipedia" | "stackexchange" | "github", Source>
>;

/** As they stand on the web. */
export const PUBLIC: PublicSources = {
  web: duckduckgo(),
  wikipedia: wikipedia(),
  stackexchange: stackexchange(),
  github: github(),
};

/** Those that a query is for, the best first. `searxngUrl`: the person's own instance; "" for none. */
export function sourcesFor(
  query: string,
  { searxngUrl, all = PUBLIC }: { searxngUrl: string; all?: PublicSources },
): readonly Source[] {
  const own = searxngUrl === "" ? [] : [searxng(searxngUrl)];
  return isCodeQuery(query)
    ? [...own, all.web, all.github, all.stackexchange]
    : [...own, all.web, all.wikipedia, all.stackexchange];
}
