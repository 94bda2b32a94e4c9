/// <reference lib="deno.worker" />
/** Reads HTML. Anybody may have written it, so this is a worker with no permission that can be ended. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import type { HtmlAnswer, HtmlCell, HtmlPage, HtmlRequest } from "./html.ts";
import type { HtmlDocument, HtmlElement } from "./html_node.ts";
import { htmlText } from "./html_text.ts";

/** What a readable part has at least, in characters and of the whole: less of it is a teaser on a page of links. */
const ARTICLE_CHARS_MIN = 300;
const ARTICLE_SHARE_MIN = 0.1;

self.onmessage = ({ data }: MessageEvent<HtmlRequest>) => {
  self.postMessage(answerTo(data));
};
self.postMessage({ type: "ready" } satisfies HtmlAnswer);

function answerTo(request: HtmlRequest): HtmlAnswer {
  try {
    return answer(request);
  } catch (error) {
    // Nesting without end, for example: the page's fault, and told as such.
    return { type: "failed", cause: error instanceof Error ? error.message : String(error) };
  }
}

function answer(request: HtmlRequest): HtmlAnswer {
  switch (request.type) {
    case "page":
      return { type: "page", page: readPage(parse(request.html), request.url) };
    case "fragment": {
      const { body } = parse(`<html><body>${request.html}</body></html>`);
      const text = body === null ? "" : htmlText(body, request.url);
      return { type: "page", page: { title: "", text, isArticle: false } };
    }
    case "rows": {
      const rows = [...parse(request.html).querySelectorAll(request.row)];
      return { type: "rows", rows: rows.map((row) => cellsOf(row, request.cells)) };
    }
    default:
      return request satisfies never;
  }
}

/** A text without an html element is none to the parser. */
function parse(html: string): HtmlDocument {
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  return (parseHTML(whole) as unknown as { document: HtmlDocument }).document;
}

function readPage(document: HtmlDocument, url: string): HtmlPage {
  const { body } = document;
  const base = URL.parse(document.querySelector("base")?.getAttribute("href") ?? "", url)?.href ??
    url;
  const title = (document.querySelector("title")?.textContent ?? "").replace(/\s+/g, " ").trim();
  // The library would resolve them against the worker's own address.
  for (const link of document.querySelectorAll("a[href]")) {
    const target = URL.parse(link.getAttribute("href") ?? "", base);
    if (target !== null) link.setAttribute("href", target.href);
  }
  const article = articleOf(document.cloneNode(true));
  const found = article === undefined ? "" : htmlText(article, base);
  const whole = body === null ? "" : htmlText(body, base);
  const isEnough = found.length >= ARTICLE_CHARS_MIN &&
    found.length >= whole.length * ARTICLE_SHARE_MIN;
  return {
    title,
    text: isEnough ? found : whole,
    isArticle: isEnough && found.length < whole.length,
  };
}

/** The library changes the document that it is given. */
function articleOf(document: HtmlDocument): HtmlElement | undefined {
  const reader = new Readability<unknown>(
    document as unknown as ConstructorParameters<typeof Readability>[0],
    { serializer: (node) => node, charThreshold: ARTICLE_CHARS_MIN },
  );
  const content = reader.parse()?.content;
  return content === undefined || content === null ? undefined : content as HtmlElement;
}

function cellsOf(row: HtmlElement, cells: Readonly<Record<string, string>>) {
  const found: Record<string, HtmlCell> = {};
  for (const [name, selector] of Object.entries(cells)) {
    const element = row.querySelector(selector);
    if (element === null) continue;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    found[name] = { text, href: element.getAttribute("href") ?? "" };
  }
  return found;
}
