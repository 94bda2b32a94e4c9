/** DuckDuckGo's page without scripts. It has no API for this: its rows are read, and a page without rows or a word of their absence is a failure. */
import type { HtmlCell } from "@/workers/html.ts";
import { type Asking, type Candidate, type Source, SourceError } from "./source.ts";

export function duckduckgo(base = "https://html.duckduckgo.com"): Source {
  return { name: "web", title: "DuckDuckGo", url: base, find: (asking) => find(asking, base) };
}

const CELLS = { link: "a.result__a", snippet: ".result__snippet" };

async function find(asking: Asking, base: string): Promise<readonly Candidate[]> {
  const { query, most, html, get } = asking;
  const region = /\p{Script=Hangul}/u.test(query) ? "&kl=kr-kr" : "";
  const { status, text, url } = await get(`${base}/html/?q=${encodeURIComponent(query)}${region}`);
  // The page that asks for proof of a human comes with status 202.
  if (/anomaly-modal|challenge-form|bots use DuckDuckGo/.test(text)) {
    throw new SourceError("it asks for proof that a human searches");
  }
  if (status !== 200) throw new SourceError(`it answered ${status}`);
  const rows = await html.rows(text, { url, row: ".result:not(.result--ad)", cells: CELLS });
  const found = rows.flatMap(candidate);
  if (found.length > 0) return found.slice(0, most);
  const [none] = await html.rows(text, { url, row: "body", cells: { none: ".no-results" } });
  if (none?.["none"] !== undefined) return [];
  throw new SourceError("its page has another shape than it had; it may have changed");
}

function candidate(row: Readonly<Record<string, HtmlCell>>): readonly Candidate[] {
  const { link, snippet } = row;
  const url = link === undefined ? undefined : targetOf(link.href);
  if (link === undefined || url === undefined) return [];
  return [{ url, title: link.text, snippet: snippet?.text ?? "" }];
}

/** Where a row leads: its link goes by way of DuckDuckGo, which knows then what was chosen. */
function targetOf(href: string): string | undefined {
  const url = URL.parse(href, "https://duckduckgo.com");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!/(^|\.)duckduckgo\.com$/.test(url.hostname)) return url.href;
  const target = URL.parse(url.searchParams.get("uddg") ?? "");
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : undefined;
}
