/** An element of a page as text that a model reads: headings, lists, tables, code and links stay what they are. */
import { type HtmlElement, type HtmlNode, isElement, isText } from "./html_node.ts";

/** What is no text of a page. */
const LEFT_OUT = new Set(
  "title script style noscript template svg canvas iframe object embed audio video head dialog select button input textarea"
    .split(" "),
);

const BLOCKS = new Set(
  "address article aside blockquote body dd details dl dt div fieldset figcaption figure footer form header hr html li main nav ol p pre section summary table tr ul h1 h2 h3 h4 h5 h6"
    .split(" "),
);

/** Blocks with no empty line between them. */
const ROWS = new Set(["li", "tr", "dt", "dd"]);

/** Nesting beyond which nothing is read: no page that people write comes near to it. */
const DEPTH_MAX = 400;

/** The text of an element. `base` is the address of its page: links are written whole. */
export function htmlText(element: HtmlElement, base: string): string {
  const writer = new TextWriter(base);
  writer.node(element, 0);
  return writer.text();
}

class TextWriter {
  readonly #base: string;
  #out = "";
  #listDepth = 0;

  constructor(base: string) {
    this.#base = base;
  }

  text(): string {
    return this.#out.replace(/[ \t]+\n/g, "\n").replace(/\n{3,}/g, "\n\n").trim();
  }

  node(node: HtmlNode, depth: number): void {
    if (isText(node)) return this.#inline(node.textContent ?? "");
    if (!isElement(node) || depth > DEPTH_MAX || isLeftOut(node)) return;
    const name = node.localName;
    if (name === "br") return void (this.#out += "\n");
    if (name === "pre") return this.#code(node);
    if (name === "a") return this.#link(node, depth);
    if (name === "img") return this.#inline(node.getAttribute("alt")?.trim() ?? "");
    if (name === "td" || name === "th") return this.#cell(node, depth);
    if (name === "code") return this.#around("`", node, depth);
    if (!BLOCKS.has(name)) return this.#children(node, depth);
    this.#block(node, depth);
  }

  #children(node: HtmlNode, depth: number): void {
    for (const child of node.childNodes) this.node(child, depth + 1);
  }

  #block(node: HtmlElement, depth: number): void {
    const name = node.localName;
    const isList = name === "ul" || name === "ol";
    const isInList = this.#listDepth > 0 && (isList || name === "p" || name === "div");
    const gap = isInList || ROWS.has(name) ? 1 : 2;
    this.#lines(gap);
    if (/^h[1-6]$/.test(name)) this.#out += `${"#".repeat(Number(name[1]))} `;
    if (name === "li") this.#out += `${"  ".repeat(Math.max(0, this.#listDepth - 1))}- `;
    if (name === "hr") this.#out += "---";
    if (isList) this.#listDepth += 1;
    this.#children(node, depth);
    if (isList) this.#listDepth -= 1;
    this.#lines(gap);
  }

  /** White space of a page is one blank, and none where a line begins. */
  #inline(text: string): void {
    const shown = text.replace(/\s+/g, " ");
    this.#out += /(^|[\s])$/.test(this.#out) ? shown.trimStart() : shown;
  }

  #code(node: HtmlElement): void {
    this.#lines(2);
    this.#out += `\`\`\`\n${(node.textContent ?? "").replace(/^\n|\s+$/g, "")}\n\`\`\``;
    this.#lines(2);
  }

  #around(mark: string, node: HtmlElement, depth: number): void {
    this.#out += mark;
    this.#children(node, depth);
    this.#out += mark;
  }

  #link(node: HtmlElement, depth: number): void {
    const before = this.#out.length;
    this.#children(node, depth);
    const target = URL.parse(node.getAttribute("href") ?? "", this.#base);
    const said = this.#out.slice(before).trim();
    if (target === null || said === "" || !/^https?:$/.test(target.protocol)) return;
    // A place on the same page leads nowhere else, and a heading that is a link would end in an address.
    const isHere = target.hash !== "" && target.href.split("#")[0] === this.#base.split("#")[0];
    if (isHere || said === target.href || said.includes("\n")) return;
    const blanks = /^\s*/.exec(this.#out.slice(before))?.[0] ?? "";
    this.#out = `${this.#out.slice(0, before)}${blanks}[${said}](${target.href})`;
  }

  #cell(node: HtmlElement, depth: number): void {
    if (!/(^|\n)$/.test(this.#out)) this.#out += " | ";
    const before = this.#out.length;
    this.#children(node, depth);
    this.#out = this.#out.slice(0, before) +
      this.#out.slice(before).replace(/\s+/g, " ").trim();
  }

  /** So many line ends stand before what follows. */
  #lines(count: number): void {
    if (this.#out === "") return;
    this.#out = this.#out.replace(/[ \t]+$/, "");
    const there = /\n*$/.exec(this.#out)?.[0].length ?? 0;
    // A list point's own text begins on its line.
    if (/(^|\n) *- ?$/.test(this.#out)) {
      return void (this.#out += this.#out.endsWith(" ") ? "" : " ");
    }
    this.#out += "\n".repeat(Math.max(0, count - there));
  }
}

function isLeftOut(node: HtmlElement): boolean {
  return LEFT_OUT.has(node.localName) || node.getAttribute("hidden") !== null ||
    node.getAttribute("aria-hidden") === "true" ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute("style") ?? "");
}
