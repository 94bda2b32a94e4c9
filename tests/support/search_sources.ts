/**
 * The places that search_web asks, as they answer. Written down from:
 * - DuckDuckGo: the page of html.duckduckgo.com/html/ as scrapers of it describe it (rows `.result.web-result`, links by
 *   way of `/l/?uddg=`, advertisements `.result--ad`, `.no-results`, and with status 202 the page `anomaly-modal`);
 * - Wikipedia: https://www.mediawiki.org/wiki/API:Search (`query.search[].title`, `snippet` with `searchmatch` spans);
 * - Stack Exchange: https://api.stackexchange.com/docs/advanced-search with the filter `withbody` (`items`, `has_more`,
 *   `quota_remaining`; errors as `error_id`, `error_name`, `error_message`);
 * - GitHub: https://docs.github.com/rest/search/search#search-issues-and-pull-requests (`total_count`,
 *   `incomplete_results`, `items`; errors as `message`, `documentation_url`);
 * - SearXNG: https://docs.searxng.org/dev/search_api.html (`results`, `unresponsive_engines`; 403 where the format is off).
 */

/** A page that a source knows. */
export type Known = { url: string; title: string; snippet?: string; body?: string };

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const duckRow = ({ url, title, snippet = "" }: Known) => {
  const link = `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0f3a`;
  return `<div class="result results_links results_links_deep web-result ">
  <div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="${link}">${
    escape(title)
  }</a></h2>
  <div class="result__extras"><div class="result__extras__url">
  <a class="result__url" href="${link}">${escape(url)}</a></div></div>
  <a class="result__snippet" href="${link}">${
    escape(snippet)
  }</a><div class="clear"></div></div></div>`;
};

const AD = `<div class="result results_links results_links_deep result--ad ">
  <div class="links_main links_deep result__body"><h2 class="result__title">
  <a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy it</a></h2></div></div>`;

const duckPage = (rows: string) =>
  `<!DOCTYPE html><html><head><title>x at DuckDuckGo</title></head><body class="body--html">
  <form class="header__form" action="/html/" method="post"></form>
  <div class="serp__results"><div id="links" class="results">${rows}</div></div></body></html>`;

/** Pages of DuckDuckGo. */
export const duck = {
  results: (known: readonly Known[]) => html(duckPage(AD + known.map(duckRow).join("\n"))),
  none: () => html(duckPage('<div class="no-results">No results.</div>')),
  challenge: () =>
    html(
      '<html><body><form id="challenge-form"><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>',
      202,
    ),
  changed: () => html("<html><body><main><article>A new design</article></main></body></html>"),
};

/** Answers of Wikipedia. */
export const wiki = (titles: readonly string[]) =>
  Response.json({
    batchcomplete: "",
    query: {
      searchinfo: { totalhits: titles.length },
      search: titles.map((title, at) => ({
        ...{ ns: 0, title, pageid: at + 1, size: 100, wordcount: 10 },
        snippet: `about <span class="searchmatch">${title}</span> &amp; more`,
        timestamp: "2026-01-01T00:00:00Z",
      })),
    },
  });

/** Answers of Stack Exchange. */
export const stack = {
  items: (known: readonly Known[]) =>
    Response.json({
      items: known.map(({ url, title, body = "" }, at) => ({
        ...{ tags: ["x"], is_answered: true, score: 3, question_id: at + 1 },
        ...{ link: url, title: escape(title), body },
      })),
      ...{ has_more: false, quota_max: 300, quota_remaining: 299 },
    }),
  throttled: () =>
    Response.json({
      ...{ error_id: 502, error_name: "throttle_violation" },
      error_message: "too many requests from this IP, more requests available in 60 seconds",
    }, { status: 400 }),
};

/** Answers of GitHub. */
export const hub = {
  items: (known: readonly Known[]) =>
    Response.json({
      ...{ total_count: known.length, incomplete_results: false },
      items: known.map(({ url, title, body }, at) => ({
        ...{ html_url: url, id: at + 1, number: at + 1, title, state: "open" },
        body: body ?? null,
      })),
    }),
  limited: () =>
    Response.json({
      message: "API rate limit exceeded for 192.0.2.1.",
      documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
    }, { status: 403 }),
};

/** Answers of SearXNG. */
export const searx = {
  results: (known: readonly Known[]) =>
    Response.json({
      ...{ query: "x", number_of_results: 0 },
      results: known.map(({ url, title, snippet = "" }) => ({
        ...{ url, title, content: snippet, engine: "brave", engines: ["brave"], score: 1 },
      })),
      ...{ answers: [], corrections: [], infoboxes: [], suggestions: [] },
      unresponsive_engines: [["startpage", "Suspended: CAPTCHA"]],
    }),
  silent: () =>
    Response.json({ query: "x", results: [], unresponsive_engines: [["brave", "timeout"]] }),
  off: () => new Response("<html>Forbidden</html>", { status: 403 }),
};

function html(text: string, status = 200): Response {
  return new Response(text, { status, headers: { "content-type": "text/html; charset=UTF-8" } });
}
