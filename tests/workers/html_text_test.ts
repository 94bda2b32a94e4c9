import { deepStrictEqual as equal, ok } from "node:assert/strict";
import { parseHTML } from "linkedom/worker";
import type { HtmlDocument } from "@/workers/html_node.ts";
import { htmlText } from "@/workers/html_text.ts";

function textOf(html: string): string {
  const parsed = parseHTML(`<html><body>${html}</body></html>`) as unknown as {
    document: HtmlDocument;
  };
  const { body } = parsed.document;
  return body === null ? "" : htmlText(body, "https://a.example/");
}

/** One of everything; whole pages are made of many. */
const PIECE =
  `<h2>Tide</h2><p>High  water <b>at</b> <a href="/six">six</a>.<br>Low at noon.</p><ul><li>one<li><p>two</p></ul>` +
  `<table><tr><td>a <td>b <a href="/c">c</a></table><pre>x  \n  y\n\n</pre>`;
const TEXT =
  "## Tide\n\nHigh water at [six](https://a.example/six).\nLow at noon.\n\n- one\n- two\n\n" +
  "a | b [c](https://a.example/c)\n\n```\nx\n  y\n```";

Deno.test("htmlText() reads the thousandth piece of a page like the first, in a time that a page of any length takes", () => {
  equal(textOf(PIECE), TEXT);
  const count = 4_000;
  const many = textOf(PIECE.repeat(count));
  ok(many === Array(count).fill(TEXT).join("\n\n"));
});

Deno.test("htmlText() reads a page that is one cell, one link or one line", () => {
  const words = "word ".repeat(40).trim();
  const count = 4_000;
  const cell = textOf(`<table><tr><td>${`<p>${words}</p>`.repeat(count)}</table>`);
  ok(cell === Array(count).fill(words).join(" "));
  const line = textOf(`<b>${words}</b> <a href="/x">x</a> `.repeat(count));
  ok(line === Array(count).fill(`${words} [x](https://a.example/x)`).join(" "));
  const link = textOf(`<a href="/x">${`<p>${words}</p>`.repeat(200)}</a>`);
  ok(link === Array(200).fill(words).join("\n\n"));
});
